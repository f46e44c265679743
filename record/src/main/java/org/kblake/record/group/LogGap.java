package org.kblake.record.group;

/**
 * Events that the log does not have. Times are nanoseconds since 1970 UTC.
 *
 * @param channel the channel, or an empty text for any channel of the group
 * @param fromNanos the time of the last event before, or 0 if there was none
 * @param toNanos the time of the first event after, or the time at which the loss was found
 * @param events the number of lost events
 * @param reason why they are lost
 */
public record LogGap(String channel, long fromNanos, long toNanos, long events, LossReason reason) {

  /** Returns this gap and one that follows it directly as one. */
  LogGap and(LogGap next) {
    return new LogGap(
        channel, fromNanos, Math.max(toNanos, next.toNanos), events + next.events, reason);
  }
}
