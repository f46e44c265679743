package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;

/**
 * A pool of readers of time, value, state, severity and status. They keep their buffers from one
 * read to the next. To allocate a batch takes as long as to decode it. Safe for many threads.
 */
public final class ChunkReaders {

  private static final int MOST_IDLE = 4;

  /** Larger batches are not kept. */
  private static final int MOST_ELEMENTS = 1 << 18;

  private final BlockingQueue<Idle> idle = new ArrayBlockingQueue<>(MOST_IDLE);
  private final boolean segments;
  private final ChunkReaders ordered;

  public ChunkReaders() {
    segments = false;
    ordered = new ChunkReaders(true);
  }

  private ChunkReaders(boolean segments) {
    this.segments = segments;
    ordered = this;
  }

  /** Returns the readers that also read segment numbers, for order keys. */
  public ChunkReaders ordered() {
    return ordered;
  }

  /** A reader of the columns, and its batch, for one thread. */
  static final class Idle {
    private final ChunkReader reader;
    private @Nullable EventColumns columns;

    Idle(boolean segments) {
      EnumSet<EventColumn> wanted =
          EnumSet.of(
              EventColumn.VALUE, EventColumn.STATE, EventColumn.SEVERITY, EventColumn.STATUS);
      if (segments) {
        wanted.add(EventColumn.SEGMENT);
      }
      reader = new ChunkReader(wanted);
    }

    ChunkReader reader() {
      return reader;
    }

    /** Returns a batch of the chunk's type. */
    EventColumns columns(Chunk chunk) {
      EventColumns known = columns;
      if (known == null || known.type() != chunk.type() || known.waveform() != chunk.waveform()) {
        int rows = Math.min(chunk.rows(), ChunkReader.MOST_ROWS);
        known = new EventColumns(chunk.type(), chunk.waveform(), rows);
        columns = known;
      }
      return known;
    }

    private boolean isSmall() {
      EventColumns known = columns;
      return known == null
          || known.values.length <= MOST_ELEMENTS
              && known.textStarts.length <= MOST_ELEMENTS
              && known.text.length <= MOST_ELEMENTS * Long.BYTES;
    }
  }

  Idle take() {
    Idle kept = idle.poll();
    return kept == null ? new Idle(segments) : kept;
  }

  /** Closes the reader's files, and keeps its buffers. */
  void giveBack(Idle used) throws IOException {
    used.reader.close();
    if (used.isSmall()) {
      idle.offer(used);
    }
  }
}
