package org.kblake.ingest.internal.image;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.ScatteredRows;

/**
 * The pair whose segments a {@link BlockRecorder} records: the series of its records, and the
 * encoder whose bytes are compared with the log.
 */
final class RecordedPair {

  final PairLog log;
  final LogEncoder encoder;
  final int[] seriesOfRecord;

  /** True for each record whose values are single numbers. */
  final boolean[] isNumber;

  final boolean numbersAreExact;

  /** The rows of each record's series that the encoder's states include. */
  private final long[] appliedRows;

  /** The positions of the values that the encoder's states include. */
  private final long[] appliedValues;

  private final @Nullable EventColumns[] oneRow = new EventColumns[2 * ValueType.count()];

  RecordedPair(PairLog log, int[] seriesOfRecord, ScatteredRows rows) {
    this.log = log;
    this.appliedRows = Arrays.stream(seriesOfRecord).mapToLong(rows::rows).toArray();
    this.appliedValues = Arrays.stream(seriesOfRecord).mapToLong(rows::lastValue).toArray();
    this.encoder = new LogEncoder(PairFormat.of(log));
    this.isNumber = new boolean[seriesOfRecord.length];
    for (int ordinal = 0; ordinal < isNumber.length; ordinal++) {
      RecordEntry entry = log.records().entry(ordinal);
      isNumber[ordinal] = !entry.waveform() && entry.type() != ValueType.STRING;
    }
    this.seriesOfRecord = seriesOfRecord;
    this.numbersAreExact = PairFormat.of(log).numbersAreExact();
  }

  /** Returns a batch of one row, for values that are not single numbers. */
  EventColumns oneRow(RecordEntry entry) {
    int index = 2 * entry.type().code() + (entry.waveform() ? 1 : 0);
    EventColumns row = oneRow[index];
    if (row == null) {
      row = new EventColumns(entry.type(), entry.waveform(), 1);
      oneRow[index] = row;
    }
    return row;
  }

  /**
   * Applies the last number of each record to the encoder's states. A milestone has only the last
   * number of a record, and this number is in the rows.
   */
  void applyLast(ScatteredRows rows) {
    for (int ordinal = 0; ordinal < seriesOfRecord.length; ordinal++) {
      int of = seriesOfRecord[ordinal];
      long known = rows.rows(of);
      if (known > appliedRows[ordinal]) {
        appliedRows[ordinal] = known;
        if (isNumber[ordinal]) {
          rows.applyLast(of, encoder.states(), ordinal, appliedValues[ordinal]);
          appliedValues[ordinal] = rows.lastValue(of);
        }
      }
    }
  }
}
