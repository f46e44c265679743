package org.kblake.cli.command.coverage;

import org.kblake.core.log.WriteTimes;

/** A span of a pair's log of which the times of writes are known. */
interface TimedSpan {

  /** Returns {@link LogState#COLUMNS}, or {@link LogState#RAW} if it is not in columns. */
  LogState state();

  /** Returns its begin, bytes from the start of the log. */
  long fromOffset();

  /** Returns its end, bytes from the start of the log. */
  long toOffset();

  WriteTimes times();
}
