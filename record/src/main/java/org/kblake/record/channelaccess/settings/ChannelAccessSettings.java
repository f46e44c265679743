package org.kblake.record.channelaccess.settings;

import java.time.Duration;

/**
 * The settings of a client.
 *
 * @param search where and how fast channels are searched
 * @param connectionTimeout the time without a byte after which a server is asked for a sign of life
 * @param largestArrayBytes the largest number of bytes of an array's elements
 * @param ringBytes the size of the ring of events in bytes, a power of two
 * @param eventMask the kinds of events, such as {@link #VALUE_AND_ALARM}
 */
public record ChannelAccessSettings(
    SearchSettings search,
    Duration connectionTimeout,
    long largestArrayBytes,
    int ringBytes,
    int eventMask) {

  /** {@code DBE_VALUE | DBE_ALARM}. */
  public static final int VALUE_AND_ALARM = 1 | 4;

  /** {@code DBE_LOG | DBE_ALARM}: changes beyond the archive's deadband. */
  public static final int LOG_AND_ALARM = 2 | 4;

  /** The default size of the ring: a million values of a double. */
  public static final int RING_BYTES = 1 << 26;

  /** Returns the same settings with another search. */
  public ChannelAccessSettings withSearch(SearchSettings other) {
    return new ChannelAccessSettings(
        other, connectionTimeout, largestArrayBytes, ringBytes, eventMask);
  }

  /** Returns the same settings with another ring. */
  public ChannelAccessSettings withRingBytes(int bytes) {
    return new ChannelAccessSettings(
        search, connectionTimeout, largestArrayBytes, bytes, eventMask);
  }

  /** Returns the same settings with another time without a byte. */
  public ChannelAccessSettings withConnectionTimeout(Duration time) {
    return new ChannelAccessSettings(search, time, largestArrayBytes, ringBytes, eventMask);
  }
}
