package org.kblake.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogLayout;
import org.kblake.core.log.PairFormat;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.Block;
import org.kblake.core.store.Chunk;
import org.kblake.core.store.ChunkReader;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.PairImage;
import org.kblake.core.store.Patch;
import org.kblake.core.store.StoredSegment;

/**
 * Gives a block's log bytes back, segment after segment, as docs/store-format.md says. Rows of as
 * many segments as the memory holds are read at a time. Not thread safe.
 */
final class BlockReplay {

  private static final int OUTPUT_BYTES = 1 << 18;

  /** Where the bytes go. */
  interface Sink {
    /**
     * Takes some bytes of the log.
     *
     * @param bytes from position to limit, valid during the call
     */
    void bytes(StoredSegment segment, long offset, ByteBuffer bytes) throws IOException;

    /** The segment is complete. */
    void end(StoredSegment segment) throws IOException;
  }

  private final Block block;
  private final List<LogLayout> layouts;
  private final ArrivedRows rows;
  private final long windowRows;
  private final List<Series> series = new ArrayList<>();
  private final Map<Series, Integer> seriesNumbers = new HashMap<>();
  private final Map<Series, EventColumns> oneRows = new HashMap<>();
  private ByteBuffer output = ByteBuffer.allocate(OUTPUT_BYTES);

  private int stretch = -1;
  private @Nullable Recreation recreation;
  private int[] ordinalOfSeries = new int[0];

  /**
   * @param layouts the layouts that record tables may have
   * @param memory for rows
   */
  BlockReplay(Block block, List<LogLayout> layouts, RowMemory memory) {
    this.block = block;
    this.layouts = layouts;
    this.rows = new ArrivedRows(memory);
    this.windowRows = Math.max(1, memory.budgetBytes() / ArrivedRows.BYTES_PER_ROW);
  }

  /**
   * Replays the whole block.
   *
   * @throws CorruptBlockException if its files do not fit together
   */
  void run(Sink sink) throws IOException, InterruptedException {
    List<StoredSegment> segments = block.segments();
    List<PairImage> pairs = block.pairs();
    List<Chunk> chunks = block.chunks();
    for (Chunk chunk : chunks) {
      number(new Series(chunk.channel(), chunk.type(), chunk.waveform()));
    }
    try (Patch.Reader patch = block.patch();
        ChunkReader reader = new ChunkReader()) {
      int from = 0;
      while (from < segments.size()) {
        int to = from;
        long events = 0;
        while (to < segments.size()
            && (to == from || events + segments.get(to).events() <= windowRows)) {
          events += segments.get(to).events();
          to++;
        }
        load(reader, chunks, segments, from, to);
        ArrivedRows.Order order = rows.sort(to - from);
        for (int i = from; i < to; i++) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          StoredSegment segment = segments.get(i);
          begin(pairs, segment.stretch());
          replay(segment, arrange(order, i - from, segment), patch, sink);
        }
        rows.clear();
        from = to;
      }
      if (patch.peek() != null) {
        throw corrupt("a patch behind the last segment", "none");
      }
    } finally {
      rows.clear();
    }
  }

  private int number(Series of) {
    return seriesNumbers.computeIfAbsent(
        of,
        added -> {
          series.add(added);
          return series.size() - 1;
        });
  }

  private void load(
      ChunkReader reader, List<Chunk> chunks, List<StoredSegment> segments, int from, int to)
      throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (StoredSegment segment : segments.subList(from, to)) {
      first = Math.min(first, segment.firstNanos());
      last = Math.max(last, segment.lastNanos());
    }
    BitSet strays = new BitSet();
    strays.set(from, to);
    TimeRange range = first <= last ? new TimeRange(first, last + 1) : new TimeRange(0, 0);
    for (Chunk chunk : chunks) {
      Series of = new Series(chunk.channel(), chunk.type(), chunk.waveform());
      int number = number(of);
      EventColumns batch = new EventColumns(chunk.type(), chunk.waveform(), EventColumns.PAGE_ROWS);
      reader.open(block, chunk, range, from, to, strays);
      while (reader.next(batch)) {
        for (int row = 0; row < batch.count; row++) {
          add(batch, row, number, from);
        }
      }
    }
  }

  /** Sorted by segment; the row's own segment field says which series it is of. */
  private void add(EventColumns batch, int row, int number, int firstSegment) throws IOException {
    int segment = batch.segment[row] - firstSegment;
    boolean value = batch.state[row] == EventState.VALUE_CODE;
    boolean plain = !batch.waveform() && batch.type() != ValueType.STRING;
    long bits = 0;
    if (value) {
      bits = plain ? batch.values[row] : rows.addValue(segment, batch, row);
    }
    rows.add(
        segment,
        batch.timeNanos[row],
        bits,
        batch.state[row],
        batch.severity[row],
        Short.toUnsignedInt(batch.status[row]),
        batch.stray[row] != 0,
        number,
        batch.latenessNanos[row],
        batch.tie[row]);
  }

  /**
   * The rows of a segment in log order. An event's place is the number of events whose time +
   * lateness is less than its own, and its tie.
   */
  private int[] arrange(ArrivedRows.Order order, int sorted, StoredSegment segment)
      throws CorruptBlockException {
    int count = (int) rows.rows(sorted);
    if (count != segment.events()) {
      throw corrupt(
          count + " events in the segment at " + segment.startOffset(),
          segment.events() + " events");
    }
    long[] latest = new long[count];
    for (int i = 0; i < count; i++) {
      int row = order.row(sorted, i);
      latest[i] = rows.timeNanos(row) + rows.latenessNanos(row);
    }
    long[] ascending = latest.clone();
    Arrays.sort(ascending);
    int[] arranged = new int[count];
    Arrays.fill(arranged, -1);
    for (int i = 0; i < count; i++) {
      int row = order.row(sorted, i);
      long place = (long) firstOf(ascending, latest[i]) + rows.tie(row);
      if (place < 0 || place >= count || arranged[(int) place] >= 0) {
        throw corrupt(
            "two events at one place of the segment at " + segment.startOffset(),
            "a place for each");
      }
      arranged[(int) place] = row;
    }
    return arranged;
  }

  private static int firstOf(long[] ascending, long value) {
    int low = 0;
    int high = ascending.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void begin(List<PairImage> pairs, int wantedStretch) throws IOException {
    if (stretch == wantedStretch) {
      return;
    }
    Path file = block.directory();
    PairFormat format = PairFormat.decode(file, pairs.get(wantedStretch).indexHead(), layouts);
    ordinalOfSeries = new int[series.size()];
    for (int i = 0; i < ordinalOfSeries.length; i++) {
      int ordinal = format.records().ordinalOfName(series.get(i).channel());
      ordinalOfSeries[i] = ordinal;
      if (ordinal >= 0) {
        RecordEntry entry = format.records().entry(ordinal);
        Series of = series.get(i);
        if (entry.type() != of.type() || entry.waveform() != of.waveform()) {
          ordinalOfSeries[i] = -1;
        }
      }
    }
    recreation = new Recreation(format);
    stretch = wantedStretch;
  }

  private void replay(StoredSegment segment, int[] events, Patch.Reader patch, Sink sink)
      throws IOException {
    Recreation pair = recreation;
    if (pair == null) {
      throw new IllegalStateException("no pair was begun");
    }
    long position = segment.startOffset();
    int next = 0;
    while (position < segment.endOffset()) {
      boolean milestone = position == segment.startOffset();
      Patch piece = patch.peek();
      if (piece != null
          && !piece.overlay()
          && piece.stretch() == stretch
          && piece.offset() == position) {
        ByteBuffer bytes = ByteBuffer.wrap(piece.bytes()).order(pair.order());
        if (milestone) {
          pair.load(bytes.duplicate().order(pair.order()));
        }
        position = put(sink, segment, position, bytes);
        patch.advance();
      } else if (milestone) {
        ByteBuffer bytes = pair.milestone(segment.milestoneNanos());
        if (overlay(patch, position, bytes)) {
          pair.load(bytes.duplicate().order(pair.order()));
        }
        position = put(sink, segment, position, bytes);
      } else if (next < events.length) {
        int row = events[next++];
        int ordinal = ordinalOfSeries[rows.segment(row)];
        if (ordinal < 0) {
          throw corrupt(
              "events of " + series.get(rows.segment(row)), "a record of the pair's table");
        }
        ByteBuffer bytes = event(pair, row, ordinal);
        overlay(patch, position, bytes);
        pair.apply(ordinal, bytes);
        position = put(sink, segment, position, bytes);
      } else {
        throw corrupt("no more events at offset " + position, "bytes up to " + segment.endOffset());
      }
    }
    flush(sink, segment, position);
    if (position != segment.endOffset() || next != events.length) {
      throw corrupt(
          "segment ends at " + position + " with " + (events.length - next) + " events left",
          "an end at " + segment.endOffset());
    }
    sink.end(segment);
  }

  private ByteBuffer event(Recreation pair, int row, int ordinal) {
    Series of = series.get(rows.segment(row));
    if (!of.waveform() && of.type() != ValueType.STRING) {
      return pair.number(
          ordinal,
          rows.timeNanos(row),
          rows.state(row),
          rows.severity(row),
          rows.status(row),
          rows.bits(row));
    }
    EventColumns one =
        oneRows.computeIfAbsent(of, it -> new EventColumns(it.type(), it.waveform(), 1));
    rows.read(row, one);
    return pair.event(ordinal, one, 0);
  }

  private boolean overlay(Patch.Reader patch, long position, ByteBuffer bytes) throws IOException {
    boolean any = false;
    for (Patch piece = patch.peek();
        piece != null
            && piece.overlay()
            && piece.stretch() == stretch
            && piece.offset() >= position
            && piece.offset() + piece.bytes().length <= position + bytes.limit();
        piece = patch.peek()) {
      bytes.put((int) (piece.offset() - position), piece.bytes());
      patch.advance();
      any = true;
    }
    return any;
  }

  private long put(Sink sink, StoredSegment segment, long position, ByteBuffer bytes)
      throws IOException {
    int length = bytes.remaining();
    if (length > output.remaining()) {
      flush(sink, segment, position);
    }
    if (length > output.remaining()) {
      sink.bytes(segment, position, bytes);
    } else {
      output.put(bytes);
    }
    return position + length;
  }

  /**
   * @param position where the output's end is in the log
   */
  private void flush(Sink sink, StoredSegment segment, long position) throws IOException {
    output.flip();
    if (output.hasRemaining()) {
      sink.bytes(segment, position - output.remaining(), output);
    }
    output.clear();
  }

  private CorruptBlockException corrupt(String found, String expected) {
    return new CorruptBlockException(block.directory(), 0, found, expected);
  }
}
