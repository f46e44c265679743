package org.kblake.record.source;

/**
 * What a source counted since it was created.
 *
 * @param values values received, lost ones included
 * @param lost events that found no room in the ring
 * @param dropped values that contradict the type or count of their channel, or of no channel
 * @param circuitsLost connections to servers that ended
 * @param searches the network's share
 */
public record SourceCounts(
    long values, long lost, long dropped, long circuitsLost, SearchCounts searches) {

  /**
   * Searches for channels.
   *
   * @param packets packets of searches sent
   * @param names names in them
   * @param clashes answers of a second server for a channel that another server has
   * @param searching channels that no server has answered for, now
   */
  public record SearchCounts(long packets, long names, long clashes, int searching) {}
}
