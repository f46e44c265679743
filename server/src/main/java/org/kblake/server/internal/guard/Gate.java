package org.kblake.server.internal.guard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets a number of requests work at once. Others wait in order, without a thread. A client has at
 * most three quarters of the places, rounded down, and at least one, so that others need not wait
 * for its requests. Thread safe.
 */
final class Gate {

  private final int most;
  private final int mostOfClient;
  private final int mostWorkOfClient;
  private final int mostWaiting;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Map<Object, Share> shares = new HashMap<>();
  private int active;

  /** What happens to a request. */
  enum Entry {
    WORKS,
    WAITS,
    /** Too many requests wait. */
    REFUSED,
    /** The client has too many requests. */
    CLIENT_REFUSED
  }

  private record Waiting(@Nullable Object client, Runnable later) {}

  /** The requests of a client. */
  private static final class Share {
    int working;
    int all;
  }

  /**
   * @param most requests that work at once
   * @param mostWaiting requests that wait
   * @param mostOfClient requests of one client that work or wait
   */
  Gate(int most, int mostWaiting, int mostOfClient) {
    this.most = most;
    this.mostWaiting = mostWaiting;
    this.mostOfClient = mostOfClient;
    mostWorkOfClient = Math.max(1, most - (most + 3) / 4);
  }

  /**
   * Enters, or waits.
   *
   * @param client to whom the limits of a client apply; null if they do not
   * @param later runs once when a request that waits may work
   */
  synchronized Entry enter(@Nullable Object client, Runnable later) {
    Share share = client == null ? new Share() : shares.getOrDefault(client, new Share());
    if (client != null && share.all >= mostOfClient) {
      return Entry.CLIENT_REFUSED;
    }
    boolean works = active < most && mayWork(client);
    if (!works && waiting.size() >= mostWaiting) {
      return active < most ? Entry.CLIENT_REFUSED : Entry.REFUSED;
    }
    if (client != null) {
      share.all++;
      shares.put(client, share);
    }
    if (!works) {
      waiting.add(new Waiting(client, later));
      return Entry.WAITS;
    }
    begin(client);
    return Entry.WORKS;
  }

  private boolean mayWork(@Nullable Object client) {
    Share share = client == null ? null : shares.get(client);
    return share == null || share.working < mostWorkOfClient;
  }

  private void begin(@Nullable Object client) {
    active++;
    Share share = client == null ? null : shares.get(client);
    if (share != null) {
      share.working++;
    }
  }

  private void forget(@Nullable Object client, int working) {
    Share share = client == null ? null : shares.get(client);
    if (client != null && share != null) {
      share.working -= working;
      if (--share.all == 0) {
        shares.remove(client);
      }
    }
  }

  /** Ends the wait of a request. Returns false if it works already. */
  synchronized boolean giveUp(Runnable later) {
    for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
      Waiting found = each.next();
      if (found.later.equals(later)) {
        each.remove();
        forget(found.client, 0);
        return true;
      }
    }
    return false;
  }

  /** Ends a request that worked. The next one that waits and may work takes its place. */
  void leave(@Nullable Object client) {
    Runnable next = next(client);
    if (next != null) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next(@Nullable Object client) {
    active--;
    forget(client, 1);
    for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
      Waiting found = each.next();
      if (mayWork(found.client)) {
        each.remove();
        begin(found.client);
        return found.later;
      }
    }
    return null;
  }
}
