package org.kblake.ingest;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.kblake.core.log.FileAccess;
import org.kblake.core.log.LogScanner;
import org.kblake.core.log.PairLog;
import org.kblake.core.store.StoredSegment;

/** The bytes of a pair's log as they are on disk. Holds an open file. */
final class RawLog implements Closeable {

  private final FileChannel channel;
  private final FileAccess access;

  RawLog(PairLog log) throws IOException {
    channel = FileChannel.open(log.pair().logPath(), StandardOpenOption.READ);
    access = log.pair().access();
  }

  /**
   * Reads as fast as one may read the archive.
   *
   * @param into where the bytes go, from 0
   * @return the bytes, fewer than asked for at the end of the file
   */
  ByteBuffer read(long offset, int length, byte[] into) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    long at = offset;
    while (buffer.position() < length) {
      buffer.limit(buffer.position() + access.mayRead(length - buffer.position()));
      int read = channel.read(buffer, at);
      if (read < 0) {
        break;
      }
      at += read;
    }
    return buffer.flip();
  }

  /** For messages: the event that a byte of the log belongs to. */
  static String eventAt(PairLog log, StoredSegment segment, long offset) throws IOException {
    try (LogScanner scanner = log.scan(segment.startOffset(), segment.endOffset(), null)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          if (offset < scanner.eventOffset() + scanner.eventBytes()) {
            return offset < scanner.eventOffset()
                ? "none before offset " + scanner.eventOffset()
                : log.records().entry(scanner.record()).name()
                    + " at "
                    + Instant.EPOCH.plusNanos(scanner.timeNanos())
                    + ", offset "
                    + scanner.eventOffset();
          }
        }
      }
    }
    return "none";
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
