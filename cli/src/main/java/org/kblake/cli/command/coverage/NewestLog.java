package org.kblake.cli.command.coverage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.NewestEvent;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;

/**
 * The newest log of a group, the only one that is opened.
 *
 * @param state {@link LogState#PENDING} if it grows, {@link LogState#RAW} if it is closed, {@link
 *     LogState#GONE} or {@link LogState#DAMAGED} if it cannot be read
 * @param bytes the size of the log; 0 if it cannot be read
 * @param lastNanos the time of the last event of a closed log; the begin of the pair if there is
 *     none
 * @param silenceNanos the longest time between writes of a running archiver; 0 if it is unknown
 * @param problem the reason why it cannot be read; null if it can
 */
record NewestLog(
    LogState state, long bytes, long lastNanos, long silenceNanos, @Nullable String problem) {

  static NewestLog of(Pair pair) {
    long begin = pair.beginNanos();
    try {
      PairLog log = pair.open();
      if (log.growing()) {
        return new NewestLog(LogState.PENDING, log.logBytes(), begin, 0, null);
      }
      Long last = NewestEvent.nanos(log);
      return new NewestLog(
          LogState.RAW,
          log.logBytes(),
          last == null ? begin : last,
          2 * log.milestoneIntervalNanos(),
          null);
    } catch (PendingPairException e) {
      return new NewestLog(LogState.PENDING, 0, begin, 0, null);
    } catch (UnavailableException e) {
      return new NewestLog(LogState.GONE, 0, begin, 0, e.getMessage());
    } catch (IOException e) {
      return new NewestLog(LogState.DAMAGED, 0, begin, 0, String.valueOf(e.getMessage()));
    }
  }
}
