package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.Patch;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.ChunkRun;
import org.kblake.ingest.internal.rows.LogOrder;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowCursor;
import org.kblake.ingest.internal.rows.RowMemory;
import org.kblake.ingest.internal.rows.RowSource;
import org.kblake.ingest.internal.rows.ScatteredRows;
import org.kblake.ingest.internal.rows.Series;

/**
 * Encodes the bytes of the log from a block, segment after segment, as docs/store-format.md
 * describes, and compares the SHA-256 of each segment with that of the log. It reads the rows of
 * several segments at a time, as many as fit into memory. Not thread safe.
 */
public final class BlockReplay {

  private static final int OUTPUT_BYTES = 1 << 18;

  /** Receives the bytes. */
  public interface Sink {
    /**
     * Receives some bytes of the log.
     *
     * @param bytes from position to limit, valid during the call
     */
    default void bytes(StoredSegment segment, long offset, ByteBuffer bytes) throws IOException {}

    /** Ends a segment, whose bytes are complete and have the SHA-256 of the log. */
    default void end(StoredSegment segment) {}

    /** Ends a segment, whose bytes are complete but have another SHA-256 than the log's. */
    default void differs(StoredSegment segment, CorruptBlockException difference)
        throws CorruptBlockException {
      throw difference;
    }
  }

  /** Receives the parts that the bytes are made of. */
  public interface Observer {
    /** Ignores all parts. */
    Observer NONE =
        new Observer() {
          @Override
          public void window(List<Series> series, RowSource rows) {}

          @Override
          public void milestone(
              StoredSegment segment, LogEncoder pair, ByteBuffer bytes, List<Patch> pieces) {}

          @Override
          public void event(int ordinal, ByteBuffer bytes) {}

          @Override
          public void piece(Patch piece) {}
        };

    /** Receives the rows of the next segments. */
    void window(List<Series> series, RowSource rows);

    /**
     * Receives the begin of a segment: its milestone, or the bytes in place of it.
     *
     * @param pair has the state of all records, this milestone included
     * @param bytes the bytes from 0 to the limit, valid during the call, in the pair's byte order
     * @param pieces the pieces of the patch that changed these bytes
     */
    void milestone(StoredSegment segment, LogEncoder pair, ByteBuffer bytes, List<Patch> pieces)
        throws IOException;

    /** Receives an event as in the log, from 0 to the limit, valid during the call. */
    void event(int ordinal, ByteBuffer bytes);

    /** Receives a piece of the patch that does not belong to the begin of a segment. */
    void piece(Patch piece) throws IOException;
  }

  private final Block block;
  private final List<LogLayout> layouts;
  private final ScatteredRows rows;
  private final ReaderPool readers;
  private final Observer observer;
  private final long windowBytes;
  private final List<Series> series = new ArrayList<>();
  private final Map<Series, Integer> seriesNumbers = new HashMap<>();
  private final Map<Series, EventColumns> oneRows = new HashMap<>();
  private final Map<Series, EventColumns> batches = new HashMap<>();
  private final List<Patch> pieces = new ArrayList<>();
  private final MessageDigest sha256 = BlockRecorder.newSha256();
  private boolean hasLongValues;
  private ByteBuffer output = ByteBuffer.allocate(OUTPUT_BYTES);

  private int stretch = -1;
  private @Nullable LogEncoder encoder;
  private int[] ordinalOfSeries = new int[0];

  /**
   * @param layouts the layouts that record tables may have
   * @param memory the memory for rows
   * @param readers the readers of chunks
   */
  public BlockReplay(Block block, List<LogLayout> layouts, RowMemory memory, ReaderPool readers) {
    this(block, layouts, memory, readers, Observer.NONE);
  }

  /**
   * @param layouts the layouts that record tables may have
   * @param memory the memory for rows
   * @param readers the readers of chunks
   */
  public BlockReplay(
      Block block,
      List<LogLayout> layouts,
      RowMemory memory,
      ReaderPool readers,
      Observer observer) {
    this.block = block;
    this.layouts = layouts;
    this.rows = new ScatteredRows(memory);
    this.readers = readers;
    this.observer = observer;
    this.windowBytes = memory.budgetBytes();
  }

  /**
   * Replays the whole block.
   *
   * @throws CorruptBlockException if its files contradict each other
   */
  public void run(Sink sink) throws IOException, InterruptedException {
    List<StoredSegment> segments = block.segments();
    List<PairImage> pairs = block.pairs();
    List<ChunkRun> runs = runs(block.chunks().all());
    ChunkReader reader = readers.take();
    try (Patch.Reader patch = block.patch()) {
      int from = 0;
      while (from < segments.size()) {
        int to = from;
        long bytes = 0;
        while (to < segments.size()
            && (to == from || bytes + rowBytes(segments.get(to)) <= windowBytes)) {
          bytes += rowBytes(segments.get(to));
          to++;
        }
        load(reader, runs, segments, from, to);
        observer.window(series, rows);
        LogOrder order = new LogOrder(rows, series.size());
        boolean more = order.next();
        for (int i = from; i < to; i++) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          StoredSegment segment = segments.get(i);
          begin(pairs, segment.span());
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
      readers.giveBack(reader);
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

  /** Returns the chunks in file order. Chunks that share pages are in one run. */
  private List<ChunkRun> runs(List<Chunk> chunks) {
    List<Chunk> inFileOrder = new ArrayList<>(chunks);
    inFileOrder.sort(Comparator.comparingInt(Chunk::rowGroup).thenComparingInt(Chunk::firstRow));
    List<ChunkRun> runs = new ArrayList<>();
    for (Chunk chunk : inFileOrder) {
      int number = number(new Series(chunk.channel(), chunk.type(), chunk.waveform()));
      ChunkRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last != null && last.reaches(chunk)) {
        last.add(chunk, number);
      } else {
        runs.add(new ChunkRun(chunk, number));
      }
      hasLongValues |= chunk.waveform() || chunk.type() == ValueType.STRING;
    }
    return runs;
  }

  /**
   * Returns the bytes of memory that a segment's rows take. Long values take no more than in the
   * log.
   */
  private long rowBytes(StoredSegment segment) {
    long bytes = (long) segment.events() * ScatteredRows.BYTES_PER_ROW;
    return hasLongValues ? Math.max(bytes, segment.bytes()) : bytes;
  }

  private void load(
      ChunkReader reader, List<ChunkRun> runs, List<StoredSegment> segments, int from, int to)
      throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (StoredSegment segment : segments.subList(from, to)) {
      first = Math.min(first, segment.firstNanos());
      last = Math.max(last, segment.lastNanos());
    }
    TimeRange range = first <= last ? new TimeRange(first, last + 1) : new TimeRange(0, 0);
    ChunkRun.Taker taker =
        (number, batch, fromRow, toRow) -> {
          for (int row = fromRow; row < toRow; row++) {
            int segment = batch.segment[row];
            if (segment >= from && segment < to) {
              rows.add(number, batch, row, segment - from);
            }
          }
        };
    for (ChunkRun run : runs) {
      run.read(reader, block, range, batch(run.first()), taker);
    }
  }

  /** Returns the batch that all chunks of a type share. */
  private EventColumns batch(Chunk of) {
    return batches.computeIfAbsent(
        new Series("", of.type(), of.waveform()),
        it -> new EventColumns(it.type(), it.waveform(), EventColumns.PAGE_ROWS));
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
    encoder = new LogEncoder(format);
    stretch = wantedStretch;
  }

  /**
   * @param number the number of the segment in the rows
   * @param more whether the merged rows have a current row
   * @return whether the merged rows have a current row afterwards
   */
  private boolean replay(
      StoredSegment segment,
      int number,
      LogOrder order,
      boolean more,
      Patch.Reader patch,
      Sink sink)
      throws IOException {
    LogEncoder pair = encoder;
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
          && piece.span() == stretch
          && piece.offset() == position) {
        ByteBuffer bytes = ByteBuffer.wrap(piece.bytes()).order(pair.order());
        if (milestone) {
          pair.load(bytes);
          observer.milestone(segment, pair, bytes, List.of(piece));
        } else {
          observer.piece(piece);
        }
        position = put(sink, segment, position, bytes);
        patch.advance();
      } else if (milestone) {
        ByteBuffer bytes = pair.milestone(segment.milestoneNanos());
        overlay(patch, position, bytes);
        if (!pieces.isEmpty()) {
          pair.load(bytes);
        }
        observer.milestone(segment, pair, bytes, pieces);
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
        for (Patch overlay : pieces) {
          observer.piece(overlay);
        }
        pair.apply(ordinal, bytes);
        observer.event(ordinal, bytes);
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
    if (Arrays.equals(sha256.digest(), segment.sha256())) {
      sink.end(segment);
    } else {
      sink.differs(
          segment,
          new CorruptBlockException(
              block.directory(),
              segment.startOffset(),
              "bytes with another SHA-256",
              "those of the log"));
    }
    return hasRow;
  }

  private ByteBuffer event(LogEncoder pair, LogOrder order, int ordinal) {
    Series of = series.get(order.series());
    RowCursor row = order.row();
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

  /**
   * Replaces bytes by the pieces of the patch within them. {@link #pieces} has these pieces
   * afterwards.
   */
  private void overlay(Patch.Reader patch, long position, ByteBuffer bytes) throws IOException {
    pieces.clear();
    for (Patch piece = patch.peek();
        piece != null
            && piece.overlay()
            && piece.span() == stretch
            && piece.offset() >= position
            && piece.offset() + piece.bytes().length <= position + bytes.limit();
        piece = patch.peek()) {
      bytes.put((int) (piece.offset() - position), piece.bytes());
      patch.advance();
      pieces.add(piece);
    }
  }

  private long put(Sink sink, StoredSegment segment, long position, ByteBuffer bytes)
      throws IOException {
    int length = bytes.remaining();
    if (length > output.remaining()) {
      flush(sink, segment, position);
    }
    if (length > output.remaining()) {
      give(sink, segment, position, bytes);
    } else {
      output.put(bytes);
    }
    return position + length;
  }

  /**
   * @param position the offset in the log of the end of the output
   */
  private void flush(Sink sink, StoredSegment segment, long position) throws IOException {
    output.flip();
    if (output.hasRemaining()) {
      give(sink, segment, position - output.remaining(), output);
    }
    output.clear();
  }

  private void give(Sink sink, StoredSegment segment, long position, ByteBuffer bytes)
      throws IOException {
    sha256.update(bytes.duplicate());
    sink.bytes(segment, position, bytes);
  }

  private CorruptBlockException corrupt(String found, String expected) {
    return new CorruptBlockException(block.directory(), 0, found, expected);
  }
}
