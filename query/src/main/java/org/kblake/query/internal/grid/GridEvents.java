package org.kblake.query.internal.grid;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.question.GridQuery;

/** Where feeds bring events: what channels hold, and their connection events. */
public final class GridEvents {

  private final List<ChannelTarget> channels;
  private final HeldTrack[] tracks;
  private final GridConnections connections = new GridConnections();

  private final PointBlock block;

  /** By channel: what is held, and since when. */
  private final @Nullable EventColumns[] columns;

  private final int[] rows;
  private final long[] sinceNanos;
  private final boolean[] changed;

  /** By the answer's index of a channel's name: the channel. */
  private final int[] channelOf;

  private long lookedAt;
  private long brought;

  /**
   * @param channels counted from 0 in this order
   * @param names how many names the answer has
   */
  GridEvents(GridQuery query, List<ChannelTarget> channels, int names) {
    this.channels = List.copyOf(channels);
    tracks = new HeldTrack[channels.size()];
    block = new PointBlock(query, tracks);
    columns = new EventColumns[channels.size()];
    rows = new int[channels.size()];
    sinceNanos = new long[channels.size()];
    changed = new boolean[channels.size()];
    channelOf = new int[names];
    for (int i = 0; i < tracks.length; i++) {
      tracks[i] = new HeldTrack();
      channelOf[channels.get(i).index()] = i;
    }
  }

  List<ChannelTarget> channels() {
    return channels;
  }

  /** The channel of a name. */
  int channelOf(int name) {
    return channelOf[name];
  }

  HeldTrack track(int channel) {
    return tracks[channel];
  }

  public GridConnections connections() {
    return connections;
  }

  /** Counts events of which just the times were looked at, to choose among them. */
  void addLookedAt(long more) {
    lookedAt += more;
  }

  /** Events whose times were looked at for the points so far. */
  public long lookedAt() {
    return lookedAt;
  }

  /** Counts events that were decoded, with their values. */
  void addBrought(long more) {
    brought += more;
  }

  /** Events that were decoded, with their values, for the points so far. */
  public long brought() {
    return brought;
  }

  /** About how many bytes the events take that matter for later points. */
  long bytes() {
    long bytes = connections.bytes();
    for (HeldTrack track : tracks) {
      bytes += track.bytes();
    }
    return bytes;
  }

  /** Takes notice of what was brought. */
  void settle() {
    for (HeldTrack track : tracks) {
      track.settle();
    }
  }

  /**
   * Goes to the next point.
   *
   * @param lastPoint up to which all events were brought
   * @param oldestNanos what is held since before this is not known any more
   */
  void goTo(long point, long lastPoint, long oldestNanos) {
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
  }

  /** The columns that hold the event which set a channel's value; null if none is known. */
  public @Nullable EventColumns columns(int channel) {
    return columns[channel];
  }

  /** The row of that event. */
  public int row(int channel) {
    return rows[channel];
  }

  /** Whether it is another event than at the point before, or none any more. */
  public boolean isChanged(int channel) {
    return changed[channel];
  }
}
