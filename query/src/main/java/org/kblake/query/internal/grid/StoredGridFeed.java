package org.kblake.query.internal.grid;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.SparseChunkReader;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.RecordClaim;
import org.kblake.query.question.GridQuery;

/**
 * Delivers segments of a block to a grid, chunk by chunk. It skips pages that cannot matter, and
 * most columns of events that do not matter.
 *
 * <p>A chunk is read backwards. When an event of a point was found, no earlier event in log order
 * is held at that point or later. So a page is read only if it may have an event of a point that
 * the later pages do not settle. If the points are more than a page of events apart, most pages are
 * skipped by their times in the chunk directory. If a page has events of many points, its times
 * show which of them are held, and only the values of these are decoded.
 */
final class StoredGridFeed implements GridFeed {

  /** The columns of an event's place in log order. */
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
  private final Map<ValueShape, EventColumns> buffers;
  private final RowIndices rows = new RowIndices();

  /** The times of the range's events. Other events of the chunks belong to other ranges. */
  private final TimeRange times;

  /** The earliest time of an event that counts at a point. */
  private final long oldestNanos;

  private final PointSpan point;
  private @Nullable List<Wanted> wanted;

  /** In the present chunk, values after this time are not held at points of the window. */
  private long untilNanos;

  /**
   * In the present chunk, the earliest time after the window of an event that may be held at a
   * later point.
   */
  private long nextNanos;

  /** The segment of the last order key. {@link #orderKeyOfSegment} is its key. */
  private int placedSegment = -1;

  private long orderKeyOfSegment;

  /** A chunk, and its channel. */
  private static final class Wanted {
    private final Chunk chunk;
    private final RecordName record;
    private final int channel;

    /** No undelivered value counts at a point before this time. */
    private long nextNanos = Long.MIN_VALUE;

    private Wanted(Chunk chunk, RecordName record, int channel) {
      this.chunk = chunk;
      this.record = record;
      this.channel = channel;
    }
  }

  /**
   * @param probe a reader that feeds share, one after the other; the caller closes it
   * @param buffers columns for decoding, by shape, which feeds share, one after the other
   */
  StoredGridFeed(
      PlannedRange planned,
      StoredRange readRange,
      GridEvents events,
      SparseChunkReader probe,
      Map<ValueShape, EventColumns> buffers)
      throws IOException {
    this.planned = planned;
    this.readRange = readRange;
    this.events = events;
    this.probe = probe;
    this.buffers = buffers;
    GridQuery query = events.query();
    point = new PointSpan(query);
    oldestNanos = query.oldestNanos(0);
    times = readRange.timesWithin(new TimeRange(oldestNanos, query.range().toNanos()));
  }

  @Override
  public PlannedRange planned() {
    return planned;
  }

  @Override
  public boolean deliver(GridWindow window) throws IOException {
    if (times.fromNanos() <= window.lastNanos()) {
      for (Wanted each : wanted()) {
        Chunk chunk = each.chunk;
        if (chunk.firstNanos() <= window.lastNanos() && chunk.lastNanos() > window.afterNanos()) {
          deliver(each, window);
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
      Map<String, List<RecordClaim>> byName = RecordClaim.byName(planned.channels());
      known = new ArrayList<>();
      for (Chunk chunk : readRange.block().chunks().find(byName.keySet())) {
        for (RecordClaim claim : byName.getOrDefault(chunk.channel(), List.of())) {
          if (claim.mayHave(times, chunk.firstNanos(), chunk.lastNanos())) {
            known.add(new Wanted(chunk, claim.record(), claim.channel()));
          }
        }
      }
      // Sorted by file position: neighbours share pages and dictionaries.
      known.sort(
          Comparator.comparingInt((Wanted each) -> each.chunk.rowGroup())
              .thenComparingInt(each -> each.chunk.firstRow()));
      wanted = known;
    }
    return known;
  }

  private void deliver(Wanted each, GridWindow window) throws IOException {
    Chunk chunk = each.chunk;
    boolean mayHaveConnections =
        chunk.firstNanos() <= window.lastStateNanos()
            && chunk.lastNanos() >= window.firstStateNanos();
    if (each.nextNanos > window.lastValueNanos() && !mayHaveConnections) {
      return;
    }
    probe.open(readRange.block().chunks(), chunk, readRange.fromSegment(), readRange.toSegment());
    boolean connections = mayHaveConnections && !probe.hasOnlyValues();
    untilNanos = Math.min(window.lastValueNanos(), EpochNanos.minus(each.record.untilNanos(), 1));
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
          connections && first <= window.lastStateNanos() && last >= window.firstStateNanos();
      if (values || changes) {
        probe.load(page);
        events.addTimesRead(probe.endRow() - probe.firstRow());
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

  /**
   * Notes an event after the window. It matters unless values after it in log order count earlier.
   */
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
          && nanos[row] >= window.firstStateNanos()
          && nanos[row] <= window.lastStateNanos()
          && each.record.has(nanos[row])) {
        rows.add(row);
      }
    }
    EventColumns columns = read(each, ORDER_KEY);
    GridStates states = events.states();
    for (int row = 0; row < columns.count; row++) {
      long at = columns.timeNanos[row];
      long orderKey = orderKey(columns, row);
      long order = at + columns.latenessNanos[row];
      int tie = columns.tie[row];
      if (states != null && at >= oldestNanos && at <= window.lastValueNanos()) {
        point.goTo(at);
        EventState state = EventState.of(columns.state[row]);
        states.offer(each.channel, point, at, orderKey, order, tie, state);
      }
      if (at >= window.firstConnectionNanos() && at <= window.lastConnectionNanos()) {
        events.connections().add(at, orderKey, order, tie, each.channel, columns.state[row]);
      }
    }
  }

  private void takeValues(Wanted each, GridWindow window) throws IOException {
    selectValues(each, window);
    HeldTrack track = events.track(each.channel);
    EventColumns columns = read(each, VALUES);
    events.addValuesRead(columns.count);
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

  /** Selects the rows of the page that are held at points of the window. */
  private void selectValues(Wanted each, GridWindow window) {
    long earliestNanos = Math.max(oldestNanos, each.record.fromNanos());
    long[] nanos = probe.nanos();
    rows.clear();
    for (int row = probe.endRow() - 1; row >= probe.firstRow(); row--) {
      if (nanos[row] > untilNanos) {
        noteLater(nanos[row], window);
      } else if (nanos[row] >= earliestNanos && probe.isValue(row)) {
        if (nanos[row] <= window.afterNanos()) {
          // This event was delivered in an earlier window, and is after all earlier rows.
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

  /** Decodes the selected rows. */
  private EventColumns read(Wanted each, Set<EventColumn> wantedColumns) throws IOException {
    EventColumns columns =
        buffers.computeIfAbsent(
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
