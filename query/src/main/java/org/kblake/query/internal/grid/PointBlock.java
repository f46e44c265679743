package org.kblake.query.internal.grid;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.GridQuery;

/**
 * The events that become held at the next few points of a grid, first by point, then by channel.
 * Each channel's track is read for all of these points at once, because the tracks lie far apart in
 * memory. The result is small enough for the processor's cache.
 *
 * <pre>
 *   row of channel c    c: held before   channels + c: from the first point on   2 channels + c ..
 * </pre>
 */
final class PointBlock {

  private static final int MAX_ROWS = 1 << 15;
  private static final int MAX_POINTS = 256;

  private static final byte SAME = 0;
  private static final byte LIST = 1;

  private final GridQuery query;
  private final HeldTrack[] tracks;
  private final @Nullable GridStates states;
  private final int points;

  /** Whether the channel is disconnected, by row. Empty if states are not needed. */
  private final boolean[] disconnected;

  /**
   * Whether the held event has changed, by row; if so, whether it is a list, or the type of the
   * number.
   */
  private final byte[] kinds;

  /** The columns of numbers, by type. */
  private final @Nullable EventColumns[] numbers = new EventColumns[ValueType.values().length];

  /** The columns of lists, by row. Empty until there is a list. */
  private @Nullable EventColumns[] lists = {};

  private long firstPoint;
  private long lastPoint = -1;

  /**
   * @param tracks the tracks, by channel
   * @param states the connection states of the channels; null if they are not needed
   */
  PointBlock(GridQuery query, HeldTrack[] tracks, @Nullable GridStates states) {
    this.query = query;
    this.tracks = tracks;
    this.states = states;
    points = Math.max(1, Math.min(MAX_POINTS, MAX_ROWS / Math.max(1, tracks.length) - 1));
    kinds = new byte[(points + 1) * tracks.length];
    disconnected = new boolean[states == null ? 0 : kinds.length];
  }

  /** Returns the last point of this block. */
  long lastPoint() {
    return lastPoint;
  }

  /**
   * Moves to the next points. All their events must have been delivered.
   *
   * @param most the last point that may be included
   */
  void fill(long first, long most) {
    firstPoint = first;
    lastPoint = Math.min(most, first + points - 1);
    Arrays.fill(kinds, SAME);
    Arrays.fill(disconnected, false);
    Arrays.fill(lists, null);
    for (int channel = 0; channel < tracks.length; channel++) {
      fill(channel);
    }
  }

  private void fill(int channel) {
    HeldTrack track = tracks[channel];
    GridStates connections = states;
    if (connections != null && !connections.isEmpty(channel)) {
      fill(channel, track, connections);
      return;
    }
    long lastNanos = query.pointNanos(lastPoint);
    long point = firstPoint;
    while (track.hasNext() && track.nextNanos() <= lastNanos) {
      long nanos = query.pointNanos(point);
      if (nanos < track.nextNanos()) {
        point = query.pointFrom(track.nextNanos());
        nanos = query.pointNanos(point);
      }
      if (track.goTo(nanos)) {
        put(track, row(point, channel));
      }
      point++;
    }
  }

  private void fill(int channel, HeldTrack track, GridStates connections) {
    for (long point = firstPoint; point <= lastPoint; point++) {
      long nanos = query.pointNanos(point);
      int row = row(point, channel);
      if (track.goTo(nanos)) {
        put(track, row);
      }
      disconnected[row] = connections.isDisconnected(channel, nanos, track);
    }
  }

  /** Returns whether a channel is disconnected at a point, if states are needed. */
  boolean isDisconnected(int row) {
    return disconnected[row];
  }

  private void put(HeldTrack track, int row) {
    EventColumns list = track.list();
    if (list != null) {
      if (lists.length == 0) {
        lists = new EventColumns[kinds.length];
      }
      lists[row] = list;
      kinds[row] = LIST;
      return;
    }
    int type = track.type().ordinal();
    EventColumns columns = numbers[type];
    if (columns == null) {
      columns = new EventColumns(track.type(), false, kinds.length);
      columns.count = kinds.length;
      numbers[type] = columns;
    }
    track.copyTo(columns, row);
    kinds[row] = (byte) (LIST + 1 + type);
  }

  /** Returns the row of a channel's event at a point. */
  int row(long point, int channel) {
    return (int) (point - firstPoint + 1) * tracks.length + channel;
  }

  /**
   * Copies the number that a channel holds, so that it stays valid after the points of this block.
   * Returns its row.
   */
  int keep(EventColumns columns, int row) {
    int kept = row % tracks.length;
    columns.timeNanos[kept] = columns.timeNanos[row];
    columns.state[kept] = columns.state[row];
    columns.severity[kept] = columns.severity[row];
    columns.status[kept] = columns.status[row];
    columns.values[kept] = columns.values[row];
    return kept;
  }

  /** Returns whether the held event differs from that of the previous point. */
  boolean isOther(int row) {
    return kinds[row] != SAME;
  }

  /**
   * Returns the columns with that event: a number is in its row, any other event is in the first
   * row.
   */
  EventColumns columns(int row) {
    EventColumns columns = kinds[row] == LIST ? lists[row] : numbers[kinds[row] - LIST - 1];
    if (columns == null) {
      throw new IllegalStateException("no other event: row=" + row);
    }
    return columns;
  }

  boolean isList(int row) {
    return kinds[row] == LIST;
  }
}
