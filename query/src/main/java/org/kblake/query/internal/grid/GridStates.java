package org.kblake.query.internal.grid;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * The connection states of channels at the points of a grid: at a point the last connection event
 * in log order counts, unless a value event is behind it.
 */
final class GridStates {

  private final HeldTrack[] tracks;
  private final EventColumns row = new EventColumns(ValueType.SHORT, false, 1);

  GridStates(int channels) {
    tracks = new HeldTrack[channels];
    for (int i = 0; i < channels; i++) {
      tracks[i] = new HeldTrack();
    }
    row.count = 1;
  }

  /**
   * Adds a connection event.
   *
   * @param from the first point at which it counts
   * @param orderKey the key of its segment in log order; order and tie are its place within the
   *     segment
   */
  void offer(
      int channel,
      PointSpan from,
      long nanos,
      long orderKey,
      long order,
      int tie,
      EventState state) {
    row.timeNanos[0] = nanos;
    row.state[0] = EventState.VALUE_CODE;
    row.values[0] = state == EventState.DISCONNECTED ? 1 : 0;
    tracks[channel].offer(from, orderKey, order, tie, row, 0);
  }

  /** Completes the tracks after a window's events were delivered. */
  void settle() {
    for (HeldTrack track : tracks) {
      track.settle();
    }
  }

  /** Returns the approximate bytes of the events that matter for later points. */
  long bytes() {
    long bytes = 0;
    for (HeldTrack track : tracks) {
      bytes += track.bytes();
    }
    return bytes;
  }

  /** Returns whether a channel has no connection event. */
  boolean isEmpty(int channel) {
    return tracks[channel].isEmpty();
  }

  /**
   * Moves a channel to a point, and returns whether it is disconnected there.
   *
   * @param value the track of its values, which is at this point
   */
  boolean isDisconnected(int channel, long nanos, HeldTrack value) {
    HeldTrack track = tracks[channel];
    track.goTo(nanos);
    return track.isBehind(value) && track.bits() != 0;
  }
}
