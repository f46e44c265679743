package org.kblake.query.question;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;

/**
 * What a question is about: channels, times, the source of the answer, the look-back of held
 * values, and whether the answer may be incomplete. Immutable; each method returns a changed copy.
 */
public final class Scope {

  private final ChannelSelection channels;
  private TimeRange range = TimeRange.ALL;
  private Source source = Source.AUTO;
  private long lookBackNanos = HeldQuery.DEFAULT_LOOK_BACK.toNanos();
  private boolean allowsIncomplete;
  private @Nullable TimeMask mask;

  private Scope(ChannelSelection channels) {
    this.channels = channels;
  }

  /**
   * Returns the channels at all times, from columns and raw logs, with {@link
   * HeldQuery#DEFAULT_LOOK_BACK}. The answer must be complete.
   */
  public static Scope of(ChannelSelection channels) {
    return new Scope(channels);
  }

  /** Returns a copy. It is changed only before it is returned to the caller. */
  private Scope copy() {
    Scope copy = new Scope(channels);
    copy.range = range;
    copy.source = source;
    copy.lookBackNanos = lookBackNanos;
    copy.allowsIncomplete = allowsIncomplete;
    copy.mask = mask;
    return copy;
  }

  /** Sets the range of times. */
  public Scope between(TimeRange newRange) {
    Scope copy = copy();
    copy.range = newRange;
    return copy;
  }

  /** Sets the range to an instant, nanoseconds since 1970 UTC. */
  public Scope at(long nanos) {
    return between(new TimeRange(nanos, EpochNanos.plus(nanos, 1)));
  }

  /** Sets the source of the answer. */
  public Scope from(Source newSource) {
    Scope copy = copy();
    copy.source = newSource;
    return copy;
  }

  /** Sets the greatest age of a held value, at least 0. */
  public Scope lookBack(Duration duration) {
    return lookBackNanos(EpochNanos.of(duration));
  }

  /** Sets the greatest age of a held value in nanoseconds, at least 0. */
  public Scope lookBackNanos(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("look-back is negative: nanos=" + nanos);
    }
    Scope copy = copy();
    copy.lookBackNanos = nanos;
    return copy;
  }

  /** Allows an answer from which events may be missing, because a log cannot be read. */
  public Scope allowIncomplete() {
    Scope copy = copy();
    copy.allowsIncomplete = true;
    return copy;
  }

  /** Restricts the times whose events and held values count in a {@link TrendQuery}. */
  public Scope within(TimeMask newMask) {
    Scope copy = copy();
    copy.mask = newMask;
    return copy;
  }

  /** Returns the channels. */
  public ChannelSelection channels() {
    return channels;
  }

  /** Returns the range of times. */
  public TimeRange range() {
    return range;
  }

  /** Returns the source of the answer. */
  public Source source() {
    return source;
  }

  /** Returns the greatest age of a held value in nanoseconds. */
  public long lookBackNanos() {
    return lookBackNanos;
  }

  /** Returns whether events may be missing from the answer. */
  public boolean allowsIncomplete() {
    return allowsIncomplete;
  }

  /** Returns the times whose events and held values count in a trend; null for all. */
  public @Nullable TimeMask mask() {
    return mask;
  }

  /** Returns the range, which begins earlier by the look-back. */
  public TimeRange searched() {
    return new TimeRange(EpochNanos.minus(range.fromNanos(), lookBackNanos), range.toNanos());
  }

  /** Returns the scope of {@link #searched}, without a look-back. */
  public Scope widened() {
    return between(searched()).lookBackNanos(0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scope scope
        && channels.equals(scope.channels)
        && range.equals(scope.range)
        && source == scope.source
        && lookBackNanos == scope.lookBackNanos
        && allowsIncomplete == scope.allowsIncomplete
        && Objects.equals(mask, scope.mask);
  }

  @Override
  public int hashCode() {
    return Objects.hash(channels, range, source, lookBackNanos, allowsIncomplete, mask);
  }

  /** Returns channels and range as text. */
  String channelsAndRange() {
    return channels
        + " from "
        + EpochNanos.instant(range.fromNanos())
        + " to "
        + EpochNanos.instant(range.toNanos());
  }

  /** Returns channels and range, and what else is not as {@link #of} returns it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(channelsAndRange());
    if (source != Source.AUTO) {
      text.append(", source ").append(source);
    }
    if (lookBackNanos != HeldQuery.DEFAULT_LOOK_BACK.toNanos()) {
      text.append(", look-back ").append(Duration.ofNanos(lookBackNanos));
    }
    if (allowsIncomplete) {
      text.append(", may be incomplete");
    }
    return mask == null ? text.toString() : text.append(", within ").append(mask).toString();
  }
}
