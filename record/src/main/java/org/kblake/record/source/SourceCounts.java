package org.kblake.record.source;

/**
 * What a source counted since it was created.
 *
 * @param values values received, lost ones included
 * @param dropped values that contradict their channel, or that the server or this client could not
 *     take; the next event of the channel states them, too
 * @param circuitsLost connections to servers that ended and had channels
 * @param ring the events that wait
 * @param searches the network's share
 */
public record SourceCounts(
    long values, long dropped, long circuitsLost, RingCounts ring, SearchCounts searches) {

  /** Nothing was counted. */
  public static final SourceCounts NONE =
      new SourceCounts(0, 0, 0, new RingCounts(0, 0), new SearchCounts(0, 0, 0, 0, 0));

  /** Returns the sums with another source that has the same ring. */
  SourceCounts and(SourceCounts other) {
    return new SourceCounts(
        values + other.values,
        dropped + other.dropped,
        circuitsLost + other.circuitsLost,
        ring,
        searches.and(other.searches));
  }

  /**
   * The ring of events.
   *
   * @param lost events that found no room in it
   * @param usedBytes the size of the events in it, now
   */
  public record RingCounts(long lost, long usedBytes) {}

  /**
   * Searches for channels.
   *
   * @param packets packets of searches sent
   * @param names names in them
   * @param clashes answers of a second server for a channel that another server has
   * @param searching channels that no server has answered for, now
   * @param beacons beacons of servers received
   */
  public record SearchCounts(long packets, long names, long clashes, int searching, long beacons) {

    private SearchCounts and(SearchCounts other) {
      return new SearchCounts(
          packets + other.packets,
          names + other.names,
          clashes + other.clashes,
          searching + other.searching,
          beacons + other.beacons);
    }
  }
}
