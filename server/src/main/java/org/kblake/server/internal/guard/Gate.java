package org.kblake.server.internal.guard;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Lets a number of requests work at once. Others wait in order, without a thread. Thread safe. */
final class Gate {

  private final int most;
  private final int mostWaiting;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int active;

  /** What happens to a request. */
  enum Entry {
    WORKS,
    WAITS,
    REFUSED
  }

  Gate(int most, int mostWaiting) {
    this.most = most;
    this.mostWaiting = mostWaiting;
  }

  /**
   * Enters, or waits.
   *
   * @param later runs once when a request that waits may work
   */
  synchronized Entry enter(Runnable later) {
    if (active < most) {
      active++;
      return Entry.WORKS;
    }
    if (waiting.size() >= mostWaiting) {
      return Entry.REFUSED;
    }
    waiting.add(later);
    return Entry.WAITS;
  }

  /** Ends the wait of a request. Returns false if it works already. */
  synchronized boolean giveUp(Runnable later) {
    return waiting.remove(later);
  }

  /** Ends a request that worked. The next one that waits takes its place. */
  void leave() {
    Runnable next = next();
    if (next != null) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      active--;
    }
    return next;
  }
}
