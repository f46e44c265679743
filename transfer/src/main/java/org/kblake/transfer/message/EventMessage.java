package org.kblake.transfer.message;

import java.util.List;

/**
 * A message of a control connection of an event builder: between the manager and a collector, or
 * the manager and a builder.
 */
public sealed interface EventMessage {

  /** The most collectors, and the most builders, of a session. */
  int MOST_PEERS = 64;

  /**
   * The first message, from a collector or a builder.
   *
   * @param builds whether it is a builder
   * @param port where it takes datagrams
   */
  record Hello(boolean builds, String name, int port) implements EventMessage {}

  /** The sender cannot take part. The connection ends. */
  record Refused(String reason) implements EventMessage {}

  /** From the manager: a session begins. */
  record Begin(EventSession session) implements EventMessage {}

  /**
   * From the manager: the times of the next events, in nanoseconds since 1970 UTC.
   *
   * @param nanos at most {@link #MOST}
   */
  record Instants(List<Long> nanos) implements EventMessage {

    /** The most instants of a message. */
    public static final int MOST = 4096;

    public Instants {
      nanos = List.copyOf(nanos);
    }
  }

  /**
   * From a collector, and passed on to the builders: it has read what it can ahead.
   *
   * @param collector its index
   * @param columns the head of its cells
   */
  record Ready(int collector, String columns) implements EventMessage {}

  /**
   * From the manager: who builds what. Without tickets it says that the manager lives.
   *
   * @param tickets with ascending numbers
   */
  record Assign(List<EventTicket> tickets) implements EventMessage {

    /** The most tickets of a message. */
    public static final int MOST = 1024;

    public Assign {
      tickets = List.copyOf(tickets);
    }
  }

  /**
   * From a builder: an event was built, or given up.
   *
   * @param ticket the number
   * @param missing a bit for each collector whose fragment is missing; 0 if the event was built
   */
  record Outcome(long ticket, long missing) implements EventMessage {}

  /** From the manager: the session is over. A collector and a builder answer with their counts. */
  record End() implements EventMessage {}

  /**
   * What one side counted in a session.
   *
   * @param bytes of payloads, sent or built
   * @param late fragments of events that were over, or not sent because they were
   * @param twice fragments that were there already
   * @param strange datagrams that are none of this session
   * @param dropped fragments for which there was no memory
   * @param repeated requests that were sent again
   */
  record Tally(long bytes, long late, long twice, long strange, long dropped, long repeated)
      implements EventMessage {

    /** Returns the sums. */
    public Tally plus(Tally other) {
      return new Tally(
          bytes + other.bytes,
          late + other.late,
          twice + other.twice,
          strange + other.strange,
          dropped + other.dropped,
          repeated + other.repeated);
    }
  }
}
