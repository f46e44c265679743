package org.kblake.cli.command.store;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;

/** The period that the options {@code --from} and {@code --to} give. */
final class Period {

  private Period() {}

  /**
   * Returns [from, to), without a bound where an option is missing.
   *
   * @throws UsageException if the period is empty, or a time cannot be
   */
  static TimeRange of(Session session, @Nullable TimeArgument from, @Nullable TimeArgument to) {
    try {
      long fromNanos =
          from == null ? TimeRange.ALL.fromNanos() : nanos(session, from, TimeArgument.Bound.FROM);
      long toNanos =
          to == null ? TimeRange.ALL.toNanos() : nanos(session, to, TimeArgument.Bound.TO);
      if (fromNanos >= toNanos) {
        ZoneId zone = session.settings().outZone();
        throw new UsageException(
            "--from must be before --to: from %s to %s"
                .formatted(TimeArgument.text(fromNanos, zone), TimeArgument.text(toNanos, zone)));
      }
      return new TimeRange(fromNanos, toNanos);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static long nanos(Session session, TimeArgument time, TimeArgument.Bound bound) {
    return time.nanos(session.settings().outZone(), session.now(), bound);
  }
}
