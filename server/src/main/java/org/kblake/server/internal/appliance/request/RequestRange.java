package org.kblake.server.internal.appliance.request;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The range of a request. An answer begins with the last sample at or before its begin, and has all
 * samples after it up to its end.
 *
 * @param fromNanos nanoseconds since 1970 UTC
 * @param toNanos nanoseconds since 1970 UTC, included
 */
public record RequestRange(long fromNanos, long toNanos) {

  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  public RequestRange {
    if (toNanos < fromNanos) {
      throw HttpStatusException.wrong("to", "it is earlier than from");
    }
  }

  /**
   * Returns the range that the parameters {@code from} and {@code to} name. Without {@code to} it
   * ends an hour after now. Without {@code from} it begins a day before its end.
   *
   * @throws HttpStatusException if a time is wrong, or the range ends before it begins
   */
  public static RequestRange of(QueryParameters parameters, Instant now) {
    long to = RequestTime.nanos("to", parameters.optional("to"), RequestTime.soon(now));
    String from = parameters.optional("from");
    return new RequestRange(
        from == null
            ? Math.max(to - DAY_NANOS, Long.MIN_VALUE + 2)
            : RequestTime.nanos("from", from),
        to);
  }
}
