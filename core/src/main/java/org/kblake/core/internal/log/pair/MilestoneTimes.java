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
 * The times of a pair's milestones by index and log. The time of a milestone that the log has is
 * read once and kept by the caller. The log is opened when a time has to be read, and closed with
 * this. For one thread; the kept times are shared between threads.
 */
final class MilestoneTimes implements Closeable {

  private final LogSource source;
  private final Function<LogFile, Boundaries> boundariesOf;
  private final AtomicReferenceArray<@Nullable Span> known;
  private @Nullable LogFile file;
  private @Nullable Boundaries boundaries;

  /**
   * @param source where the log is read
   * @param boundariesOf the milestones of the index, from the log's begin on
   * @param known by milestone the times read so far, null where not read; this adds to it
   */
  MilestoneTimes(
      LogSource source,
      Function<LogFile, Boundaries> boundariesOf,
      AtomicReferenceArray<@Nullable Span> known) {
    this.source = source;
    this.boundariesOf = boundariesOf;
    this.known = known;
  }

  /**
   * From the earlier to the later of what index and log say of a milestone.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  Span of(int milestone) throws IOException {
    Span times = known.get(milestone);
    if (times == null) {
      Boundaries read = boundaries();
      times = read.times(milestone);
      // What is not a milestone may become one when its bytes arrive.
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
