package org.kblake.cli.check;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The thresholds of a kind for a warning and for critical. */
public final class Thresholds {

  private final CheckKind kind;
  private final @Nullable Double warning;
  private final @Nullable Double critical;

  private Thresholds(CheckKind kind, @Nullable Double warning, @Nullable Double critical) {
    this.kind = kind;
    this.warning = warning;
    this.critical = critical;
  }

  /**
   * Parses thresholds.
   *
   * @param warning null for the default
   * @param critical null for the default
   * @throws IllegalArgumentException if one is not a threshold of this kind
   */
  public static Thresholds of(CheckKind kind, @Nullable String warning, @Nullable String critical) {
    String first = warning == null ? kind.warning() : warning;
    String second = critical == null ? kind.critical() : critical;
    return new Thresholds(
        kind, first == null ? null : kind.parse(first), second == null ? null : kind.parse(second));
  }

  /**
   * Returns the thresholds of a kind whose figure is a time.
   *
   * @param warning null for none
   * @param critical null for none
   */
  public static Thresholds of(
      CheckKind kind, @Nullable Duration warning, @Nullable Duration critical) {
    return new Thresholds(kind, seconds(warning), seconds(critical));
  }

  private static @Nullable Double seconds(@Nullable Duration duration) {
    return duration == null
        ? null
        : Double.valueOf(duration.getSeconds() + duration.getNano() * 1e-9);
  }

  /** Returns the severity of a figure. */
  public Severity of(double number) {
    if (critical != null && isBad(number, critical)) {
      return Severity.CRITICAL;
    }
    return warning != null && isBad(number, warning) ? Severity.WARNING : Severity.OK;
  }

  /** Returns the threshold of a warning; infinite if there is none. For figures that grow. */
  public double warning() {
    return warning == null ? Double.POSITIVE_INFINITY : warning;
  }

  /** Returns the threshold of critical; infinite if there is none. For figures that grow. */
  public double critical() {
    return critical == null ? Double.POSITIVE_INFINITY : critical;
  }

  private boolean isBad(double number, double threshold) {
    return kind.lessIsWorse() ? number < threshold : number > threshold;
  }

  /** Formats performance data, such as {@code lag=720s;3600;7200;0}. */
  String performance(double number) {
    String unit =
        switch (kind.unit()) {
          case SECONDS -> "s";
          case PERCENT -> "%";
          case DAYS, NONE -> "";
        };
    return kind
        + "="
        + number(number)
        + unit
        + ";"
        + range(warning)
        + ";"
        + range(critical)
        + ";0"
        + (kind.unit() == CheckKind.Unit.PERCENT ? ";100" : "");
  }

  /** Formats a threshold as a range of good figures: {@code 5} is up to 5, {@code 5:} is from 5. */
  private String range(@Nullable Double threshold) {
    return threshold == null ? "" : number(threshold) + (kind.lessIsWorse() ? ":" : "");
  }

  private static String number(double number) {
    return number == Math.rint(number)
        ? Long.toString((long) number)
        : String.format(Locale.ROOT, "%.2f", number);
  }
}
