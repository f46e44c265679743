package org.kblake.cli.check;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.format.argument.DurationArgument;

/** The kinds of checks. */
public enum CheckKind {
  PROCESS(Unit.NONE, false, null, null),
  STALE(Unit.SECONDS, false, "1h", "6h"),
  LAG(Unit.SECONDS, false, "2h", "12h"),
  COVERAGE(Unit.PERCENT, true, "95%", "80%"),
  DISK(Unit.DAYS, true, "30d", "7d"),
  SCRUB(Unit.SECONDS, false, "45d", "90d"),
  HIT_RATIO(Unit.PERCENT, true, null, null);

  /** The unit of a kind's figure. */
  enum Unit {
    NONE,
    SECONDS,
    DAYS,
    PERCENT
  }

  private final Unit unit;
  private final boolean lessIsWorse;
  private final @Nullable String warning;
  private final @Nullable String critical;

  CheckKind(Unit unit, boolean lessIsWorse, @Nullable String warning, @Nullable String critical) {
    this.unit = unit;
    this.lessIsWorse = lessIsWorse;
    this.warning = warning;
    this.critical = critical;
  }

  Unit unit() {
    return unit;
  }

  boolean lessIsWorse() {
    return lessIsWorse;
  }

  /** Returns the default threshold of a warning; null if there is none. */
  @Nullable String warning() {
    return warning;
  }

  /** Returns the default threshold of critical; null if there is none. */
  @Nullable String critical() {
    return critical;
  }

  /**
   * Parses a threshold.
   *
   * @throws IllegalArgumentException if the text is not a threshold of this kind
   */
  double parse(String text) {
    return switch (unit) {
      case SECONDS -> seconds(text);
      case DAYS -> seconds(text) / Duration.ofDays(1).toSeconds();
      case PERCENT -> percent(text);
      case NONE -> throw new IllegalArgumentException(this + " has no thresholds");
    };
  }

  private static double seconds(String text) {
    return DurationArgument.parse(text).toNanos() * 1e-9;
  }

  private static double percent(String text) {
    if (!text.matches("\\d{1,3}(\\.\\d+)?%?")) {
      throw new IllegalArgumentException("'" + text + "' is not a percentage; write 99%");
    }
    return Double.parseDouble(text.replace("%", ""));
  }

  /** Returns the name for the command line and Nagios. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
