package org.kblake.cli.command.coverage;

import org.kblake.core.model.TimeRange;

/** A span of time of a group's log in one state. */
record StateSpan(LogState state, TimeRange range) {

  /** Returns the length in nanoseconds, exact up to 2^53, about 100 days. */
  double nanos() {
    long length = range.toNanos() - range.fromNanos();
    // A longer time than a long can have
    return length < 0 ? (double) range.toNanos() - range.fromNanos() : length;
  }
}
