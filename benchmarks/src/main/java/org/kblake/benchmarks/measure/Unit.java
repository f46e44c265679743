package org.kblake.benchmarks.measure;

import com.fasterxml.jackson.annotation.JsonValue;

/** The unit of a figure, and whether larger figures are better. */
public enum Unit {
  MEBIBYTES_PER_SECOND("MiB/s", true),
  MILLIONS_PER_SECOND("M rows/s", true),
  THOUSANDS_PER_SECOND("k values/s", true),
  PER_SECOND("/s", true),
  SECONDS("s", false),
  MILLISECONDS("ms", false),
  MICROSECONDS("us", false),
  NANOSECONDS_PER_POINT("ns/point", false),
  NANOSECONDS_PER_EVENT("ns/event", false),
  BYTES_PER_EVENT("bytes/event", false),
  BYTES_PER_STORED_BYTE("bytes/stored byte", false),
  MEBIBYTES("MiB", false),
  PER_CENT("%", true);

  private final String label;
  private final boolean moreIsBetter;

  Unit(String label, boolean moreIsBetter) {
    this.label = label;
    this.moreIsBetter = moreIsBetter;
  }

  @JsonValue
  public String label() {
    return label;
  }

  public boolean moreIsBetter() {
    return moreIsBetter;
  }
}
