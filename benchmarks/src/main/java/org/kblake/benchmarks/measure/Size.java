package org.kblake.benchmarks.measure;

/** The amount of data and repetitions. */
public enum Size {
  /** For the test that every row runs. The figures are meaningless. */
  TINY(0.01),
  /** All rows in a quarter of an hour. */
  SMALL(3),
  /** All rows in some hours. */
  FULL(30);

  private final double days;

  Size(double days) {
    this.days = days;
  }

  /** Returns the number of days of rf-year. */
  public double days() {
    return days;
  }

  /** Returns the value for this size. */
  public <T> T choose(T tiny, T small, T full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
