package org.kblake.cli.command.shared;

import java.time.ZoneId;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.format.argument.TimeArgument.Bound;

/** The options {@code --from} and {@code --to} of a command that reads events. */
public final class RangeOptions {

  private final OptionalValue<TimeArgument> from;
  private final OptionalValue<TimeArgument> to;

  /** Adds the options to a command. */
  public RangeOptions(Options options) {
    from = options.value(TimeArgument.class, "TIME", "Events at or after this time.", "--from");
    to = options.value(TimeArgument.class, "TIME", "Events before this time.", "--to");
  }

  /** Returns whether {@code --from} is given. */
  public boolean hasFrom() {
    return from.isGiven();
  }

  /** Returns whether {@code --to} is given. */
  public boolean hasTo() {
    return to.isGiven();
  }

  /**
   * Returns the range. Without a begin it is everything before its end.
   *
   * @param lastHour whether it is the last hour if neither option is given
   * @throws UsageException if the begin is later than the end, or a time cannot be
   */
  public TimeRange range(Session session, boolean lastHour) {
    TimeArgument begin = from.get();
    TimeArgument end = to.get();
    long toNanos = nanos(session, end == null ? TimeArgument.parse("now") : end, Bound.TO);
    long fromNanos = Long.MIN_VALUE;
    if (begin != null) {
      fromNanos = nanos(session, begin, Bound.FROM);
    } else if (end == null && lastHour) {
      fromNanos = nanos(session, TimeArgument.parse("-1h"), Bound.FROM);
    }
    if (fromNanos > toNanos) {
      ZoneId zone = session.settings().outZone();
      throw new UsageException(
          "--from %s is later than %s %s"
              .formatted(
                  TimeArgument.text(fromNanos, zone),
                  end == null ? "now," : "--to",
                  TimeArgument.text(toNanos, zone)));
    }
    return new TimeRange(fromNanos, toNanos);
  }

  /** Returns the instant of a time. */
  public static long nanos(Session session, TimeArgument time, Bound bound) {
    try {
      return time.nanos(session.settings().outZone(), session.now(), bound);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
