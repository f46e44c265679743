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
 * Keeps a scan within the rate limit of its archive. The bytes are read before they are scanned, a
 * buffer at a time, so that the scan finds them in the page cache. Without a limit, nothing is
 * read. For one thread.
 */
public final class PacedReads implements Closeable {

  private final PairLog log;
  private final FileAccess access;
  private final @Nullable RawLog raw;
  private long readOffset;

  /**
   * @param fromOffset the offset where the scan begins
   */
  public PacedReads(PairLog log, long fromOffset) throws IOException {
    this.log = log;
    access = log.pair().access();
    readOffset = fromOffset;
    raw = access.isThrottled() ? new RawLog(log) : null;
  }

  /** Reads, within the limit, all bytes that a scan needs up to an offset. */
  public void fetch(long offset) throws IOException {
    RawLog open = raw;
    if (open == null) {
      return;
    }
    ByteBuffer buffer = DirectBufferPool.take();
    try {
      read(open, buffer, log.scannedTo(offset));
    } finally {
      DirectBufferPool.giveBack(buffer);
    }
  }

  private void read(RawLog open, ByteBuffer buffer, long to) throws IOException {
    while (readOffset < to) {
      int wanted = (int) Math.min(RateLimit.MAX_GRANT_BYTES, to - readOffset);
      int read = open.read(buffer.clear().limit(access.acquire(wanted)), readOffset);
      if (read < 0) {
        // The scan reports the error.
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
