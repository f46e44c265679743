package org.kblake.core.metadata;

import org.jspecify.annotations.Nullable;

/**
 * The name of a record whose events belong to a channel.
 *
 * @param name the record's name
 * @param fromNanos earlier events belong to another channel, nanoseconds since 1970 UTC; {@link
 *     Long#MIN_VALUE} if none do
 * @param untilNanos events from this time on belong to another channel; {@link Long#MAX_VALUE} if
 *     none do
 * @param hasStrays whether strays of the record belong to the channel. Their times are wrong
 */
public record RecordName(String name, long fromNanos, long untilNanos, boolean hasStrays) {

  /** Creates the name of a record whose events all belong to a channel. */
  public RecordName(String name) {
    this(name, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Creates the name of a record whose strays belong to a channel if no time limits it. */
  public RecordName(String name, long fromNanos, long untilNanos) {
    this(name, fromNanos, untilNanos, untilNanos == Long.MAX_VALUE);
  }

  /** Returns whether all events of the record belong to the channel. */
  public boolean isWhole() {
    return fromNanos == Long.MIN_VALUE && untilNanos == Long.MAX_VALUE && hasStrays;
  }

  /** Returns whether an event that is no stray belongs to the channel. */
  public boolean has(long nanos) {
    return fromNanos <= nanos && (nanos < untilNanos || untilNanos == Long.MAX_VALUE);
  }

  // Written out, because generating the methods of a record takes milliseconds in a new process.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RecordName record
        && name.equals(record.name)
        && fromNanos == record.fromNanos
        && untilNanos == record.untilNanos
        && hasStrays == record.hasStrays;
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Long.hashCode(untilNanos);
  }
}
