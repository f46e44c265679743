package org.kblake.cli.command.coverage;

/** A stretch of a pair's log that is not in columns. Its times are those of {@link RawTimes}. */
record RawPart(long fromOffset, long toOffset, PartTimes times) implements LogPart {

  @Override
  public LogState state() {
    return LogState.RAW;
  }
}
