package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.internal.store.file.Pace;

/**
 * A pool of chunk readers. They keep their buffers of a few MiB from one block to the next. Unused
 * direct memory is freed only by a garbage collection, which is rare in a process with little other
 * work. Safe for many threads.
 */
public final class ReaderPool {

  private final Pace pace;
  private final ConcurrentLinkedQueue<ChunkReader> idle = new ConcurrentLinkedQueue<>();

  /**
   * @param pace the pace of reads
   */
  public ReaderPool(Pace pace) {
    this.pace = pace;
  }

  /** Takes a reader of all columns. The caller returns it with {@link #giveBack}. */
  public ChunkReader take() {
    ChunkReader kept = idle.poll();
    return kept == null ? new ChunkReader(pace) : kept;
  }

  /** Closes a reader's files, and puts it into the pool. */
  public void giveBack(ChunkReader reader) throws IOException {
    reader.close();
    idle.add(reader);
  }
}
