package org.kblake.query.question;

/**
 * A figure of the value events of a bin. NaN counts in {@link #COUNT}, {@link #NAN} and {@link
 * #SEVERITY} only. Infinities take part in everything.
 */
public enum Aggregate {
  /** The number of value events. */
  COUNT("count", true),
  /** The number of value events that are NaN. */
  NAN("nan", false),
  /** The first value in log order. */
  FIRST("first", true),
  /** The last value in log order. */
  LAST("last", true),
  /** The time of {@link #FIRST}. */
  FIRST_TIME("first-time", false),
  /** The time of {@link #LAST}. */
  LAST_TIME("last-time", false),
  /** The least value. -0.0 is less than 0.0. */
  MIN("min", false),
  /** The greatest value. */
  MAX("max", false),
  /** The time of the first event in log order that has {@link #MIN}. */
  MIN_TIME("min-time", false),
  /** The time of the first event in log order that has {@link #MAX}. */
  MAX_TIME("max-time", false),
  /** The mean of the values. Its error is at most 1e-12 times the largest absolute value. */
  MEAN("mean", false),
  /** The standard deviation of the sample (n - 1), with the same error. */
  STD("std", false),
  /** The integral of the held value over {@link #KNOWN}, divided by it. */
  TIME_MEAN("time-mean", false),
  /**
   * The seconds of the bin in which the channel held a number and was connected, kblog was running,
   * and the log can be read.
   */
  KNOWN("known", false),
  /** The worst severity, 0 to 3. */
  SEVERITY("severity", true);

  private final String text;
  private final boolean ofAllTypes;

  Aggregate(String text, boolean ofAllTypes) {
    this.text = text;
    this.ofAllTypes = ofAllTypes;
  }

  /** Returns the name in options and columns. */
  public String text() {
    return text;
  }

  /** Returns whether enums, strings and waveforms have it, too. */
  public boolean isOfAllTypes() {
    return ofAllTypes;
  }

  /** Returns whether it is a time: nanoseconds since 1970 UTC. */
  public boolean isTime() {
    return switch (this) {
      case FIRST_TIME, LAST_TIME, MIN_TIME, MAX_TIME -> true;
      case COUNT, NAN, FIRST, LAST, MIN, MAX, MEAN, STD, TIME_MEAN, KNOWN, SEVERITY -> false;
    };
  }

  /** Returns whether it is one of the channel's values. */
  public boolean isValue() {
    return switch (this) {
      case FIRST, LAST, MIN, MAX -> true;
      case COUNT, NAN, FIRST_TIME, LAST_TIME, MIN_TIME, MAX_TIME, MEAN, STD -> false;
      case TIME_MEAN, KNOWN, SEVERITY -> false;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
