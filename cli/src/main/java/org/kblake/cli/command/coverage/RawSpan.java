package org.kblake.cli.command.coverage;

import org.kblake.core.log.WriteTimes;

/** A span of a pair's log that is not in columns. Its times are those of {@link RawTimes}. */
record RawSpan(long fromOffset, long toOffset, WriteTimes times) implements TimedSpan {

  @Override
  public LogState state() {
    return LogState.RAW;
  }
}
