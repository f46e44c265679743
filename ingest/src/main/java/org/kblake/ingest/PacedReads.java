package org.kblake.ingest;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.FileAccess;
import org.kblake.core.log.PairLog;

/**
 * Keeps a scan to the pace at which its archive may be read: what is about to be scanned is read
 * piece by piece before, so that the scan finds it in the page cache. Where there is no pace
 * nothing is read. For one thread.
 */
final class PacedReads implements Closeable {

  /**
   * A thread scans one log after another and keeps its piece: direct memory that is dropped comes
   * back only when the heap is collected.
   */
  private static final ThreadLocal<ByteBuffer> PIECE =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(RateLimit.LARGEST_PIECE_BYTES));

  private final PairLog log;
  private final FileAccess access;
  private final @Nullable FileChannel channel;
  private long readOffset;

  /**
   * @param fromOffset where the scan begins
   */
  PacedReads(PairLog log, long fromOffset) throws IOException {
    this.log = log;
    access = log.pair().access();
    readOffset = fromOffset;
    channel =
        access.paces() ? FileChannel.open(log.pair().logPath(), StandardOpenOption.READ) : null;
  }

  /** Returns when what a scan reads on its way to an offset was read at the pace. */
  void fetch(long offset) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      return;
    }
    ByteBuffer piece = PIECE.get();
    long to = log.scannedTo(offset);
    while (readOffset < to) {
      int wanted = (int) Math.min(piece.capacity(), to - readOffset);
      piece.clear().limit(access.mayRead(wanted));
      int read = open.read(piece, readOffset);
      if (read < 0) {
        // The scan tells of it.
        return;
      }
      readOffset += read;
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
