package org.kblake.core.internal.parquet.read;

import java.util.Arrays;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;

/** Writes into the arrays of a batch, by column. */
final class ColumnArrays {

  private ColumnArrays() {}

  /** Copies decoded numbers into the rows from {@code row} on of a column with a narrower type. */
  static void narrow(EventColumn column, long[] wide, EventColumns into, int row, int rows) {
    switch (column) {
      case STATE -> {
        for (int i = 0; i < rows; i++) {
          into.state[row + i] = (byte) wide[i];
        }
      }
      case SEVERITY -> {
        for (int i = 0; i < rows; i++) {
          into.severity[row + i] = (byte) wide[i];
        }
      }
      case STATUS -> {
        for (int i = 0; i < rows; i++) {
          into.status[row + i] = (short) wide[i];
        }
      }
      case SEGMENT -> {
        for (int i = 0; i < rows; i++) {
          into.segment[row + i] = (int) wide[i];
        }
      }
      case TIE -> {
        for (int i = 0; i < rows; i++) {
          into.tie[row + i] = (int) wide[i];
        }
      }
      case CHANNEL, TIME, VALUE, STRAY, LATENESS ->
          throw new IllegalArgumentException(column + " is not a narrow number");
    }
  }

  /** Writes one value into the rows from {@code row} on. */
  static void fill(EventColumn column, long value, EventColumns into, int row, int rows) {
    int end = row + rows;
    switch (column) {
      case CHANNEL -> throw new IllegalArgumentException("the channel column has no array");
      case TIME -> Arrays.fill(into.timeNanos, row, end, value);
      case VALUE -> Arrays.fill(into.values, row, end, value);
      case STATE -> Arrays.fill(into.state, row, end, (byte) value);
      case SEVERITY -> Arrays.fill(into.severity, row, end, (byte) value);
      case STATUS -> Arrays.fill(into.status, row, end, (short) value);
      case STRAY -> Arrays.fill(into.stray, row, end, (byte) value);
      case SEGMENT -> Arrays.fill(into.segment, row, end, (int) value);
      case LATENESS -> Arrays.fill(into.latenessNanos, row, end, value);
      case TIE -> Arrays.fill(into.tie, row, end, (int) value);
    }
  }
}
