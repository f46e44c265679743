package org.kblake.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keeps archive reads within rates: what is about to be scanned is read piece by piece at the
 * lowest of them, so that the scan finds it in the page cache. Shared by all threads of a backfill.
 */
final class PacedReads {

  private static final int LARGEST_PIECE_BYTES = 1 << 20;
  private static final int PIECES_PER_SECOND = 10;

  private final List<RateLimit> limits;

  /**
   * @param limits all of which hold
   */
  PacedReads(RateLimit... limits) {
    this.limits = Stream.of(limits).filter(limit -> limit.bytesPerSecond() > 0).toList();
  }

  /** Returns when the bytes [from, to) of a file were read within the rates. */
  void fetch(Path file, long from, long to) throws IOException, InterruptedException {
    if (limits.isEmpty()) {
      return;
    }
    long bytesPerSecond = limits.stream().mapToLong(RateLimit::bytesPerSecond).min().orElseThrow();
    int piece =
        (int) Math.max(512, Math.min(LARGEST_PIECE_BYTES, bytesPerSecond / PIECES_PER_SECOND));
    ByteBuffer buffer = ByteBuffer.allocateDirect(piece);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long at = from;
      while (at < to) {
        int wanted = (int) Math.min(piece, to - at);
        for (RateLimit limit : limits) {
          limit.take(wanted);
        }
        buffer.clear().limit(wanted);
        int read = channel.read(buffer, at);
        if (read < 0) {
          return;
        }
        at += read;
      }
    }
  }
}
