package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Chunk;
import org.kblake.core.store.ChunkReader;
import org.kblake.core.store.EventColumns;
import org.kblake.query.Answer.PlannedLeg;
import org.kblake.query.arrow.ValueShape;

/**
 * Brings segments of a block to a grid, chunk by chunk, without those pages that cannot matter.
 *
 * <p>A chunk is gone through backwards. Once an event of a point was found, no event before it in
 * log order is held at that point or later. So a page is decoded only if it may have an event of a
 * point that is not settled by the pages behind it: with more than a page of events from point to
 * point, most pages are passed over by what the chunk directory says of them.
 */
final class StoredGridFeed implements GridFeed {

  private final PlannedLeg planned;
  private final StoredLeg leg;
  private final GridQuery query;
  private final GridEvents events;
  private final ChunkReader reader;
  private final Map<ValueShape, EventColumns> pages;

  /** Where the leg's events lie; other events of the chunks are not its own. */
  private final TimeRange times;

  private @Nullable List<Wanted> wanted;

  /** A chunk, and whose it is. */
  private record Wanted(Chunk chunk, int channel) {}

  /**
   * @param reader for one feed after another; the caller closes it
   * @param pages room to decode into, by shape, for one feed after another
   */
  StoredGridFeed(
      PlannedLeg planned,
      StoredLeg leg,
      GridQuery query,
      GridEvents events,
      ChunkReader reader,
      Map<ValueShape, EventColumns> pages)
      throws IOException {
    this.planned = planned;
    this.leg = leg;
    this.query = query;
    this.events = events;
    this.reader = reader;
    this.pages = pages;
    times = leg.timesWithin(new TimeRange(Long.MIN_VALUE, query.range().toNanos()));
  }

  @Override
  public PlannedLeg planned() {
    return planned;
  }

  @Override
  public boolean bring(GridWindow window) throws IOException {
    if (times.fromNanos() <= window.lastNanos()) {
      for (Wanted each : wanted()) {
        Chunk chunk = each.chunk();
        if (chunk.firstNanos() <= window.lastNanos() && isWithin(chunk.lastNanos(), window)) {
          bring(each, window);
        }
      }
    }
    boolean more = times.meets(EpochNanos.plus(window.lastNanos(), 1), Long.MAX_VALUE);
    if (!more) {
      wanted = null;
    }
    return more;
  }

  /** Whether events up to a time may count at the window's points and not before. */
  private static boolean isWithin(long nanos, GridWindow window) {
    return window.pointOf(nanos) >= window.firstPoint();
  }

  private List<Wanted> wanted() throws IOException {
    List<Wanted> known = wanted;
    if (known == null) {
      Map<String, ChannelTarget> byName = new HashMap<>();
      planned.channels().forEach(channel -> byName.put(channel.name(), channel));
      known = new ArrayList<>();
      for (Chunk chunk : StoredSource.chunks(leg.block(), byName)) {
        ChannelTarget channel = byName.get(chunk.channel());
        if (channel != null && times.meets(chunk.firstNanos(), chunk.lastNanos())) {
          known.add(new Wanted(chunk, events.channelOf(channel.index())));
        }
      }
      wanted = known;
    }
    return known;
  }

  private void bring(Wanted each, GridWindow window) throws IOException {
    Chunk chunk = each.chunk();
    reader.open(leg.block(), chunk, times, leg.fromSegment(), leg.toSegment(), null);
    boolean connections =
        !reader.hasOnlyValues()
            && chunk.firstNanos() <= window.lastConnectionNanos()
            && chunk.lastNanos() >= window.firstConnectionNanos();
    long settledFrom = Math.min(window.lastPoint() + 1, query.points());
    for (int page = reader.pages() - 1; page >= 0; page--) {
      long first = reader.pageFirstNanos(page);
      long last = reader.pageLastNanos(page);
      if (!times.meets(first, last)) {
        continue;
      }
      boolean values =
          isWithin(last, window)
              && Math.max(window.pointOf(first), window.firstPoint()) < settledFrom;
      boolean changes =
          connections
              && first <= window.lastConnectionNanos()
              && last >= window.firstConnectionNanos();
      if (values || changes) {
        EventColumns columns =
            pages.computeIfAbsent(
                new ValueShape(chunk.type(), chunk.waveform()),
                shape -> new EventColumns(shape.type(), shape.waveform(), 0));
        reader.readPage(page, columns);
        events.addBrought(columns.count);
        if (changes) {
          takeConnections(columns, each.channel(), window);
        }
        settledFrom = takeValues(columns, each.channel(), window, settledFrom);
      }
    }
  }

  private void takeConnections(EventColumns columns, int channel, GridWindow window)
      throws IOException {
    for (int row = 0; row < columns.count; row++) {
      long nanos = columns.timeNanos[row];
      if (columns.state[row] != EventState.VALUE_CODE
          && nanos >= window.firstConnectionNanos()
          && nanos <= window.lastConnectionNanos()) {
        events
            .connections()
            .add(
                nanos,
                place(columns, row),
                nanos + columns.latenessNanos[row],
                columns.tie[row],
                channel,
                columns.state[row]);
      }
    }
  }

  /**
   * @param settledFrom the first point that is settled
   * @return the first point that is settled now
   */
  private long takeValues(EventColumns columns, int channel, GridWindow window, long settledFrom)
      throws IOException {
    HeldTrack track = events.track(channel);
    long settled = settledFrom;
    long untilNanos = window.lastNanosBefore(settled);
    for (int row = columns.count - 1; row >= 0; row--) {
      if (columns.timeNanos[row] <= untilNanos && columns.state[row] == EventState.VALUE_CODE) {
        long point = window.pointOf(columns.timeNanos[row]);
        if (point < window.firstPoint()) {
          // known since an earlier window, and behind all before it
          return window.firstPoint();
        }
        if (point < settled) {
          settled = point;
          untilNanos = window.lastNanosBefore(settled);
          track.offer(
              point,
              place(columns, row),
              columns.timeNanos[row] + columns.latenessNanos[row],
              columns.tie[row],
              columns,
              row);
        }
      }
    }
    return settled;
  }

  private long place(EventColumns columns, int row) throws IOException {
    return leg.pair().place(leg.block().segments().get(columns.segment[row]).startOffset());
  }

  @Override
  public void close() {
    wanted = null;
  }
}
