package org.kblake.query.internal.source;

import static org.kblake.core.columns.EventColumn.LATENESS;
import static org.kblake.core.columns.EventColumn.SEGMENT;
import static org.kblake.core.columns.EventColumn.SEVERITY;
import static org.kblake.core.columns.EventColumn.STATE;
import static org.kblake.core.columns.EventColumn.STATUS;
import static org.kblake.core.columns.EventColumn.TIE;
import static org.kblake.core.columns.EventColumn.VALUE;

import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;

/**
 * A pool of readers of time, value, state, severity and status. They keep their buffers from one
 * read to the next. To allocate a batch takes as long as to decode it. Safe for many threads.
 */
public final class ChunkReaders {

  private static final int MAX_IDLE = 4;

  /** Larger batches are not kept. */
  private static final int MAX_ELEMENTS = 1 << 18;

  private final BlockingQueue<Idle> idle = new ArrayBlockingQueue<>(MAX_IDLE);
  private final EnumSet<EventColumn> wanted = EnumSet.of(VALUE, STATE, SEVERITY, STATUS);
  private final ChunkReaders ordered;
  private final ChunkReaders inLogOrder;

  public ChunkReaders() {
    inLogOrder = new ChunkReaders(EnumSet.of(SEGMENT, LATENESS, TIE), null);
    ordered = new ChunkReaders(EnumSet.of(SEGMENT), inLogOrder);
  }

  private ChunkReaders(EnumSet<EventColumn> order, @Nullable ChunkReaders inLogOrder) {
    wanted.addAll(order);
    ordered = this;
    this.inLogOrder = inLogOrder == null ? this : inLogOrder;
  }

  /** Returns the readers that also read segment numbers, for order keys. */
  public ChunkReaders ordered() {
    return ordered;
  }

  /** Returns the readers that also read segment numbers, lateness and tie. */
  public ChunkReaders inLogOrder() {
    return inLogOrder;
  }

  /** A reader of the columns, and its batch, for one thread. */
  static final class Idle {
    private final ChunkReader reader;
    private @Nullable EventColumns columns;

    Idle(EnumSet<EventColumn> wanted) {
      reader = new ChunkReader(wanted);
    }

    ChunkReader reader() {
      return reader;
    }

    /** Returns a batch of the chunk's type. */
    EventColumns columns(Chunk chunk) {
      EventColumns known = columns;
      if (known == null || known.type() != chunk.type() || known.waveform() != chunk.waveform()) {
        int rows = Math.min(chunk.rows(), ChunkReader.MAX_ROWS);
        known = new EventColumns(chunk.type(), chunk.waveform(), rows);
        columns = known;
      }
      return known;
    }

    private boolean isSmall() {
      EventColumns known = columns;
      return known == null
          || known.values.length <= MAX_ELEMENTS
              && known.textStarts.length <= MAX_ELEMENTS
              && known.text.length <= MAX_ELEMENTS * Long.BYTES;
    }
  }

  Idle take() {
    Idle kept = idle.poll();
    return kept == null ? new Idle(wanted) : kept;
  }

  /** Returns a reader of chunks that are read one after the other, in the order of their rows. */
  ChunkReader ofNeighbours() {
    return ChunkReader.ofNeighbours(wanted);
  }

  /** Closes the reader's files, and keeps its buffers. */
  void giveBack(Idle used) throws IOException {
    used.reader.close();
    if (used.isSmall()) {
      idle.offer(used);
    }
  }
}
