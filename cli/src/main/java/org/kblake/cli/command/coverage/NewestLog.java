package org.kblake.cli.command.coverage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.NewestEvent;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;

/**
 * The newest log of a group.
 *
 * @param stamp the stamp of its pair
 * @param state {@link LogState#PENDING} if it grows, {@link LogState#RAW} if it is closed, {@link
 *     LogState#GONE} or {@link LogState#DAMAGED} if it cannot be read
 * @param bytes the size of the log; 0 if it cannot be read
 * @param lastNanos the time of the last event of a closed log; the begin of the pair if there is
 *     none
 * @param problem the reason why it cannot be read; null if it can
 */
record NewestLog(
    String stamp, LogState state, long bytes, long lastNanos, @Nullable String problem) {

  static NewestLog of(Pair pair) {
    long begin = pair.beginNanos();
    try {
      PairLog log = pair.open();
      if (log.growing()) {
        return new NewestLog(pair.stamp(), LogState.PENDING, log.logBytes(), begin, null);
      }
      Long last = NewestEvent.nanos(log);
      // Events may be a little older than the begin of their pair.
      long end = last == null ? begin : Math.max(begin, last);
      return new NewestLog(pair.stamp(), LogState.RAW, log.logBytes(), end, null);
    } catch (PendingPairException e) {
      return new NewestLog(pair.stamp(), LogState.PENDING, 0, begin, null);
    } catch (UnavailableException e) {
      return new NewestLog(pair.stamp(), LogState.GONE, 0, begin, e.getMessage());
    } catch (IOException e) {
      return new NewestLog(
          pair.stamp(), LogState.DAMAGED, 0, begin, String.valueOf(e.getMessage()));
    }
  }
}
