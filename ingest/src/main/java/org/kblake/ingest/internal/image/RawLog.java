package org.kblake.ingest.internal.image;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.store.block.StoredSegment;

/** A reader of the raw bytes of a pair's log. It holds an open file. */
public final class RawLog implements Closeable {

  private final PairLog log;
  private final FileChannel channel;
  private final FileAccess access;

  /**
   * @throws UnavailableException if the log cannot be opened
   */
  public RawLog(PairLog log) throws IOException {
    this.log = log;
    access = log.pair().access();
    try {
      Path file = log.pair().logPath();
      channel = access.call(file, () -> FileChannel.open(file, StandardOpenOption.READ));
    } catch (IOException e) {
      throw log.pair().failure(e);
    }
  }

  /**
   * Reads bytes within the rate limit of the archive.
   *
   * @param into receives the bytes, from 0
   * @return the bytes; fewer than requested at the end of the file
   * @throws UnavailableException if they cannot be read
   */
  public ByteBuffer read(long offset, int length, byte[] into) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
    long at = offset;
    while (buffer.position() < length) {
      buffer.limit(buffer.position() + access.acquire(length - buffer.position()));
      int read = read(buffer, at);
      if (read < 0) {
        break;
      }
      at += read;
    }
    return buffer.flip();
  }

  /**
   * Reads some bytes, without the rate limit.
   *
   * @return the number of bytes; -1 at the end of the file
   * @throws UnavailableException if they cannot be read
   */
  public int read(ByteBuffer into, long offset) throws IOException {
    try {
      return access.call(log.pair().logPath(), () -> channel.read(into, offset));
    } catch (IOException e) {
      throw log.pair().failure(e);
    }
  }

  /**
   * Returns whether the log still has the bytes of a segment.
   *
   * @param buffer the memory for reading
   * @throws UnavailableException if they cannot be read
   */
  boolean hasBytesOf(StoredSegment segment, byte[] buffer) throws IOException {
    MessageDigest sha256 = BlockRecorder.newSha256();
    for (long at = segment.startOffset(); at < segment.endOffset(); ) {
      int length = (int) Math.min(buffer.length, segment.endOffset() - at);
      ByteBuffer bytes = read(at, length, buffer);
      if (bytes.remaining() < length) {
        return false;
      }
      sha256.update(bytes);
      at += length;
    }
    return Arrays.equals(sha256.digest(), segment.sha256());
  }

  /** Returns the event that contains a byte of the log, for messages. */
  public static String eventAt(PairLog log, StoredSegment segment, long offset) throws IOException {
    try (LogScanner scanner =
        LogScanner.open(log, segment.startOffset(), segment.endOffset(), null)) {
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
