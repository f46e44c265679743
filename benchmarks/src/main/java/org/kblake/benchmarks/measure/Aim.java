package org.kblake.benchmarks.measure;

/**
 * The aim of a figure.
 *
 * @param kind the quantity that is compared with the limit
 * @param limit a factor, or a number in the figure's unit
 */
public record Aim(Kind kind, double limit) {

  /** The quantity that is compared with the limit. */
  public enum Kind {
    /** There is no aim. */
    NONE,
    /** The least factor by which the figure is better than the figure beside it. */
    TIMES_BETTER,
    /** The largest multiple of the figure beside it. */
    TIMES_AT_MOST,
    /** The least figure. */
    AT_LEAST,
    /** The largest figure. */
    AT_MOST,
    /** The largest difference to the figure beside it. */
    MORE_BY_AT_MOST
  }

  public static final Aim NONE = new Aim(Kind.NONE, 0);

  public static Aim timesBetter(double times) {
    return new Aim(Kind.TIMES_BETTER, times);
  }

  public static Aim timesAtMost(double times) {
    return new Aim(Kind.TIMES_AT_MOST, times);
  }

  public static Aim atLeast(double value) {
    return new Aim(Kind.AT_LEAST, value);
  }

  public static Aim atMost(double value) {
    return new Aim(Kind.AT_MOST, value);
  }

  public static Aim moreByAtMost(double value) {
    return new Aim(Kind.MORE_BY_AT_MOST, value);
  }

  /** Returns the text for tables, which is empty if there is no aim. */
  public String text(Unit unit) {
    String number = Numbers.plain(limit);
    return switch (kind) {
      case NONE -> "";
      case TIMES_BETTER -> ">= " + number + " x";
      case TIMES_AT_MOST -> "<= " + number + " x";
      case AT_LEAST -> ">= " + number + " " + unit.label();
      case AT_MOST -> "<= " + number + " " + unit.label();
      case MORE_BY_AT_MOST -> "<= + " + number + " " + unit.label();
    };
  }

  /**
   * Compares the aim with the medians. Returns {@code met}, {@code **missed**}, or an empty text if
   * there is no aim or no figure.
   */
  public String outcome(Line line) {
    double ours = line.ours().median();
    double value =
        switch (kind) {
          case NONE -> Double.NaN;
          case TIMES_BETTER -> line.ratio();
          case TIMES_AT_MOST -> -line.ratio();
          case AT_LEAST -> ours;
          case AT_MOST -> -ours;
          case MORE_BY_AT_MOST -> line.besideMedian() - ours;
        };
    double least =
        switch (kind) {
          case NONE, TIMES_BETTER, AT_LEAST -> limit;
          case TIMES_AT_MOST, AT_MOST, MORE_BY_AT_MOST -> -limit;
        };
    if (Double.isNaN(value)) {
      return "";
    }
    return value >= least ? "met" : "**missed**";
  }
}
