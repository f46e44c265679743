package org.kblake.query.internal.grid;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;

/**
 * The number of points of a grid that are processed at a time, so that the events of their values
 * take little memory. There are two limits. For all groups together, the points fit even if each
 * point has an event of each channel, of the largest size in the record tables. For each group, the
 * points fit if its events stay as frequent as in the present window.
 */
public final class GridBudget {

  /**
   * The points of the first window. The first point is then returned as soon as its values are
   * known.
   */
  static final int FIRST_POINTS = 1;

  /**
   * The limit of points. More points are not faster, because already few pages are shared by two
   * windows.
   */
  private static final long MAX_POINTS = 1 << 14;

  /**
   * The limit of events of a channel. With more events, the first ones are no longer in the
   * processor's cache when they are used.
   */
  private static final long MAX_EVENTS = 1 << 12;

  /**
   * The least number of points, even if lists take more memory. With fewer, pages of numbers are
   * decoded too often.
   */
  private static final long MIN_POINTS = 64;

  /** The largest growth from window to window. */
  private static final int GROWTH = 64;

  /** The budget of bytes for the events of a window, of all groups. */
  private static final long BYTES =
      Math.max(1L << 20, Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 6));

  private static final int TEXT_BYTES = 40;

  /** The bytes of one event of each channel, by group. */
  private final Map<Group, Long> eventBytes = new HashMap<>();

  private final long mostPoints;

  /**
   * @param channels all requested channels, as the record tables of the period describe them
   */
  public GridBudget(List<ChannelInfo> channels) {
    long all = 0;
    for (ChannelInfo channel : channels) {
      long bytes = mostBytes(channel);
      eventBytes.merge(channel.channel().group(), bytes, Long::sum);
      all += bytes;
    }
    mostPoints = Math.max(MIN_POINTS, Math.min(MAX_POINTS, BYTES / Math.max(1, all)));
  }

  private static long mostBytes(ChannelInfo channel) {
    if (channel.type() == ValueType.STRING) {
      return OrderedValues.LIST_BYTES + (long) TEXT_BYTES * channel.elementCount();
    }
    return channel.waveform()
        ? OrderedValues.LIST_BYTES + (long) Long.BYTES * channel.elementCount()
        : OrderedValues.ROW_BYTES;
  }

  /**
   * Returns the number of points of the next window.
   *
   * @param points the number of points of the present window
   * @param bytes the bytes of their events of the group
   */
  long pointsAfter(long points, Group group, long bytes) {
    long own = eventBytes.getOrDefault(group, (long) OrderedValues.ROW_BYTES);
    double share = (double) (Math.min(mostPoints, MAX_EVENTS) * own) / Math.max(1, bytes);
    return Math.max(1, Math.min((long) (points * Math.min(GROWTH, share)), mostPoints));
  }
}
