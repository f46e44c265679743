package org.kblake.benchmarks.compare;

import java.util.List;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.trend.RollupTrendRow;

/** All rows of the comparison, by number. */
final class Rows {

  static final List<Row> ALL =
      List.of(
          new RawScanRow(),
          new ThreadsRow(),
          new BackfillRow(),
          new DecodeRow(),
          new ChannelRow(),
          new RangeRow(),
          new RandomDoublesRow(),
          new SizesRow(),
          new ExportRow(),
          new ColdStartRow(),
          new GrowthRow(),
          new ConcurrentReadersRow(),
          new MissRow(),
          new GridRow(),
          new CommandsRow(),
          new TrendRow(),
          new RollupTrendRow());

  private Rows() {}

  /**
   * @throws IllegalArgumentException if there is no such row
   */
  static Row of(String number) {
    return ALL.stream()
        .filter(row -> Integer.toString(row.number()).equals(number))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such row: " + number));
  }
}
