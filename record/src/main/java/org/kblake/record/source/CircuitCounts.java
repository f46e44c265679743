package org.kblake.record.source;

/**
 * What was counted on a connection to a server since it was last asked for.
 *
 * @param server the server's address and port, as {@link ChannelEvent#server} names it
 * @param isOpen false if the connection ended; then these are its last counts
 * @param values values received
 * @param bytes bytes received; 0 where nobody tells them
 * @param drops what the server may have dropped
 */
public record CircuitCounts(String server, boolean isOpen, long values, long bytes, Drops drops) {

  /** There is no sign that the server dropped values. */
  public static final Drops NO_DROPS = new Drops(0, 0);

  /**
   * Values that a server may have dropped.
   *
   * @param fromNanos the begin of the time in which it may have, in nanoseconds since 1970 UTC; 0
   *     if there is no such time
   * @param stated how many there are at least, as the server states
   */
  public record Drops(long fromNanos, long stated) {

    /** Returns the drops of both. */
    public Drops and(Drops later) {
      return new Drops(fromNanos == 0 ? later.fromNanos : fromNanos, stated + later.stated);
    }
  }
}
