package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import org.kblake.core.model.EpochNanos;

/**
 * A question about the values that channels held at an instant. Immutable; each method returns a
 * changed copy.
 *
 * @param scope the scope, whose range becomes its first instant
 */
public record HeldQuery(Scope scope) implements Question<HeldQuery> {

  /** A look-back without a limit: the search ends at the begin of the group's log. */
  public static final Duration UNLIMITED_LOOK_BACK = Duration.ofNanos(Long.MAX_VALUE);

  /** The default look-back: 365 days. */
  public static final Duration DEFAULT_LOOK_BACK = Duration.ofDays(365);

  public HeldQuery {
    scope = scope.at(scope.range().fromNanos());
  }

  /** Returns a question about an instant, with {@link #DEFAULT_LOOK_BACK}. */
  public static HeldQuery of(ChannelSelection channels, Instant at) {
    return new HeldQuery(Scope.of(channels).at(EpochNanos.of(at)));
  }

  @Override
  public HeldQuery with(Scope newScope) {
    return new HeldQuery(newScope);
  }

  /** Sets the instant, nanoseconds since 1970 UTC. */
  public HeldQuery at(long nanos) {
    return with(scope.at(nanos));
  }

  /** Returns the instant, nanoseconds since 1970 UTC. */
  public long atNanos() {
    return scope.range().fromNanos();
  }
}
