package org.kblake.query.internal.grid;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.SparseChunkReader;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.StoredSource;
import org.kblake.query.question.GridQuery;

/**
 * Brings segments of a block to a grid, chunk by chunk, without those pages that cannot matter, and
 * without most columns of the others' events.
 *
 * <p>A chunk is read backwards. Once an event of a point was found, no event before it in log order
 * is held at that point or later. So a page is looked into only if it may have an event of a point
 * that is not settled by the pages behind it: with more than a page of events from point to point,
 * most pages are skipped by what the chunk directory says of them. Where a page has events of many
 * points, its times say which of them are held, and only their values are decoded.
 */
final class StoredGridFeed implements GridFeed {

  /** What tells where an event stands in log order. */
  private static final Set<EventColumn> ORDER_KEY =
      EnumSet.of(EventColumn.SEGMENT, EventColumn.LATENESS, EventColumn.TIE);

  private static final Set<EventColumn> VALUES =
      EnumSet.of(
          EventColumn.VALUE,
          EventColumn.SEVERITY,
          EventColumn.STATUS,
          EventColumn.SEGMENT,
          EventColumn.LATENESS,
          EventColumn.TIE);

  private final PlannedRange planned;
  private final StoredRange readRange;
  private final GridEvents events;
  private final SparseChunkReader probe;
  private final Map<ValueShape, EventColumns> room;
  private final RowIndices rows = new RowIndices();

  /** Where the range's events lie; other events of the chunks are not its own. */
  private final TimeRange times;

  /** Earlier events count at no point. */
  private final long oldestNanos;

  private final PointSpan point;
  private @Nullable List<Wanted> wanted;

  /** Of the present chunk: later values are not held at points of the window. */
  private long untilNanos;

  /** Of the same: the earliest time behind the window of what may be held at a later point. */
  private long nextNanos;

  /** The segment that was placed last, and where it stands in log order. */
  private int placedSegment = -1;

  private long orderKeyOfSegment;

  /** A chunk, and whose it is. */
  private static final class Wanted {
    private final Chunk chunk;
    private final int channel;

    /** No value that was not brought yet counts at a point before this time. */
    private long nextNanos = Long.MIN_VALUE;

    private Wanted(Chunk chunk, int channel) {
      this.chunk = chunk;
      this.channel = channel;
    }
  }

  /**
   * @param probe for one feed after another; the caller closes it
   * @param room to decode into, by shape, for one feed after another
   */
  StoredGridFeed(
      PlannedRange planned,
      StoredRange readRange,
      GridQuery query,
      GridEvents events,
      SparseChunkReader probe,
      Map<ValueShape, EventColumns> room)
      throws IOException {
    this.planned = planned;
    this.readRange = readRange;
    this.events = events;
    this.probe = probe;
    this.room = room;
    point = new PointSpan(query);
    oldestNanos = query.oldestNanos(0);
    times = readRange.timesWithin(new TimeRange(oldestNanos, query.range().toNanos()));
  }

  @Override
  public PlannedRange planned() {
    return planned;
  }

  @Override
  public boolean bring(GridWindow window) throws IOException {
    if (times.fromNanos() <= window.lastNanos()) {
      for (Wanted each : wanted()) {
        Chunk chunk = each.chunk;
        if (chunk.firstNanos() <= window.lastNanos() && chunk.lastNanos() > window.afterNanos()) {
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

  private List<Wanted> wanted() throws IOException {
    List<Wanted> known = wanted;
    if (known == null) {
      Map<String, ChannelTarget> byName = new HashMap<>();
      planned.channels().forEach(channel -> byName.put(channel.name(), channel));
      known = new ArrayList<>();
      for (Chunk chunk : StoredSource.chunks(readRange.block(), byName)) {
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
    Chunk chunk = each.chunk;
    boolean mayHaveConnections =
        chunk.firstNanos() <= window.lastConnectionNanos()
            && chunk.lastNanos() >= window.firstConnectionNanos();
    if (each.nextNanos > window.lastValueNanos() && !mayHaveConnections) {
      return;
    }
    probe.open(readRange.block().chunks(), chunk, readRange.fromSegment(), readRange.toSegment());
    boolean connections = mayHaveConnections && !probe.hasOnlyValues();
    untilNanos = window.lastValueNanos();
    nextNanos = Long.MAX_VALUE;
    for (int page = probe.pages() - 1; page >= 0; page--) {
      long first = probe.pageFirstNanos(page);
      long last = probe.pageLastNanos(page);
      if (!times.meets(first, last)) {
        continue;
      }
      if (first > untilNanos) {
        noteLater(first, window);
      }
      boolean values =
          untilNanos > window.afterNanos() && first <= untilNanos && last > window.afterNanos();
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
        takeValues(each, window);
      }
    }
    each.nextNanos = nextNanos;
  }

  /** What is behind the window matters unless values behind it in log order count earlier. */
  private void noteLater(long nanos, GridWindow window) {
    if (untilNanos == window.lastValueNanos()) {
      nextNanos = Math.min(nextNanos, nanos);
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
    EventColumns columns = read(each, ORDER_KEY);
    for (int row = 0; row < columns.count; row++) {
      events
          .connections()
          .add(
              columns.timeNanos[row],
              orderKey(columns, row),
              columns.timeNanos[row] + columns.latenessNanos[row],
              columns.tie[row],
              each.channel,
              columns.state[row]);
    }
  }

  private void takeValues(Wanted each, GridWindow window) throws IOException {
    chooseValues(window);
    HeldTrack track = events.track(each.channel);
    EventColumns columns = read(each, VALUES);
    events.addBrought(columns.count);
    track.reserve(columns.count);
    for (int row = 0; row < columns.count; row++) {
      point.goTo(columns.timeNanos[row]);
      track.offer(
          point,
          orderKey(columns, row),
          columns.timeNanos[row] + columns.latenessNanos[row],
          columns.tie[row],
          columns,
          row);
    }
  }

  /** Chooses the rows of the page that are held at points of the window. */
  private void chooseValues(GridWindow window) {
    long[] nanos = probe.nanos();
    rows.clear();
    for (int row = probe.endRow() - 1; row >= probe.firstRow(); row--) {
      if (nanos[row] > untilNanos) {
        noteLater(nanos[row], window);
      } else if (nanos[row] >= oldestNanos && probe.isValue(row)) {
        if (nanos[row] <= window.afterNanos()) {
          // known since an earlier window, and behind all before it
          untilNanos = window.afterNanos();
          break;
        }
        rows.add(row);
        point.goTo(nanos[row]);
        untilNanos = point.afterNanos();
      }
    }
    rows.reverse();
  }

  /** Decodes the chosen rows. */
  private EventColumns read(Wanted each, Set<EventColumn> wantedColumns) throws IOException {
    EventColumns columns =
        room.computeIfAbsent(
            new ValueShape(each.chunk.type(), each.chunk.waveform()),
            shape -> new EventColumns(shape.type(), shape.waveform(), 0));
    columns.count = 0;
    if (rows.count() > 0) {
      probe.read(rows, wantedColumns, columns);
    }
    return columns;
  }

  private long orderKey(EventColumns columns, int row) throws IOException {
    int segment = columns.segment[row];
    if (segment != placedSegment) {
      orderKeyOfSegment =
          readRange.pair().orderKey(readRange.block().segment(segment).startOffset());
      placedSegment = segment;
    }
    return orderKeyOfSegment;
  }

  @Override
  public void close() {
    wanted = null;
  }
}
