package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.source.StoredSource.BlockRead;
import org.kblake.query.internal.source.StoredSource.Wanted;

/**
 * The events of many channels of a block, one channel after the other. Those of one channel are in
 * log order. Each page is decoded once, and nothing is merged, so this takes less time and memory
 * than {@link MergedChunks}.
 *
 * <p>Channels with chunks of several types or records are merged, behind the others.
 */
final class SeparateChunks extends OrderedRows {

  private final BlockRead request;
  private final List<Wanted> single = new ArrayList<>();
  private final List<Wanted> several = new ArrayList<>();
  private final Map<ValueShape, EventColumns> pages = new TreeMap<>();
  private final ChunkReader reader;
  private @Nullable Wanted open;
  private int next;
  private @Nullable MergedChunks merged;

  SeparateChunks(BlockRead request, List<Wanted> wanted, ChunkReaders readers) {
    this.request = request;
    reader = readers.ofNeighbours();
    Map<Integer, List<Wanted>> byChannel = new HashMap<>();
    for (Wanted each : wanted) {
      byChannel.computeIfAbsent(each.channel(), any -> new ArrayList<>(1)).add(each);
    }
    for (List<Wanted> ofChannel : byChannel.values()) {
      (StoredSource.isOneSeries(ofChannel) ? single : several).addAll(ofChannel);
    }
    // Sorted by file position, so that neighbours are read one after the other.
    single.sort(
        Comparator.comparingInt((Wanted each) -> each.chunk().rowGroup())
            .thenComparingInt(each -> each.chunk().firstRow()));
  }

  @Override
  public boolean next() throws IOException {
    while (merged == null) {
      Wanted current = open;
      if (current != null) {
        EventColumns page = pages.computeIfAbsent(shape(current.chunk()), SeparateChunks::page);
        if (reader.next(page)) {
          return moveTo(page, 0, page.count, current.channel(), request.group());
        }
        open = null;
      }
      if (next < single.size()) {
        open = begin(single.get(next++));
      } else if (several.isEmpty()) {
        return false;
      } else {
        merged = new MergedChunks(request, several);
      }
    }
    return merged.next() && moveTo(merged, 0);
  }

  private Wanted begin(Wanted wanted) throws IOException {
    reader.open(
        request.block().chunks(),
        wanted.chunk(),
        wanted.claim().within(request.range()),
        request.fromSegment(),
        request.toSegment(),
        request.straysOf(wanted));
    return wanted;
  }

  private static ValueShape shape(Chunk chunk) {
    return new ValueShape(chunk.type(), chunk.waveform());
  }

  private static EventColumns page(ValueShape shape) {
    return new EventColumns(shape.type(), shape.waveform(), EventColumns.PAGE_ROWS);
  }

  @Override
  public boolean isInLogOrder() {
    return false;
  }

  @Override
  public long orderKey(int row) throws IOException {
    return request.orderKey(columns().segment[row]);
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(reader, merged);
  }
}
