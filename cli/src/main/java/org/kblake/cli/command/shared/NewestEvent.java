package org.kblake.cli.command.shared;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;

/** The time of the newest event of a log, without a read of its values. */
public final class NewestEvent {

  private NewestEvent() {}

  /**
   * Finds the newest event among the headers after the last milestone of the index. Goes back by a
   * milestone while there is no event.
   *
   * @return nanoseconds since 1970 UTC; null if the log has no event
   */
  public static @Nullable Long nanos(PairLog log) throws IOException {
    Milestones milestones = log.milestones();
    long end = log.logBytes();
    for (int i = milestones.count() - 1; i >= 0; i--) {
      long newest = Long.MIN_VALUE;
      long from = Math.min(milestones.offset(i), end);
      try (LogScanner scanner = LogScanner.open(log, from, end, null)) {
        while (scanner.nextSegment()) {
          newest = Math.max(newest, scanner.segment().lastNanos());
        }
      }
      if (newest != Long.MIN_VALUE) {
        return newest;
      }
      end = from;
    }
    return null;
  }
}
