package org.kblake.query.internal.grid;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;

/**
 * How many points of a grid are worked on at a time, so that the events which set their values take
 * little memory: at most as many as fit if each point has an event of each channel, as large as the
 * record tables allow, which may be far more than events have; and for a group as many as fit if
 * its events stay as frequent as they are.
 */
public final class GridBudget {

  /** Points to begin with: the first comes as soon as what is held there is known. */
  static final int FIRST_POINTS = 1;

  /** More do not make it any faster: pages that windows share are few by then. */
  private static final long MOST_POINTS = 1 << 14;

  /** More of a channel are out of a processor's cache when they are requested. */
  private static final long MOST_EVENTS = 1 << 12;

  /** With fewer the pages of numbers are decoded too often, whatever lists take. */
  private static final long LEAST_POINTS = 64;

  /** So many times more from window to window, where there are events for it. */
  private static final int GROWTH = 64;

  /** Events of the points at hand, of all groups. */
  private static final long BYTES =
      Math.max(1L << 20, Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 6));

  private static final int TEXT_BYTES = 40;

  /** By group: what an event of each channel takes. */
  private final Map<Group, Long> eventBytes = new HashMap<>();

  private final long mostPoints;

  /**
   * @param channels all that are requested, as the record tables of the period have them
   */
  public GridBudget(List<ChannelInfo> channels) {
    long all = 0;
    for (ChannelInfo channel : channels) {
      long bytes = mostBytes(channel);
      eventBytes.merge(channel.channel().group(), bytes, Long::sum);
      all += bytes;
    }
    mostPoints = Math.max(LEAST_POINTS, Math.min(MOST_POINTS, BYTES / Math.max(1, all)));
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
   * How many points come next.
   *
   * @param points how many there are now
   * @param bytes what their events of the group take
   */
  long pointsAfter(long points, Group group, long bytes) {
    long own = eventBytes.getOrDefault(group, (long) OrderedValues.ROW_BYTES);
    double share = (double) (Math.min(mostPoints, MOST_EVENTS) * own) / Math.max(1, bytes);
    return Math.max(1, Math.min((long) (points * Math.min(GROWTH, share)), mostPoints));
  }
}
