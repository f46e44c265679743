package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.model.TimeRange;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.StoredSource.BlockRead;
import org.kblake.query.internal.source.StoredSource.Wanted;

/**
 * The events of many channels of a block in log order. The memory does not grow with the block or
 * the number of channels.
 *
 * <p>A page for each of thousands of channels would take gigabytes. So the segments are read in
 * windows. A window has as many segments as are likely to fit into the budget, and at least one.
 * All its rows are gathered and merged. A page that two windows share is decoded twice. Large
 * chunks, mostly of waveforms, are not gathered: each has its own reader that decodes it page by
 * page.
 */
final class MergedChunks extends OrderedRows {

  private static final long MIN_BYTES = 1L << 18;
  private static final long MAX_BYTES = 64L << 20;

  /** The limit of this group. */
  private final long budgetBytes;

  private final BlockRead request;
  private final List<Wanted> wanted;
  private final Set<Wanted> streamed = new HashSet<>();

  /** The segments of the request. */
  private final List<StoredSegment> segments;

  private final Map<ValueShape, EventColumns> gathered = new TreeMap<>();
  private final Map<ValueShape, EventColumns> scratch = new TreeMap<>();
  private final ChunkReader gatherer = ChunkReader.ofNeighbours(EnumSet.allOf(EventColumn.class));
  private final double bytesPerEvent;

  private @Nullable RowMerge<ChunkCursor> merge;
  private int nextSegment;

  MergedChunks(BlockRead request, List<Wanted> wanted) throws IOException {
    this.request = request;
    this.wanted = new ArrayList<>(wanted);
    // Sorted by file position, so that neighbours are read one after the other.
    this.wanted.sort(
        Comparator.comparingInt((Wanted each) -> each.chunk().rowGroup())
            .thenComparingInt(each -> each.chunk().firstRow()));
    segments = request.block().segments(request.fromSegment(), request.toSegment());
    nextSegment = request.fromSegment();
    budgetBytes = budgetBytes(Runtime.getRuntime().maxMemory(), request.groups());
    double share = share();
    // A streamed chunk has two open files, and a page of each column.
    wanted.stream()
        .filter(each -> each.bytes() * share * 8 > budgetBytes)
        .sorted(Comparator.comparingLong(Wanted::bytes).reversed())
        .limit(Math.min(128, budgetBytes >> 19))
        .forEach(streamed::add);
    long bytes = 0;
    for (Wanted each : wanted) {
      bytes += streamed.contains(each) ? 0 : each.bytes();
    }
    bytesPerEvent = (double) bytes / Math.max(1, request.block().summary().events());
  }

  /**
   * Returns the limit of a group's decoded rows in memory. Growing arrays need more than twice as
   * much for a short time. Groups that are read at the same time share twice the limit of one.
   */
  static long budgetBytes(long heapBytes, int groups) {
    long alone = Math.min(MAX_BYTES, heapBytes / 10);
    return Math.max(MIN_BYTES, Math.min(alone, 2 * alone / groups));
  }

  private double share() {
    long events = 0;
    for (StoredSegment segment : segments) {
      events += segment.events();
    }
    return (double) events / Math.max(1, request.block().summary().events());
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      RowMerge<ChunkCursor> window = merge;
      if (window != null) {
        ChunkCursor cursor = window.next();
        if (cursor != null) {
          return moveTo(
              cursor.columns(), cursor.row(), window.to(), cursor.channel(), request.group());
        }
        window.close();
        merge = null;
      }
      if (nextSegment == request.toSegment()) {
        return false;
      }
      int from = nextSegment;
      nextSegment = endOfWindow(from);
      merge = openWindow(from, nextSegment);
    }
  }

  private int endOfWindow(int from) {
    double bytes = 0;
    int end = from;
    while (end < request.toSegment() && (end == from || bytes <= budgetBytes)) {
      bytes += segments.get(end - request.fromSegment()).events() * bytesPerEvent;
      end++;
    }
    return bytes > budgetBytes && end > from + 1 ? end - 1 : end;
  }

  private RowMerge<ChunkCursor> openWindow(int from, int to) throws IOException {
    TimeRange times = StoredRange.timesWithin(request.range(), request.block(), from, to);
    for (EventColumns columns : gathered.values()) {
      columns.count = 0;
    }
    List<ChunkCursor> cursors = new ArrayList<>();
    try {
      for (Wanted each : wanted) {
        Chunk chunk = each.chunk();
        if (request.wanted().strays()
            || each.claim().mayHave(times, chunk.firstNanos(), chunk.lastNanos())) {
          if (streamed.contains(each)) {
            cursors.add(stream(each, times, from, to));
          } else {
            gather(each, times, from, to, cursors);
          }
        }
      }
      return new RowMerge<>(cursors);
    } catch (Throwable e) {
      FirstFailure.close(e, cursors.toArray(ChunkCursor[]::new));
      throw e;
    }
  }

  private ChunkCursor stream(Wanted each, TimeRange times, int from, int to) throws IOException {
    ChunkReader reader = new ChunkReader();
    Chunk chunk = each.chunk();
    try {
      TimeRange claimed = each.claim().within(times);
      reader.open(request.block().chunks(), chunk, claimed, from, to, request.straysOf(each));
      return ChunkCursor.streaming(
          new EventColumns(chunk.type(), chunk.waveform(), EventColumns.PAGE_ROWS),
          each.channel(),
          reader);
    } catch (Throwable e) {
      FirstFailure.close(e, reader);
      throw e;
    }
  }

  private void gather(Wanted each, TimeRange times, int from, int to, List<ChunkCursor> cursors)
      throws IOException {
    ValueShape shape = new ValueShape(each.chunk().type(), each.chunk().waveform());
    // Of hundreds of groups, most gather few rows.
    EventColumns into = gathered.computeIfAbsent(shape, of -> columns(of, 0));
    EventColumns page = scratch.computeIfAbsent(shape, of -> columns(of, EventColumns.PAGE_ROWS));
    int first = into.count;
    TimeRange claimed = each.claim().within(times);
    gatherer.open(
        request.block().chunks(), each.chunk(), claimed, from, to, request.straysOf(each));
    while (gatherer.next(page)) {
      into.append(page, 0, page.count);
    }
    if (into.count > first) {
      cursors.add(ChunkCursor.over(into, first, into.count, each.channel()));
    }
  }

  private static EventColumns columns(ValueShape shape, int rows) {
    return new EventColumns(shape.type(), shape.waveform(), rows);
  }

  @Override
  public long orderKey(int row) throws IOException {
    return request.orderKey(columns().segment[row]);
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(merge, gatherer);
  }
}
