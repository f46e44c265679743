package org.kblake.ingest.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.model.EventState;

class LogOrderTest {

  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final int SERIES = 60;

  @TempDir Path overflow;

  /** A row; its bits are its number in the log. */
  private record Row(int series, int segment, long timeNanos, long latenessNanos, int tie) {}

  /** Steps of time between rows, so that some, many or all rows of a moment cannot be sorted. */
  @ParameterizedTest
  @ValueSource(longs = {1, 1_000, 10_000_000, 10_000_000_000L, HOUR_NANOS})
  void returnsTheRowsOfAllSeriesInLogOrder(long mostStepNanos) throws IOException {
    SplittableRandom random = new SplittableRandom(mostStepNanos);
    List<Row> log = new ArrayList<>();
    // Every third segment is empty.
    for (int segment = 0; segment < 30; segment += 1 + segment % 2) {
      addSegment(log, segment, random, mostStepNanos);
    }
    ScatteredRows rows = scattered(log);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < log.size(); i++) {
      expected.add(log.get(i).segment() + " " + log.get(i).series() + " " + i);
    }
    assertThat(order(rows)).isEqualTo(expected);
  }

  private static void addSegment(
      List<Row> log, int segment, SplittableRandom random, long mostStepNanos) {
    // Times before 1970, and years between two rows, do not fit into a key.
    long nanos = segment % 5 == 0 ? Long.MIN_VALUE / 2 : segment * 24L * HOUR_NANOS;
    int count = segment % 7 == 0 ? 3 * SortedRows.MAX_ROWS : random.nextInt(1, 5_000);
    while (count > 0) {
      nanos += random.nextLong(mostStepNanos) + 1;
      if (random.nextInt(2_000) == 0) {
        nanos += random.nextLong(3) * 365 * 24 * HOUR_NANOS;
      }
      int ties =
          switch (random.nextInt(500)) {
            case 0 -> 2 * SortedRows.MAX_TIE;
            case 1 -> 40;
            default -> random.nextInt(20) == 0 ? 2 : 1;
          };
      for (int tie = 0; tie < ties; tie++) {
        long lateness = random.nextInt(10) == 0 ? random.nextLong(HOUR_NANOS) : 0;
        int series = random.nextInt(10) == 0 ? 0 : random.nextInt(SERIES);
        log.add(new Row(series, segment, nanos - lateness, lateness, tie));
        count--;
      }
    }
  }

  /** More rows of one moment than are sorted at a time. */
  @Test
  void returnsABurstAfterAQuietTime() throws IOException {
    List<Row> log = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      log.add(new Row(i % SERIES, 0, i * 1_000_000_000L, 0, 0));
    }
    for (int i = 0; i < 4 * SortedRows.MAX_ROWS; i++) {
      log.add(new Row(i % 7, 0, 5_000_000_000_000L + i / 3, 0, i % 3));
    }
    List<Integer> numbers =
        order(scattered(log)).stream()
            .map(it -> Integer.valueOf(it.substring(it.lastIndexOf(' ') + 1)))
            .collect(Collectors.toList());
    assertThat(numbers).isEqualTo(IntStream.range(0, log.size()).boxed().toList());
  }

  @Test
  void hasNoRowsWithoutSeries() throws IOException {
    assertThat(order(scattered(List.of()))).isEmpty();
  }

  /** Sorting must not hide a wrong order of rows in a block, because other readers do not sort. */
  @Test
  void hasNoPlaceForRowsOfASeriesThatAreNotInLogOrder() throws IOException {
    List<Row> log = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      log.add(new Row(i % 5, 0, i, 0, 0));
    }
    assertThat(placed(scattered(log))).isEqualTo(100);
    Collections.swap(log, 50, 55);
    assertThat(placed(scattered(log))).isLessThan(100);
  }

  @Test
  void hasNoPlaceForTwoRowsOfOneMomentAndTie() throws IOException {
    List<Row> log = List.of(new Row(0, 0, 7, 0, 0), new Row(1, 0, 8, 0, 0), new Row(2, 0, 8, 0, 0));
    assertThat(placed(scattered(log))).isEqualTo(2);
  }

  @Test
  void hasNoPlaceForATieBehindAnEmptyPlace() throws IOException {
    List<Row> log = List.of(new Row(0, 0, 7, 0, 0), new Row(1, 0, 7, 0, 2));
    assertThat(placed(scattered(log))).isEqualTo(1);
  }

  private ScatteredRows scattered(List<Row> log) throws IOException {
    ScatteredRows rows = new ScatteredRows(new RowMemory(1L << 30, overflow));
    for (int i = 0; i < log.size(); i++) {
      Row row = log.get(i);
      rows.add(
          row.series(),
          row.timeNanos(),
          i,
          EventState.VALUE_CODE,
          0,
          0,
          false,
          row.segment(),
          row.latenessNanos(),
          row.tie());
    }
    return rows;
  }

  /** Returns segment, series and number of each row, each of which must be in its place. */
  private static List<String> order(ScatteredRows rows) {
    LogOrder order = new LogOrder(rows, SERIES);
    List<String> found = new ArrayList<>();
    while (order.next()) {
      assertThat(order.isInPlace()).isTrue();
      assertThat(order.row().segment()).isEqualTo(order.segment());
      found.add(order.segment() + " " + order.series() + " " + order.row().bits());
    }
    return found;
  }

  private static int placed(ScatteredRows rows) {
    LogOrder order = new LogOrder(rows, SERIES);
    int placed = 0;
    while (order.next()) {
      placed += order.isInPlace() ? 1 : 0;
    }
    return placed;
  }
}
