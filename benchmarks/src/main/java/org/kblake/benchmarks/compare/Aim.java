package org.kblake.benchmarks.compare;

/**
 * What a figure should be.
 *
 * @param kind what the limit is a limit of
 * @param limit in times, or in the figure's unit
 */
record Aim(Kind kind, double limit) {

  /** What the limit is a limit of. */
  enum Kind {
    /** Nothing was promised. */
    NONE,
    /** So many times better than what is beside it: faster, smaller. */
    TIMES_BETTER,
    /** The largest multiple of the number beside it. */
    TIMES_AT_MOST,
    /** At least this much. */
    AT_LEAST,
    /** At most this much. */
    AT_MOST,
    /** At most this much more than what is beside it. */
    MORE_BY_AT_MOST
  }

  static final Aim NONE = new Aim(Kind.NONE, 0);

  static Aim timesBetter(double times) {
    return new Aim(Kind.TIMES_BETTER, times);
  }

  static Aim timesAtMost(double times) {
    return new Aim(Kind.TIMES_AT_MOST, times);
  }

  static Aim atLeast(double value) {
    return new Aim(Kind.AT_LEAST, value);
  }

  static Aim atMost(double value) {
    return new Aim(Kind.AT_MOST, value);
  }

  static Aim moreByAtMost(double value) {
    return new Aim(Kind.MORE_BY_AT_MOST, value);
  }

  /** As tables have it; empty if nothing was promised. */
  String text(Unit unit) {
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

  /** Whether medians meet it: {@code met}, {@code **missed**}, or empty if unknown. */
  String outcome(Line line) {
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
