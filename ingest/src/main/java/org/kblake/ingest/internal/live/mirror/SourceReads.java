package org.kblake.ingest.internal.live.mirror;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;

/**
 * Reads logs of the archive for their copies, within the rate limit of the archive, and counts the
 * bytes.
 */
final class SourceReads {

  static final int BUFFER_BYTES = 1 << 18;

  private final Counters counters;

  /** Receives bytes. */
  interface Bytes {
    /**
     * @param bytes valid until this returns
     * @param offset the offset of the first byte in the log
     */
    void take(ByteBuffer bytes, long offset) throws IOException;
  }

  SourceReads(Counters counters) {
    this.counters = counters;
  }

  /**
   * Reads [from, to) of a log.
   *
   * @throws UnavailableException if the archive cannot be read, or the log is shorter
   */
  void read(Pair pair, long from, long to, Bytes taker) throws IOException {
    if (from >= to) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (FileChannel channel = open(pair)) {
      long at = from;
      while (at < to) {
        int wanted = (int) Math.min(BUFFER_BYTES, to - at);
        buffer.clear().limit(pair.access().acquire(wanted));
        fill(channel, buffer, at, pair);
        counters.add(Count.MIRROR_READ_BYTES, buffer.position());
        buffer.flip();
        int bytes = buffer.limit();
        taker.take(buffer, at);
        at += bytes;
      }
    }
  }

  private static FileChannel open(Pair pair) throws IOException {
    try {
      Path file = pair.logPath();
      return pair.access().call(file, () -> FileChannel.open(file, StandardOpenOption.READ));
    } catch (IOException e) {
      throw unavailable(pair, e);
    }
  }

  private static void fill(FileChannel channel, ByteBuffer into, long offset, Pair pair)
      throws IOException {
    try {
      while (into.hasRemaining()) {
        long at = offset + into.position();
        if (pair.access().call(pair.logPath(), () -> channel.read(into, at)) < 0) {
          throw new UnavailableException(
              "pair is unavailable: group=" + pair.group(),
              pair.logPath(),
              "has become shorter",
              null);
        }
      }
    } catch (UnavailableException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw unavailable(pair, e);
    }
  }

  private static IOException unavailable(Pair pair, IOException e) {
    return new UnavailableException(
        "pair is unavailable: group=" + pair.group(), pair.logPath(), "read error: " + e, e);
  }
}
