package org.kblake.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private final ScatteredRows rows;
  private final long windowRows;
  private final List<Series> series = new ArrayList<>();
  private final Map<Series, Integer> seriesNumbers = new HashMap<>();
  private final Map<Series, EventColumns> oneRows = new HashMap<>();
  private final Map<Series, EventColumns> batches = new HashMap<>();
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
    this.rows = new ScatteredRows(memory);
    this.windowRows = Math.max(1, memory.budgetBytes() / ScatteredRows.BYTES_PER_ROW);
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
        LogOrder order = new LogOrder(rows, series.size());
        boolean more = order.next();
        for (int i = from; i < to; i++) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          StoredSegment segment = segments.get(i);
          begin(pairs, segment.stretch());
          more = replay(segment, i - from, order, more, patch, sink);
        }
        if (more) {
          throw corrupt("more events", "none behind the segment at " + lastStart(segments, to));
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
      EventColumns batch = batch(of);
      reader.open(block, chunk, range, from, to, strays);
      while (reader.next(batch)) {
        for (int row = 0; row < batch.count; row++) {
          add(batch, row, number, from);
        }
      }
    }
  }

  /** One for all chunks of a type. */
  private EventColumns batch(Series of) {
    return batches.computeIfAbsent(
        new Series("", of.type(), of.waveform()),
        it -> new EventColumns(it.type(), it.waveform(), EventColumns.PAGE_ROWS));
  }

  private void add(EventColumns batch, int row, int number, int firstSegment) throws IOException {
    boolean value = batch.state[row] == EventState.VALUE_CODE;
    boolean plain = !batch.waveform() && batch.type() != ValueType.STRING;
    long bits = 0;
    if (value) {
      bits = plain ? batch.values[row] : rows.addValue(number, batch, row);
    }
    rows.add(
        number,
        batch.timeNanos[row],
        bits,
        batch.state[row],
        batch.severity[row],
        Short.toUnsignedInt(batch.status[row]),
        batch.stray[row] != 0,
        batch.segment[row] - firstSegment,
        batch.latenessNanos[row],
        batch.tie[row]);
  }

  private static long lastStart(List<StoredSegment> segments, int to) {
    return segments.get(to - 1).startOffset();
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

  /**
   * @param number the segment's, as the rows have it
   * @param more whether the order stands on a row
   * @return whether it still does
   */
  private boolean replay(
      StoredSegment segment,
      int number,
      LogOrder order,
      boolean more,
      Patch.Reader patch,
      Sink sink)
      throws IOException {
    Recreation pair = recreation;
    if (pair == null) {
      throw new IllegalStateException("no pair was begun");
    }
    boolean hasRow = more;
    long position = segment.startOffset();
    long events = 0;
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
      } else if (hasRow && order.segment() == number) {
        if (!order.isInPlace()) {
          throw corrupt("two events at one place, at offset " + position, "a place for each");
        }
        int ordinal = ordinalOfSeries[order.series()];
        if (ordinal < 0) {
          throw corrupt("events of " + series.get(order.series()), "a record of the pair's table");
        }
        ByteBuffer bytes = event(pair, order, ordinal);
        overlay(patch, position, bytes);
        pair.apply(ordinal, bytes);
        position = put(sink, segment, position, bytes);
        events++;
        hasRow = order.next();
      } else {
        throw corrupt("no more events at offset " + position, "bytes up to " + segment.endOffset());
      }
    }
    flush(sink, segment, position);
    boolean left = hasRow && order.segment() <= number;
    if (position != segment.endOffset() || events != segment.events() || left) {
      throw corrupt(
          "segment ends at "
              + position
              + " behind "
              + events
              + " events"
              + (left ? " of more" : ""),
          "an end at " + segment.endOffset() + " behind " + segment.events());
    }
    sink.end(segment);
    return hasRow;
  }

  private ByteBuffer event(Recreation pair, LogOrder order, int ordinal) {
    Series of = series.get(order.series());
    ScatteredRows.Cursor row = order.row();
    if (!of.waveform() && of.type() != ValueType.STRING) {
      return pair.number(
          ordinal, row.timeNanos(), row.state(), row.severity(), row.status(), row.bits());
    }
    EventColumns one =
        oneRows.computeIfAbsent(
            new Series("", of.type(), of.waveform()),
            it -> new EventColumns(it.type(), it.waveform(), 1));
    row.copy(one);
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
