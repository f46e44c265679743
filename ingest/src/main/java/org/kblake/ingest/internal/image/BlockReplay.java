package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.Patch;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.LogOrder;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowCursor;
import org.kblake.ingest.internal.rows.RowMemory;
import org.kblake.ingest.internal.rows.RowSource;
import org.kblake.ingest.internal.rows.Series;

/**
 * Encodes the bytes of the log from a block, segment after segment, as docs/store-format.md
 * describes. Not thread safe.
 */
public final class BlockReplay {

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

  /** Receives what the bytes are made of. */
  public interface Observer {
    /** Ignores all. */
    Observer NONE =
        new Observer() {
          @Override
          public void window(List<Series> series, RowSource rows) {}

          @Override
          public void milestone(
              StoredSegment segment, LogEncoder pair, ByteBuffer bytes, List<Patch> patches) {}

          @Override
          public void event(int ordinal, ByteBuffer bytes) {}

          @Override
          public void patch(Patch patch) {}
        };

    /** Receives the rows of the next segments. */
    void window(List<Series> series, RowSource rows);

    /**
     * Receives the begin of a segment: its milestone, or the bytes in place of it.
     *
     * @param pair has the state of all records, this milestone included
     * @param bytes the bytes from 0 to the limit, valid during the call, in the pair's byte order
     * @param patches the patches that changed these bytes
     */
    void milestone(StoredSegment segment, LogEncoder pair, ByteBuffer bytes, List<Patch> patches)
        throws IOException;

    /** Receives an event as in the log, from 0 to the limit, valid during the call. */
    void event(int ordinal, ByteBuffer bytes);

    /** Receives a patch that does not belong to the begin of a segment. */
    void patch(Patch patch) throws IOException;
  }

  private final Block block;
  private final List<LogLayout> layouts;
  private final RowMemory memory;
  private final ReaderPool readers;
  private final Observer observer;
  private final Map<Series, EventColumns> oneRows = new HashMap<>();
  private final List<Patch> patches = new ArrayList<>();
  private List<Series> series = List.of();

  private int span = -1;
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
    this.memory = memory;
    this.readers = readers;
    this.observer = observer;
  }

  /**
   * Replays the whole block.
   *
   * @throws CorruptBlockException if its files contradict each other
   */
  public void run(Sink sink) throws IOException, InterruptedException {
    List<StoredSegment> segments = block.segments();
    List<PairImage> pairs = block.pairs();
    SegmentOutput output = new SegmentOutput(block.directory(), sink);
    try (BlockRows rows = new BlockRows(block, memory, readers);
        Patch.Reader patch = block.patch()) {
      series = rows.series();
      int from = 0;
      while (from < segments.size()) {
        int to = rows.read(segments, from);
        observer.window(series, rows.rows());
        LogOrder order = rows.inLogOrder();
        boolean more = order.next();
        for (int i = from; i < to; i++) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          StoredSegment segment = segments.get(i);
          begin(pairs, segment.span());
          more = replay(segment, i - from, order, more, patch, output);
        }
        if (more) {
          throw corrupt("more events", "none behind the segment at " + lastStart(segments, to));
        }
        from = to;
      }
      if (patch.peek() != null) {
        throw corrupt("a patch behind the last segment", "none");
      }
    }
  }

  private static long lastStart(List<StoredSegment> segments, int to) {
    return segments.get(to - 1).startOffset();
  }

  private void begin(List<PairImage> pairs, int wantedSpan) throws IOException {
    if (span == wantedSpan) {
      return;
    }
    Path file = block.directory();
    PairFormat format = PairFormat.decode(file, pairs.get(wantedSpan).indexHead(), layouts);
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
    span = wantedSpan;
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
      SegmentOutput output)
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
      Patch next = patch.peek();
      if (next != null && !next.overlay() && next.span() == span && next.offset() == position) {
        ByteBuffer bytes = ByteBuffer.wrap(next.bytes()).order(pair.order());
        if (milestone) {
          pair.load(bytes);
          observer.milestone(segment, pair, bytes, List.of(next));
        } else {
          observer.patch(next);
        }
        position = output.put(segment, position, bytes);
        patch.advance();
      } else if (milestone) {
        ByteBuffer bytes = pair.milestone(segment.milestoneNanos());
        overlay(patch, position, bytes);
        if (!patches.isEmpty()) {
          pair.load(bytes);
        }
        observer.milestone(segment, pair, bytes, patches);
        position = output.put(segment, position, bytes);
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
        for (Patch overlay : patches) {
          observer.patch(overlay);
        }
        pair.apply(ordinal, bytes);
        observer.event(ordinal, bytes);
        position = output.put(segment, position, bytes);
        events++;
        hasRow = order.next();
      } else {
        throw corrupt("no more events at offset " + position, "bytes up to " + segment.endOffset());
      }
    }
    output.flush(segment, position);
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
    output.end(segment);
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

  /** Replaces bytes by the patches within them. {@link #patches} has these patches afterwards. */
  private void overlay(Patch.Reader patch, long position, ByteBuffer bytes) throws IOException {
    patches.clear();
    for (Patch next = patch.peek();
        next != null
            && next.overlay()
            && next.span() == span
            && next.offset() >= position
            && next.offset() + next.bytes().length <= position + bytes.limit();
        next = patch.peek()) {
      bytes.put((int) (next.offset() - position), next.bytes());
      patch.advance();
      patches.add(next);
    }
  }

  private CorruptBlockException corrupt(String found, String expected) {
    return new CorruptBlockException(block.directory(), 0, found, expected);
  }
}
