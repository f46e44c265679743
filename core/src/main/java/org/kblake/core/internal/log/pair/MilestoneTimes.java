package org.kblake.core.internal.log.pair;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogSource;

/**
 * The times of a pair's milestones in index and log. The times in the log are read on demand, once.
 * The caller keeps them. The log is opened at the first read and closed with this object. For one
 * thread, but the kept times are shared between threads.
 */
final class MilestoneTimes implements Closeable {

  private final LogSource source;
  private final Function<LogFile, Boundaries> boundariesOf;
  private final AtomicReferenceArray<@Nullable TimeSpan> known;
  private @Nullable LogFile file;
  private @Nullable Boundaries boundaries;

  /**
   * @param source the source of the log's bytes
   * @param boundariesOf makes the boundaries from the log's begin on
   * @param known the times that were read so far, by milestone; null if not read; this object adds
   *     to it
   */
  MilestoneTimes(
      LogSource source,
      Function<LogFile, Boundaries> boundariesOf,
      AtomicReferenceArray<@Nullable TimeSpan> known) {
    this.source = source;
    this.boundariesOf = boundariesOf;
    this.known = known;
  }

  /**
   * Returns the span of a milestone's times in index and log.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  TimeSpan of(int milestone) throws IOException {
    TimeSpan times = known.get(milestone);
    if (times == null) {
      Boundaries read = boundaries();
      times = read.times(milestone);
      // Bytes that are no milestone yet may become one when they arrive.
      if (read.isMilestone(milestone)) {
        known.set(milestone, times);
      }
    }
    return times;
  }

  private Boundaries boundaries() throws IOException {
    Boundaries opened = boundaries;
    if (opened == null) {
      LogFile newFile = source.open();
      file = newFile;
      opened = boundariesOf.apply(newFile);
      boundaries = opened;
    }
    return opened;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
