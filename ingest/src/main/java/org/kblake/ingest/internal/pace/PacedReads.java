package org.kblake.ingest.internal.pace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.DirectBufferPool;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.ingest.internal.image.RawLog;

/**
 * Keeps a scan to the pace at which its archive may be read: what is about to be scanned is read
 * piece by piece before, so that the scan finds it in the page cache. Where there is no pace
 * nothing is read. For one thread.
 */
public final class PacedReads implements Closeable {

  private final PairLog log;
  private final FileAccess access;
  private final @Nullable RawLog raw;
  private long readOffset;

  /**
   * @param fromOffset where the scan begins
   */
  public PacedReads(PairLog log, long fromOffset) throws IOException {
    this.log = log;
    access = log.pair().access();
    readOffset = fromOffset;
    raw = access.isThrottled() ? new RawLog(log) : null;
  }

  /** Returns when what a scan reads on its way to an offset was read at the pace. */
  public void fetch(long offset) throws IOException {
    RawLog open = raw;
    if (open == null) {
      return;
    }
    ByteBuffer piece = DirectBufferPool.take();
    try {
      read(open, piece, log.scannedTo(offset));
    } finally {
      DirectBufferPool.giveBack(piece);
    }
  }

  private void read(RawLog open, ByteBuffer piece, long to) throws IOException {
    while (readOffset < to) {
      int wanted = (int) Math.min(RateLimit.LARGEST_PIECE_BYTES, to - readOffset);
      int read = open.read(piece.clear().limit(access.acquire(wanted)), readOffset);
      if (read < 0) {
        // The scan reports it.
        return;
      }
      readOffset += read;
    }
  }

  @Override
  public void close() throws IOException {
    RawLog open = raw;
    if (open != null) {
      open.close();
    }
  }
}
