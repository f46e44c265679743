package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.StoredSegment;

/**
 * The result of the rule that a block is made only of bytes that were the same in two reads. Over a
 * network file system, a growing file may show a stale page for a while. Closed pairs are not read
 * again.
 *
 * @param segments number of segments, from the first one on, whose bytes were the same
 * @param failure why the next segment could not be read; null if all were read, or its bytes have
 *     changed
 */
public record StableRead(int segments, @Nullable UnavailableException failure) {

  private static final int BUFFER_BYTES = 1 << 16;

  /**
   * Reads the bytes of growing pairs again. If the tail of a pair is provisional, it first waits
   * for the settle time.
   *
   * @param readNanos {@link System#nanoTime} after the first read
   * @return the number of segments, from the first one on, whose hashes are unchanged
   */
  public static StableRead of(BlockRecorder recorder, long readNanos)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER_BYTES];
    List<StoredSegment> segments = recorder.segments();
    for (int i = 0; i < segments.size(); i++) {
      StoredSegment segment = segments.get(i);
      PairLog log = recorder.log(segment.span());
      if (log.closed()) {
        continue;
      }
      if (log.provisional()) {
        long settledNanos = readNanos + log.settleNanos();
        TimeUnit.NANOSECONDS.sleep(settledNanos - System.nanoTime());
      }
      try {
        try (RawLog raw = new RawLog(log)) {
          if (!raw.hasBytesOf(segment, buffer)) {
            return new StableRead(i, null);
          }
        }
      } catch (UnavailableException e) {
        return new StableRead(i, e);
      }
    }
    return new StableRead(segments.size(), null);
  }
}
