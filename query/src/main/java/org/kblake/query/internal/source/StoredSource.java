package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.StoredRange;

/**
 * The events of some channels in some segments of a block. The pages of one channel are returned as
 * they are decoded. Those of several channels are merged into log order.
 */
public final class StoredSource {

  private StoredSource() {}

  /** A requested chunk. */
  record Wanted(Chunk chunk, RecordClaim claim, long rowBytes) {

    int channel() {
      return claim.channel();
    }

    long bytes() {
      return chunk.rows() * rowBytes;
    }
  }

  /**
   * A request to read a block.
   *
   * @param groups the number of groups whose events are read at the same time, and share the memory
   */
  public record BlockRead(StoredRange readRange, WantedEvents wanted, int groups) {

    TimeRange range() {
      return wanted.times();
    }

    int group() {
      return wanted.group();
    }

    Block block() {
      return readRange.block();
    }

    int fromSegment() {
      return readRange.fromSegment();
    }

    int toSegment() {
      return readRange.toSegment();
    }

    long orderKey(int segment) throws IOException {
      return readRange.pair().orderKey(readRange.block().segment(segment).startOffset());
    }

    /** Returns this request without times that have no events of its segments. */
    BlockRead narrowed() throws IOException {
      return new BlockRead(readRange, wanted.at(readRange.timesWithin(range())), groups);
    }

    @Nullable BitSet straysOf(Wanted chunk) {
      if (!wanted.strays() || !chunk.claim().record().hasStrays()) {
        return null;
      }
      BitSet segments = new BitSet(toSegment());
      segments.set(fromSegment(), toSegment());
      return segments;
    }
  }

  /**
   * @param records the pair's record table, which predicts the memory of rows
   * @param readers the readers for events of one channel, or of one channel after the other
   */
  public static OrderedRows open(
      BlockRead requested,
      List<ChannelTarget> channels,
      RecordTable records,
      ChunkReaders readers,
      RowOrder order)
      throws IOException {
    BlockRead request = requested.narrowed();
    List<Wanted> wanted = new ArrayList<>();
    Map<String, List<RecordClaim>> byName = RecordClaim.byName(channels);
    for (Chunk chunk : request.block().chunks().find(byName.keySet())) {
      for (RecordClaim claim : byName.getOrDefault(chunk.channel(), List.of())) {
        if (request.wanted().strays() && claim.record().hasStrays()
            || claim.mayHave(request.range(), chunk.firstNanos(), chunk.lastNanos())) {
          wanted.add(new Wanted(chunk, claim, rowBytes(chunk, records)));
        }
      }
    }
    if (isOneSeries(wanted)) {
      return new DirectChunks(request, wanted, readers);
    }
    return order == RowOrder.LOG
        ? new MergedChunks(request, wanted)
        : new SeparateChunks(request, wanted, readers);
  }

  private static long rowBytes(Chunk chunk, RecordTable records) {
    int ordinal = records.ordinalOfName(chunk.channel());
    long elements = chunk.waveform() && ordinal >= 0 ? records.entry(ordinal).elementCount() : 1;
    int elementBytes = chunk.type().bytes() > Long.BYTES ? chunk.type().bytes() : Long.BYTES;
    return 32 + elements * elementBytes;
  }

  /**
   * Returns whether the chunks follow each other in log order: they belong to one record of one
   * type.
   */
  static boolean isOneSeries(List<Wanted> wanted) {
    if (wanted.size() == 1) {
      return true;
    }
    Set<Object> series = new HashSet<>();
    for (Wanted each : wanted) {
      series.add(List.of(each.claim, each.chunk.type(), each.chunk.waveform()));
    }
    return series.size() <= 1;
  }

  /** The rows of chunks that follow each other, returned as they are decoded. */
  private static final class DirectChunks extends OrderedRows {

    private final BlockRead request;
    private final List<Wanted> chunks;
    private final ChunkReaders readers;
    private final ChunkReaders.Idle borrowed;
    private final ChunkReader reader;
    private @Nullable EventColumns columns;
    private int nextChunk;

    DirectChunks(BlockRead request, List<Wanted> chunks, ChunkReaders readers) {
      this.request = request;
      this.chunks = chunks;
      this.readers = readers;
      borrowed = readers.take();
      reader = borrowed.reader();
    }

    @Override
    public boolean next() throws IOException {
      EventColumns into = columns;
      while (into == null || !reader.next(into)) {
        if (nextChunk == chunks.size()) {
          return false;
        }
        Wanted each = chunks.get(nextChunk++);
        Chunk chunk = each.chunk();
        reader.open(
            request.block().chunks(),
            chunk,
            each.claim().within(request.range()),
            request.fromSegment(),
            request.toSegment(),
            request.straysOf(each));
        into = borrowed.columns(chunk);
        columns = into;
      }
      return moveTo(into, 0, into.count, chunks.get(nextChunk - 1).channel(), request.group());
    }

    @Override
    public long orderKey(int row) throws IOException {
      return request.orderKey(columns().segment[row]);
    }

    @Override
    public void close() throws IOException {
      readers.giveBack(borrowed);
    }
  }
}
