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
import org.kblake.core.log.UnavailableException;
import org.kblake.core.store.StoredSegment;

/** The bytes of a pair's log as they are on disk. Holds an open file. */
final class RawLog implements Closeable {

  private final PairLog log;
  private final FileChannel channel;
  private final FileAccess access;

  /**
   * @throws UnavailableException if it cannot be opened
   */
  RawLog(PairLog log) throws IOException {
    this.log = log;
    access = log.pair().access();
    try {
      channel = FileChannel.open(log.pair().logPath(), StandardOpenOption.READ);
    } catch (IOException e) {
      throw log.pair().failure(e);
    }
  }

  /**
   * Reads as fast as one may read the archive.
   *
   * @param into where the bytes go, from 0
   * @return the bytes, fewer than asked for at the end of the file
   * @throws UnavailableException if they cannot be read
   */
  ByteBuffer read(long offset, int length, byte[] into) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    long at = offset;
    while (buffer.position() < length) {
      buffer.limit(buffer.position() + access.mayRead(length - buffer.position()));
      int read = read(buffer, at);
      if (read < 0) {
        break;
      }
      at += read;
    }
    return buffer.flip();
  }

  /**
   * Reads some bytes, whatever the pace.
   *
   * @return how many; -1 at the end of the file
   * @throws UnavailableException if they cannot be read
   */
  int read(ByteBuffer into, long offset) throws IOException {
    try {
      return channel.read(into, offset);
    } catch (IOException e) {
      throw log.pair().failure(e);
    }
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
