package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.internal.store.file.Pace;

/**
 * Chunk readers that keep their buffers, a few MiB at most, from one block to the next. Direct
 * memory that is dropped comes back only when the heap is collected, and in a process that does
 * little else that takes its time. Safe for many threads.
 */
public final class ReaderPool {

  private final Pace pace;
  private final ConcurrentLinkedQueue<ChunkReader> idle = new ConcurrentLinkedQueue<>();

  /**
   * @param pace of reading pages
   */
  public ReaderPool(Pace pace) {
    this.pace = pace;
  }

  /** A reader of every column, to be given back. */
  public ChunkReader take() {
    ChunkReader kept = idle.poll();
    return kept == null ? new ChunkReader(pace) : kept;
  }

  /** Closes a reader's files. */
  public void giveBack(ChunkReader reader) throws IOException {
    reader.close();
    idle.add(reader);
  }
}
