package org.kblake.query.internal.grid;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.question.GridQuery;

/** The events that feeds deliver: the values that channels hold, and their connection events. */
public final class GridEvents {

  private final GridQuery query;
  private final List<ChannelTarget> channels;
  private final HeldTrack[] tracks;
  private final GridConnections connections = new GridConnections();

  /** The connection states; null if gaps have the held values. */
  private final @Nullable GridStates states;

  private @Nullable AnsweredTimes answered;

  /** The times that cannot be read, as far as this is known. */
  private List<CoverageSpan> missing = List.of();

  private final PointBlock block;

  /** The held value and its begin, by channel. */
  private final @Nullable EventColumns[] columns;

  private final int[] rows;
  private final long[] sinceNanos;
  private final boolean[] changed;
  private final boolean[] gaps;

  private long timesRead;
  private long valuesRead;

  /**
   * @param channels the channels, numbered from 0 in this order
   */
  GridEvents(GridQuery query, List<ChannelTarget> channels) {
    this.query = query;
    this.channels = List.copyOf(channels);
    tracks = new HeldTrack[channels.size()];
    states = query.nullInGaps() ? new GridStates(channels.size()) : null;
    block = new PointBlock(query, tracks, states);
    gaps = new boolean[channels.size()];
    columns = new EventColumns[channels.size()];
    rows = new int[channels.size()];
    sinceNanos = new long[channels.size()];
    changed = new boolean[channels.size()];
    for (int i = 0; i < tracks.length; i++) {
      tracks[i] = new HeldTrack();
    }
  }

  GridQuery query() {
    return query;
  }

  List<ChannelTarget> channels() {
    return channels;
  }

  /** Returns the number of channels. */
  public int size() {
    return channels.size();
  }

  HeldTrack track(int channel) {
    return tracks[channel];
  }

  public GridConnections connections() {
    return connections;
  }

  /** Returns the connection states; null if gaps have the held values. */
  @Nullable GridStates states() {
    return states;
  }

  /** Sets the times at which values are known, before the first point of a grid with gaps. */
  void answered(AnsweredTimes times) {
    answered = times;
  }

  /** Sets the times that cannot be read, after the events of a window were delivered. */
  void missing(List<CoverageSpan> spans) {
    missing = spans;
  }

  /** Counts events of which only the times were decoded, to select among them. */
  void addTimesRead(long more) {
    timesRead += more;
  }

  /** Returns the number of events whose times were decoded for the points so far. */
  public long timesRead() {
    return timesRead;
  }

  /** Counts events that were decoded with their values. */
  void addValuesRead(long more) {
    valuesRead += more;
  }

  /** Returns the number of events that were decoded with their values for the points so far. */
  public long valuesRead() {
    return valuesRead;
  }

  /** Returns the approximate bytes of the events that matter for later points. */
  long bytes() {
    long bytes = connections.bytes() + (states == null ? 0 : states.bytes());
    for (HeldTrack track : tracks) {
      bytes += track.bytes();
    }
    return bytes;
  }

  /** Completes the tracks after a window's events were delivered. */
  void settle() {
    for (HeldTrack track : tracks) {
      track.settle();
    }
    if (states != null) {
      states.settle();
    }
  }

  /**
   * Moves to the next point.
   *
   * @param lastPoint the last point for which all events were delivered
   * @param nanos the point's time
   * @param oldestNanos the earliest time of an event whose value is still known
   */
  void goTo(long point, long lastPoint, long nanos, long oldestNanos) {
    if (point > block.lastPoint()) {
      for (int channel = 0; channel < rows.length; channel++) {
        EventColumns held = columns[channel];
        if (held != null && rows[channel] >= rows.length) {
          rows[channel] = block.keep(held, rows[channel]);
        }
      }
      block.fill(point, lastPoint);
    }
    int row = block.row(point, 0);
    for (int channel = 0; channel < rows.length; channel++, row++) {
      boolean isOther = block.isOther(row);
      boolean wasKnown = columns[channel] != null;
      if (isOther) {
        EventColumns other = block.columns(row);
        columns[channel] = other;
        rows[channel] = block.isList(row) ? 0 : row;
        sinceNanos[channel] = other.timeNanos[rows[channel]];
      }
      boolean isKnown = (isOther || wasKnown) && sinceNanos[channel] >= oldestNanos;
      if (!isKnown) {
        columns[channel] = null;
      }
      changed[channel] = isKnown ? isOther : wasKnown;
    }
    AnsweredTimes times = answered;
    if (times != null) {
      times.goTo(nanos);
      goToGaps(times, point, isMissing(nanos));
    }
  }

  private void goToGaps(AnsweredTimes times, long point, boolean isMissing) {
    int row = block.row(point, 0);
    for (int channel = 0; channel < gaps.length; channel++, row++) {
      boolean wasGap = gaps[channel];
      gaps[channel] = isMissing || !times.has(channel) || block.isDisconnected(row);
      if (columns[channel] != null && gaps[channel] != wasGap) {
        changed[channel] = true;
      }
    }
  }

  private boolean isMissing(long nanos) {
    for (CoverageSpan span : missing) {
      if (span.range().contains(nanos)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the columns with the event that set a channel's value; null if no value is known, or
   * the point has no value because it is in a gap.
   */
  public @Nullable EventColumns columns(int channel) {
    return gaps[channel] ? null : columns[channel];
  }

  /** Returns whether a value is held at the point, which has none because it is in a gap. */
  public boolean isGap(int channel) {
    return gaps[channel] && columns[channel] != null;
  }

  /** Returns the time of the event that set the held value, also in a gap. */
  public long sinceNanos(int channel) {
    return sinceNanos[channel];
  }

  /** Returns the row of that event. */
  public int row(int channel) {
    return rows[channel];
  }

  /** Returns whether the event differs from that of the previous point, or is no longer known. */
  public boolean isChanged(int channel) {
    return changed[channel];
  }
}
