package org.kblake.benchmarks.year;

import java.util.ArrayList;
import java.util.List;

/**
 * A few days of the year. They are simulated, transcoded and verified together, and their logs are
 * removed before those of the next batch are made.
 *
 * @param number from 0
 * @param fromDay the first day, counted from the begin of the year
 * @param days the length
 */
record DayBatch(int number, int fromDay, int days) {

  /** Three pairs of rf-year: 5 GiB of log. */
  private static final int MAX_DAYS = 15;

  private static final int MONTH_DAYS = 30;

  /**
   * Divides a year. The last batch is a month, or a third of a shorter year: it is read from raw
   * logs before it is transcoded.
   */
  static List<DayBatch> of(int days) {
    int month = Math.max(1, Math.min(MONTH_DAYS, days / 3));
    int each = Math.max(1, Math.min(MAX_DAYS, (days - month) / 2));
    List<DayBatch> batches = new ArrayList<>();
    int from = 0;
    while (from < days - month) {
      int length = Math.min(each, days - month - from);
      batches.add(new DayBatch(batches.size(), from, length));
      from += length;
    }
    batches.add(new DayBatch(batches.size(), from, days - from));
    return batches;
  }
}
