package org.kblake.query;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.store.EventColumns;
import org.kblake.query.arrow.ValueShape;

/** Where feeds bring events: what channels hold, and their connection events. */
final class GridEvents {

  private final List<ChannelTarget> channels;
  private final HeldTrack[] tracks;
  private final GridConnections connections = new GridConnections();

  /** By shape, for single numbers: the event that each channel holds, in its row. */
  private final Map<ValueShape, EventColumns> numbers = new TreeMap<>();

  private final @Nullable EventColumns[] columns;
  private final int[] rows;
  private final boolean[] changed;

  /** By the answer's index of a channel's name: the channel. */
  private final int[] channelOf;

  private long lookedAt;
  private long brought;

  /**
   * @param channels counted from 0 in this order
   * @param names how many names the answer has
   */
  GridEvents(List<ChannelTarget> channels, int names) {
    this.channels = List.copyOf(channels);
    tracks = new HeldTrack[channels.size()];
    columns = new EventColumns[channels.size()];
    rows = new int[channels.size()];
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

  GridConnections connections() {
    return connections;
  }

  /** Counts events of which just the times were looked at, to choose among them. */
  void addLookedAt(long more) {
    lookedAt += more;
  }

  /** Events whose times were looked at for the points so far. */
  long lookedAt() {
    return lookedAt;
  }

  /** Counts events that were decoded, with their values. */
  void addBrought(long more) {
    brought += more;
  }

  /** Events that were decoded, with their values, for the points so far. */
  long brought() {
    return brought;
  }

  /** About how many bytes the events take that matter for later points. */
  long bytes() {
    long bytes = 0;
    for (HeldTrack track : tracks) {
      bytes += track.bytes();
    }
    return bytes;
  }

  /**
   * Goes to a point, for which all events were brought.
   *
   * @param oldestNanos what is held since before this is not known any more
   */
  void goTo(long point, long oldestNanos) {
    for (int channel = 0; channel < tracks.length; channel++) {
      HeldTrack track = tracks[channel];
      boolean isOther = track.goTo(point);
      HeldEvent held = track.held();
      if (held == null || held.timeNanos() < oldestNanos) {
        changed[channel] = columns[channel] != null;
        columns[channel] = null;
      } else {
        changed[channel] = isOther;
        if (isOther) {
          show(channel, held);
        }
      }
    }
  }

  private void show(int channel, HeldEvent held) {
    EventColumns list = held.list();
    if (list != null) {
      columns[channel] = list;
      rows[channel] = 0;
      return;
    }
    ValueShape shape = held.shape();
    EventColumns all =
        numbers.computeIfAbsent(shape, any -> new EventColumns(shape.type(), false, tracks.length));
    all.count = tracks.length;
    held.copyTo(all, channel);
    columns[channel] = all;
    rows[channel] = channel;
  }

  /** The columns that hold the event which set a channel's value; null if none is known. */
  @Nullable EventColumns columns(int channel) {
    return columns[channel];
  }

  /** The row of that event. */
  int row(int channel) {
    return rows[channel];
  }

  /** Whether it is another event than at the point before, or none any more. */
  boolean isChanged(int channel) {
    return changed[channel];
  }
}
