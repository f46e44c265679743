package org.kblake.core.internal.store.rollup;

import java.util.List;
import java.util.Locale;
import org.apache.parquet.format.SchemaElement;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.SchemaElements;

/**
 * The columns of a rollup beside the channel and the width, in their order in the file. The order
 * is part of the format of the directory.
 */
public enum RollupColumn {
  /** The begin of the bin, nanoseconds since 1970 UTC. */
  BIN(Kind.TIME, Presence.ALWAYS),
  /** The number of value events. */
  COUNT(Kind.INTEGER, Presence.ALWAYS),
  /** The number of them that are NaN. */
  NAN(Kind.INTEGER, Presence.ALWAYS),
  /** The number of connection events. */
  STATES(Kind.INTEGER, Presence.ALWAYS),
  /** The worst severity of the value events. */
  SEVERITY(Kind.INTEGER, Presence.ALWAYS),
  /** The first segment of the block that has one of these events. */
  FIRST_SEGMENT(Kind.INTEGER, Presence.ALWAYS),
  /** The last segment of the block that has one of these events. */
  LAST_SEGMENT(Kind.INTEGER, Presence.ALWAYS),
  FIRST(Kind.NUMBER, Presence.NUMBERS),
  FIRST_TIME(Kind.TIME, Presence.NUMBERS),
  /** The position of the first number among the channel's rows in the block, in log order. */
  FIRST_PLACE(Kind.INTEGER, Presence.NUMBERS),
  LAST(Kind.NUMBER, Presence.NUMBERS),
  LAST_TIME(Kind.TIME, Presence.NUMBERS),
  LAST_PLACE(Kind.INTEGER, Presence.NUMBERS),
  MIN(Kind.NUMBER, Presence.NUMBERS),
  MIN_TIME(Kind.TIME, Presence.NUMBERS),
  MAX(Kind.NUMBER, Presence.NUMBERS),
  MAX_TIME(Kind.TIME, Presence.NUMBERS),
  MEAN(Kind.NUMBER, Presence.NUMBERS),
  /** The root of the mean square distance from the mean. */
  DEVIATION(Kind.NUMBER, Presence.NUMBERS),
  /** The integral of the held value from the first to the last value event, value times seconds. */
  INTEGRAL(Kind.NUMBER, Presence.PLAIN),
  /** The known time from the first to the last value event, nanoseconds. */
  KNOWN(Kind.INTEGER, Presence.PLAIN);

  /** The rows that have a value. */
  enum Presence {
    ALWAYS,
    /** The rows with a number, which is not NaN. */
    NUMBERS,
    /** The rows whose integral follows from their numbers alone ({@link RollupRows#isPlain}). */
    PLAIN
  }

  private enum Kind {
    TIME,
    INTEGER,
    NUMBER
  }

  private static final RollupColumn[] ALL = values();

  private final Kind kind;
  private final Presence presence;

  RollupColumn(Kind kind, Presence presence) {
    this.kind = kind;
    this.presence = presence;
  }

  /** Returns the number of columns. */
  static int columns() {
    return ALL.length;
  }

  static RollupColumn of(int ordinal) {
    return ALL[ordinal];
  }

  Presence presence() {
    return presence;
  }

  /** Returns whether values are bits of doubles. */
  boolean isNumber() {
    return kind == Kind.NUMBER;
  }

  NumberKind numberKind() {
    return isNumber() ? NumberKind.DOUBLE : NumberKind.INT64;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param lake whether times are plain integers
   */
  SchemaElement schema(boolean lake) {
    SchemaElement leaf =
        SchemaElements.leaf(text(), numberKind().parquet(), presence != Presence.ALWAYS);
    return kind == Kind.TIME && !lake ? SchemaElements.utcNanos(leaf) : leaf;
  }

  List<String> path() {
    return List.of(text());
  }
}
