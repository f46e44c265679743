package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Chunk;
import org.kblake.core.store.ChunkProbe;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.parquet.EventColumn;
import org.kblake.core.store.parquet.Positions;
import org.kblake.query.Answer.PlannedLeg;
import org.kblake.query.arrow.ValueShape;

/**
 * Brings segments of a block to a grid, chunk by chunk, without those pages that cannot matter, and
 * without most columns of the others' events.
 *
 * <p>A chunk is gone through backwards. Once an event of a point was found, no event before it in
 * log order is held at that point or later. So a page is looked into only if it may have an event
 * of a point that is not settled by the pages behind it: with more than a page of events from point
 * to point, most pages are passed over by what the chunk directory says of them. Where a page has
 * events of many points, its times say which of them are held, and only their values are decoded.
 */
final class StoredGridFeed implements GridFeed {

  /** What tells where an event stands in log order. */
  private static final Set<EventColumn> PLACE =
      EnumSet.of(EventColumn.SEGMENT, EventColumn.LATENESS, EventColumn.TIE);

  private static final Set<EventColumn> VALUES =
      EnumSet.of(
          EventColumn.VALUE,
          EventColumn.SEVERITY,
          EventColumn.STATUS,
          EventColumn.SEGMENT,
          EventColumn.LATENESS,
          EventColumn.TIE);

  private final PlannedLeg planned;
  private final StoredLeg leg;
  private final GridQuery query;
  private final GridEvents events;
  private final ChunkProbe probe;
  private final Map<ValueShape, EventColumns> room;
  private final Positions rows = new Positions();

  /** Where the leg's events lie; other events of the chunks are not its own. */
  private final TimeRange times;

  /** Earlier events count at no point. */
  private final long oldestNanos;

  private @Nullable List<Wanted> wanted;

  /** A chunk, and whose it is. */
  private record Wanted(Chunk chunk, int channel) {}

  /**
   * @param probe for one feed after another; the caller closes it
   * @param room to decode into, by shape, for one feed after another
   */
  StoredGridFeed(
      PlannedLeg planned,
      StoredLeg leg,
      GridQuery query,
      GridEvents events,
      ChunkProbe probe,
      Map<ValueShape, EventColumns> room)
      throws IOException {
    this.planned = planned;
    this.leg = leg;
    this.query = query;
    this.events = events;
    this.probe = probe;
    this.room = room;
    oldestNanos = query.oldestNanos(0);
    times = leg.timesWithin(new TimeRange(oldestNanos, query.range().toNanos()));
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
    probe.open(leg.block(), chunk, leg.fromSegment(), leg.toSegment());
    boolean connections =
        !probe.hasOnlyValues()
            && chunk.firstNanos() <= window.lastConnectionNanos()
            && chunk.lastNanos() >= window.firstConnectionNanos();
    long settledFrom = Math.min(window.lastPoint() + 1, query.points());
    for (int page = probe.pages() - 1; page >= 0; page--) {
      long first = probe.pageFirstNanos(page);
      long last = probe.pageLastNanos(page);
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
        probe.look(page);
        events.addLookedAt(probe.endRow() - probe.firstRow());
      }
      if (changes) {
        takeConnections(each, window);
      }
      if (values) {
        settledFrom = takeValues(each, window, settledFrom);
      }
    }
  }

  private void takeConnections(Wanted each, GridWindow window) throws IOException {
    long[] nanos = probe.nanos();
    rows.clear();
    for (int row = probe.firstRow(); row < probe.endRow(); row++) {
      if (probe.isConnection(row)
          && nanos[row] >= window.firstConnectionNanos()
          && nanos[row] <= window.lastConnectionNanos()) {
        rows.add(row);
      }
    }
    EventColumns columns = read(each, PLACE);
    for (int row = 0; row < columns.count; row++) {
      events
          .connections()
          .add(
              columns.timeNanos[row],
              place(columns, row),
              columns.timeNanos[row] + columns.latenessNanos[row],
              columns.tie[row],
              each.channel(),
              columns.state[row]);
    }
  }

  /**
   * @param settledFrom the first point that is settled
   * @return the first point that is settled now
   */
  private long takeValues(Wanted each, GridWindow window, long settledFrom) throws IOException {
    long[] nanos = probe.nanos();
    long settled = settledFrom;
    long untilNanos = window.lastNanosBefore(settled);
    rows.clear();
    for (int row = probe.endRow() - 1; row >= probe.firstRow(); row--) {
      if (nanos[row] <= untilNanos && nanos[row] >= oldestNanos && probe.isValue(row)) {
        settled = window.pointOf(nanos[row]);
        untilNanos = window.lastNanosBefore(settled);
        if (settled < window.firstPoint()) {
          // known since an earlier window, and behind all before it
          break;
        }
        rows.add(row);
      }
    }
    rows.reverse();
    HeldTrack track = events.track(each.channel());
    EventColumns columns = read(each, VALUES);
    events.addBrought(columns.count);
    for (int row = 0; row < columns.count; row++) {
      track.offer(
          window.pointOf(columns.timeNanos[row]),
          place(columns, row),
          columns.timeNanos[row] + columns.latenessNanos[row],
          columns.tie[row],
          columns,
          row);
    }
    return Math.max(settled, window.firstPoint());
  }

  /** Decodes the chosen rows. */
  private EventColumns read(Wanted each, Set<EventColumn> wantedColumns) throws IOException {
    EventColumns columns =
        room.computeIfAbsent(
            new ValueShape(each.chunk().type(), each.chunk().waveform()),
            shape -> new EventColumns(shape.type(), shape.waveform(), 0));
    columns.count = 0;
    if (rows.count() > 0) {
      probe.read(rows, wantedColumns, columns);
    }
    return columns;
  }

  private long place(EventColumns columns, int row) throws IOException {
    return leg.pair().place(leg.block().segment(columns.segment[row]).startOffset());
  }

  @Override
  public void close() {
    wanted = null;
  }
}
