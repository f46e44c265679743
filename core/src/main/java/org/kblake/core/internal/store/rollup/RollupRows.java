package org.kblake.core.internal.store.rollup;

import java.util.Arrays;
import org.kblake.core.internal.sums.ScaledSums;

/**
 * Rows of a rollup of one channel, sorted by their bins. The arrays belong to this object. Doubles
 * are stored as their bits. Not thread safe.
 */
public final class RollupRows {

  /** The rank of a place in the log of the least and of the greatest value. They are not stored. */
  private static final int MIN_PLACE = RollupColumn.columns();

  private static final int MAX_PLACE = MIN_PLACE + 1;

  private final long[][] columns;
  private final ScaledSums sums = new ScaledSums(1, true);
  private boolean[] plain;
  private int count;

  RollupRows(int capacity) {
    columns = new long[MAX_PLACE + 1][Math.max(1, capacity)];
    plain = new boolean[columns[0].length];
  }

  /** Returns the number of rows. */
  public int count() {
    return count;
  }

  /** Returns an integer or a time of a row. It has no meaning if the row does not have it. */
  public long integer(RollupColumn column, int row) {
    return columns[column.ordinal()][row];
  }

  /** Returns a number of a row. It has no meaning if the row does not have it. */
  public double number(RollupColumn column, int row) {
    return Double.longBitsToDouble(columns[column.ordinal()][row]);
  }

  /** Returns the number of value events of a row that are not NaN. */
  public long numbers(int row) {
    return integer(RollupColumn.COUNT, row) - integer(RollupColumn.NAN, row);
  }

  /**
   * Returns whether the events of a row have no NaN, no infinite integral, ascend in time, and are
   * no connection events. Then its integral and its known time follow from its numbers alone.
   */
  public boolean isPlain(int row) {
    return plain[row];
  }

  /** Returns whether a row has a value of a column. */
  boolean has(RollupColumn column, int row) {
    return switch (column.presence()) {
      case ALWAYS -> true;
      case NUMBERS -> numbers(row) > 0;
      case PLAIN -> plain[row];
    };
  }

  void set(RollupColumn column, int row, long value) {
    columns[column.ordinal()][row] = value;
  }

  void set(RollupColumn column, int row, double value) {
    columns[column.ordinal()][row] = Double.doubleToRawLongBits(value);
  }

  void setPlain(int row, boolean isPlain) {
    plain[row] = isPlain;
  }

  void setPlaces(int row, long ofMin, long ofMax) {
    columns[MIN_PLACE][row] = ofMin;
    columns[MAX_PLACE][row] = ofMax;
  }

  long placeOfMin(int row) {
    return columns[MIN_PLACE][row];
  }

  long placeOfMax(int row) {
    return columns[MAX_PLACE][row];
  }

  /** Returns the array of a column, for decoding. */
  long[] array(RollupColumn column) {
    return columns[column.ordinal()];
  }

  /** Sets the number of rows. Their values are undefined. */
  void setCount(int rows) {
    ensure(rows);
    count = rows;
  }

  private void ensure(int rows) {
    if (rows > plain.length) {
      int capacity = Math.max(rows, 2 * plain.length);
      for (int i = 0; i < columns.length; i++) {
        columns[i] = Arrays.copyOf(columns[i], capacity);
      }
      plain = Arrays.copyOf(plain, capacity);
    }
  }

  /** Adds all rows of another rollup of the channel, in bins of a width. */
  void addAll(RollupRows from, long widthNanos) {
    for (int row = 0; row < from.count; row++) {
      long bin = from.integer(RollupColumn.BIN, row);
      add(from, row, Math.floorDiv(bin, widthNanos) * widthNanos);
    }
  }

  /** Adds a row of another rollup of the channel, as a row of a bin. */
  void add(RollupRows from, int row, long bin) {
    int at = count;
    while (at > 0 && integer(RollupColumn.BIN, at - 1) > bin) {
      at--;
    }
    if (at > 0 && integer(RollupColumn.BIN, at - 1) == bin) {
      merge(at - 1, from, row);
      return;
    }
    ensure(count + 1);
    for (int i = 0; i < columns.length; i++) {
      System.arraycopy(columns[i], at, columns[i], at + 1, count - at);
      columns[i][at] = from.columns[i][row];
    }
    System.arraycopy(plain, at, plain, at + 1, count - at);
    plain[at] = from.plain[row];
    set(RollupColumn.BIN, at, bin);
    count++;
  }

  private void merge(int row, RollupRows from, int other) {
    mergeHeld(row, from, other);
    long numbers = numbers(row);
    long more = from.numbers(other);
    if (more > 0) {
      if (numbers > 0) {
        mergeMoments(row, from, other);
      } else {
        copy(RollupColumn.MEAN, row, from, other);
        copy(RollupColumn.DEVIATION, row, from, other);
      }
      mergeEnds(row, numbers == 0, from, other);
      mergeExtremes(row, numbers == 0, from, other);
    }
    add(RollupColumn.COUNT, row, from, other);
    add(RollupColumn.NAN, row, from, other);
    add(RollupColumn.STATES, row, from, other);
    set(RollupColumn.SEVERITY, row, most(RollupColumn.SEVERITY, row, from, other));
    set(RollupColumn.LAST_SEGMENT, row, most(RollupColumn.LAST_SEGMENT, row, from, other));
    set(
        RollupColumn.FIRST_SEGMENT,
        row,
        Math.min(
            integer(RollupColumn.FIRST_SEGMENT, row),
            from.integer(RollupColumn.FIRST_SEGMENT, other)));
  }

  private void mergeEnds(int row, boolean empty, RollupRows from, int other) {
    if (empty
        || from.integer(RollupColumn.FIRST_PLACE, other) < integer(RollupColumn.FIRST_PLACE, row)) {
      copy(RollupColumn.FIRST, row, from, other);
      copy(RollupColumn.FIRST_TIME, row, from, other);
      copy(RollupColumn.FIRST_PLACE, row, from, other);
    }
    if (empty
        || from.integer(RollupColumn.LAST_PLACE, other) > integer(RollupColumn.LAST_PLACE, row)) {
      copy(RollupColumn.LAST, row, from, other);
      copy(RollupColumn.LAST_TIME, row, from, other);
      copy(RollupColumn.LAST_PLACE, row, from, other);
    }
  }

  /** Takes the lesser least and the greater greatest value; of equal ones the first in the log. */
  private void mergeExtremes(int row, boolean empty, RollupRows from, int other) {
    int least = Double.compare(from.number(RollupColumn.MIN, other), number(RollupColumn.MIN, row));
    if (empty
        || least < 0
        || least == 0 && from.columns[MIN_PLACE][other] < columns[MIN_PLACE][row]) {
      copy(RollupColumn.MIN, row, from, other);
      copy(RollupColumn.MIN_TIME, row, from, other);
      columns[MIN_PLACE][row] = from.columns[MIN_PLACE][other];
    }
    int most = Double.compare(from.number(RollupColumn.MAX, other), number(RollupColumn.MAX, row));
    if (empty
        || most > 0
        || most == 0 && from.columns[MAX_PLACE][other] < columns[MAX_PLACE][row]) {
      copy(RollupColumn.MAX, row, from, other);
      copy(RollupColumn.MAX_TIME, row, from, other);
      columns[MAX_PLACE][row] = from.columns[MAX_PLACE][other];
    }
  }

  private void mergeMoments(int row, RollupRows from, int other) {
    sums.clear(0);
    addMoments(sums, row);
    from.addMoments(sums, other);
    long numbers = numbers(row) + from.numbers(other);
    set(RollupColumn.MEAN, row, sums.mean(0, (double) numbers));
    set(RollupColumn.DEVIATION, row, sums.spread(0, numbers));
  }

  private void addMoments(ScaledSums into, int row) {
    into.addAll(
        0,
        (double) numbers(row),
        number(RollupColumn.MEAN, row),
        number(RollupColumn.DEVIATION, row),
        most(row));
  }

  /** Returns the largest absolute value of a row. */
  public double most(int row) {
    return Math.max(
        Math.abs(number(RollupColumn.MIN, row)), Math.abs(number(RollupColumn.MAX, row)));
  }

  /** Joins the integrals if one row follows the other in time and in the log. */
  private void mergeHeld(int row, RollupRows from, int other) {
    boolean isPlain = false;
    if (plain[row] && from.plain[other]) {
      isPlain =
          integer(RollupColumn.FIRST_PLACE, row) < from.integer(RollupColumn.FIRST_PLACE, other)
              ? join(this, row, from, other, row)
              : join(from, other, this, row, row);
    }
    plain[row] = isPlain;
  }

  /**
   * Sets the integral of two rows.
   *
   * @return false if the second does not follow the first
   */
  private boolean join(RollupRows a, int first, RollupRows b, int second, int into) {
    long fromNanos = a.integer(RollupColumn.LAST_TIME, first);
    long toNanos = b.integer(RollupColumn.FIRST_TIME, second);
    if (a.integer(RollupColumn.LAST_PLACE, first) >= b.integer(RollupColumn.FIRST_PLACE, second)
        || fromNanos > toNanos) {
      return false;
    }
    double between = a.number(RollupColumn.LAST, first) * ((toNanos - fromNanos) / 1e9);
    double integral =
        a.number(RollupColumn.INTEGRAL, first) + between + b.number(RollupColumn.INTEGRAL, second);
    long known =
        a.integer(RollupColumn.KNOWN, first)
            + (toNanos - fromNanos)
            + b.integer(RollupColumn.KNOWN, second);
    set(RollupColumn.INTEGRAL, into, integral);
    set(RollupColumn.KNOWN, into, known);
    return Double.isFinite(integral);
  }

  private void copy(RollupColumn column, int row, RollupRows from, int other) {
    set(column, row, from.integer(column, other));
  }

  private void add(RollupColumn column, int row, RollupRows from, int other) {
    set(column, row, integer(column, row) + from.integer(column, other));
  }

  private long most(RollupColumn column, int row, RollupRows from, int other) {
    return Math.max(integer(column, row), from.integer(column, other));
  }
}
