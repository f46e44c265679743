package org.kblake.benchmarks.compare;

/** How much is measured. */
enum Size {
  /** So little that figures mean nothing: for the test that every row runs. */
  TINY(0.01),
  /** All rows in a quarter of an hour. */
  SMALL(3),
  /** Hours. */
  FULL(30);

  private final double days;

  Size(double days) {
    this.days = days;
  }

  /** How many days of rf-year. */
  double days() {
    return days;
  }

  /** One of three, in the order in which sizes are declared. */
  <T> T choose(T tiny, T small, T full) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case FULL -> full;
    };
  }
}
