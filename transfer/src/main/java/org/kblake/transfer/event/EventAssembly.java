package org.kblake.transfer.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.message.EventMessage.Tally;
import org.kblake.transfer.message.EventTicket;

/**
 * The events that a builder has begun. An event ends when it has a fragment of each collector, or
 * when its time is over. Fragments that come before their ticket are kept, up to a number. For one
 * thread.
 */
final class EventAssembly {

  /** The most bytes of fragments. */
  private static final long MOST_BYTES = 64L << 20;

  private final int collectors;
  private final int mostEarly;
  private final long deadlineNanos;
  private final Ended ended;
  private final TreeMap<Long, Open> open = new TreeMap<>();
  private long highest;
  private int early;
  private long held;
  private long bytes;
  private long late;
  private long twice;
  private long strange;
  private long dropped;

  /** Takes an event that has ended. */
  interface Ended {
    /**
     * Takes an event.
     *
     * @param missing a bit for each collector whose fragment is missing; 0 if the event is whole
     * @param fragments by collector; empty unless the event is whole
     */
    void ended(EventTicket ticket, long missing, List<byte[]> fragments);
  }

  /** Takes a request for a fragment. */
  interface Asked {
    /** Takes a ticket and the index of the collector. */
    void ask(EventTicket ticket, int collector);
  }

  private static final class Open {

    private final byte[] @Nullable [] fragments;
    private long since;
    private long askedAt;
    private @Nullable EventTicket ticket;

    private Open(int collectors, long now) {
      fragments = new byte[collectors][];
      since = now;
      askedAt = now;
    }

    private long missing() {
      long missing = 0;
      for (int i = 0; i < fragments.length; i++) {
        missing |= fragments[i] == null ? 1L << i : 0;
      }
      return missing;
    }
  }

  /**
   * @param mostEarly the most events that have fragments and no ticket
   */
  EventAssembly(int collectors, int mostEarly, long deadlineNanos, Ended ended) {
    this.collectors = collectors;
    this.mostEarly = mostEarly;
    this.deadlineNanos = deadlineNanos;
    this.ended = ended;
  }

  /** Begins an event. Tickets have ascending numbers. */
  void assign(EventTicket ticket, long now) {
    highest = Math.max(highest, ticket.number());
    Open event = open.get(ticket.number());
    if (event == null) {
      event = new Open(collectors, now);
      open.put(ticket.number(), event);
    } else {
      early--;
    }
    event.ticket = ticket;
    event.since = now;
    finishWhole(ticket.number(), event);
  }

  /** Returns the number of events that have a ticket. */
  int open() {
    return open.size() - early;
  }

  /** Takes a fragment. */
  void add(long number, int collector, byte[] fragment, long now) {
    Open event = open.get(number);
    if (collector >= collectors || (event == null && number > highest && early >= mostEarly)) {
      strange++;
    } else if (event == null && number <= highest) {
      late++;
    } else if (event != null && event.fragments[collector] != null) {
      twice++;
    } else if (held + fragment.length > MOST_BYTES) {
      dropped++;
    } else {
      if (event == null) {
        event = new Open(collectors, now);
        open.put(number, event);
        early++;
      }
      event.fragments[collector] = fragment;
      held += fragment.length;
      finishWhole(number, event);
    }
  }

  private void finishWhole(long number, Open event) {
    EventTicket ticket = event.ticket;
    if (ticket != null && event.missing() == 0) {
      open.remove(number);
      bytes += release(event);
      List<byte[]> whole = new ArrayList<>();
      for (byte[] each : event.fragments) {
        whole.add(each);
      }
      ended.ended(ticket, 0, whole);
    }
  }

  private long release(Open event) {
    long size =
        Arrays.stream(event.fragments).mapToLong(each -> each == null ? 0 : each.length).sum();
    held -= size;
    return size;
  }

  /** Counts a datagram that is none of the session. */
  void countStrange() {
    strange++;
  }

  /** Gives up events whose time is over. */
  void expire(long now) {
    for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
      Open event = each.next();
      if (now - event.since >= deadlineNanos) {
        each.remove();
        release(event);
        if (event.ticket == null) {
          early--;
          strange++;
        } else {
          ended.ended(event.ticket, event.missing(), List.of());
        }
      }
    }
  }

  /** Asks again for what is missing of events that were not asked for since a time. */
  int askAgain(long now, long pauseNanos, Asked asked) {
    int count = 0;
    for (Open event : open.values()) {
      EventTicket ticket = event.ticket;
      if (ticket != null && now - event.askedAt >= pauseNanos) {
        event.askedAt = now;
        for (int i = 0; i < collectors; i++) {
          if (event.fragments[i] == null) {
            asked.ask(ticket, i);
            count++;
          }
        }
      }
    }
    return count;
  }

  /** Gives up all events, because the manager is lost. */
  int abandon() {
    int count = open.size() - early;
    open.clear();
    held = 0;
    early = 0;
    return count;
  }

  /** Returns what was counted. */
  Tally tally(long repeated) {
    return new Tally(bytes, late, twice, strange, dropped, repeated);
  }
}
