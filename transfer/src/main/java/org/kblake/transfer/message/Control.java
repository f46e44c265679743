package org.kblake.transfer.message;

import java.util.List;

/** A message of a control connection. */
public sealed interface Control {

  /**
   * The first message of a builder.
   *
   * @param name the builder's name
   * @param process a random number of the builder's process
   * @param token empty if there is none
   */
  record Hello(String name, long process, String token) implements Control {
    /** Returns a text without the token. */
    @Override
    public String toString() {
      return "Hello of " + name;
    }
  }

  /**
   * The answer to a hello.
   *
   * @param session with which the data connection begins
   */
  record Welcome(SessionKey session, int dataPort) implements Control {}

  /** The last message to a builder. */
  record Refused(String reason) implements Control {}

  /**
   * What the builder has of a group: its newest pairs, at most {@value #MAX_PAIRS}, in their order.
   *
   * @param number that of the group on this connection
   * @param since a stamp: earlier pairs are not wanted, except the one that it is in; 0 for all
   */
  record Has(int number, long since, List<PairBytes> pairs) implements Control {
    /** The most pairs that are stated. */
    public static final int MAX_PAIRS = 64;
  }

  /** What the builder has of a pair that the collector asked for. */
  record Position(int number, PairPosition pair) implements Control {}

  /** The builder does not take a group. */
  record Denied(int number, String reason) implements Control {}

  /** The bytes of payload that may have been sent since the connection began. */
  record Credit(long totalBytes) implements Control {}

  /**
   * Says that a side is alive.
   *
   * @param bytes how many bytes of payload it has sent or received
   * @param behind of a collector: the pairs that were not wholly sent
   */
  record Beat(long bytes, long behind) implements Control {}
}
