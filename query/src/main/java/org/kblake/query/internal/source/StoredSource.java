package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
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
 * The events of some channels in some segments of a block. One channel's pages go straight through;
 * those of several are brought into log order.
 */
public final class StoredSource {

  /** Up to so many names are looked up one by one; for more the whole directory is read. */
  private static final int FEW_NAMES = 64;

  private StoredSource() {}

  /** A chunk that is read. */
  record Wanted(Chunk chunk, int channel, long rowBytes) {

    long bytes() {
      return chunk.rows() * rowBytes;
    }
  }

  /** What is read of a block. */
  record BlockRead(StoredRange readRange, TimeRange range, boolean strays, int group) {

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

    /** The same without times that hold no events of its segments. */
    BlockRead narrowed() throws IOException {
      return new BlockRead(readRange, readRange.timesWithin(range), strays, group);
    }

    @Nullable BitSet straysOf() {
      if (!strays) {
        return null;
      }
      BitSet segments = new BitSet(toSegment());
      segments.set(fromSegment(), toSegment());
      return segments;
    }
  }

  /**
   * @param records the pair's, to predict how much memory rows take
   * @param readers of those who will not request order keys
   */
  static EventRuns open(
      BlockRead asked,
      List<ChannelTarget> channels,
      RecordTable records,
      @Nullable ChunkReaders readers)
      throws IOException {
    BlockRead request = asked.narrowed();
    List<Wanted> wanted = new ArrayList<>();
    Map<String, ChannelTarget> byName = new HashMap<>();
    for (ChannelTarget channel : channels) {
      byName.put(channel.name(), channel);
    }
    for (Chunk chunk : chunks(request.block(), byName)) {
      ChannelTarget channel = byName.get(chunk.channel());
      if (channel != null
          && (request.strays || request.range.meets(chunk.firstNanos(), chunk.lastNanos()))) {
        wanted.add(new Wanted(chunk, channel.index(), rowBytes(chunk, records)));
      }
    }
    return isOneSeries(wanted)
        ? new DirectChunks(request, wanted, readers)
        : new MergedChunks(request, wanted);
  }

  /** The chunks of some channels. */
  public static List<Chunk> chunks(Block block, Map<String, ChannelTarget> byName)
      throws IOException {
    if (byName.size() > FEW_NAMES) {
      return block.chunks().all();
    }
    List<Chunk> chunks = new ArrayList<>();
    for (String name : byName.keySet()) {
      chunks.addAll(block.chunks().find(name));
    }
    return chunks;
  }

  private static long rowBytes(Chunk chunk, RecordTable records) {
    int ordinal = records.ordinalOfName(chunk.channel());
    long elements = chunk.waveform() && ordinal >= 0 ? records.entry(ordinal).elementCount() : 1;
    int elementBytes = chunk.type().bytes() > Long.BYTES ? chunk.type().bytes() : Long.BYTES;
    return 32 + elements * elementBytes;
  }

  /** Whether the chunks follow each other in log order: of one channel that kept its type. */
  private static boolean isOneSeries(List<Wanted> wanted) {
    Set<Object> series = new HashSet<>();
    for (Wanted each : wanted) {
      series.add(List.of(each.channel, each.chunk.type(), each.chunk.waveform()));
    }
    return series.size() <= 1;
  }

  /** Chunks that follow each other: what is decoded is handed on as it is. */
  private static final class DirectChunks implements EventRuns {

    private final BlockRead request;
    private final List<Wanted> chunks;
    private final @Nullable ChunkReaders readers;
    private final ChunkReaders.Idle borrowed;
    private final ChunkReader reader;
    private @Nullable EventColumns columns;
    private int nextChunk;

    DirectChunks(BlockRead request, List<Wanted> chunks, @Nullable ChunkReaders readers) {
      this.request = request;
      this.chunks = chunks;
      this.readers = readers;
      borrowed = readers == null ? new ChunkReaders.Idle(true) : readers.take();
      reader = borrowed.reader();
    }

    @Override
    public boolean next() throws IOException {
      while (columns == null || !reader.next(columns)) {
        if (nextChunk == chunks.size()) {
          return false;
        }
        Chunk chunk = chunks.get(nextChunk++).chunk();
        reader.open(
            request.block().chunks(),
            chunk,
            request.range,
            request.fromSegment(),
            request.toSegment(),
            request.straysOf());
        columns = borrowed.columns(chunk);
      }
      return true;
    }

    @Override
    public EventColumns columns() {
      EventColumns current = columns;
      if (current == null) {
        throw new IllegalStateException("no run yet");
      }
      return current;
    }

    @Override
    public int channel() {
      return chunks.get(nextChunk - 1).channel();
    }

    @Override
    public int group() {
      return request.group;
    }

    @Override
    public long orderKey(int row) throws IOException {
      return request.orderKey(columns().segment[row]);
    }

    @Override
    public void close() throws IOException {
      if (readers == null) {
        reader.close();
      } else {
        readers.giveBack(borrowed);
      }
    }
  }
}
