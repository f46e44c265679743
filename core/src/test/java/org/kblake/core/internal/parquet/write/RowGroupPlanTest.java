package org.kblake.core.internal.parquet.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.write.RowGroupPlan.Rows;

class RowGroupPlanTest {

  private static List<List<Rows>> plan(long... rows) {
    return RowGroupPlan.of(rows.length, i -> rows[i], i -> 8 * rows[i], i -> 8);
  }

  @Test
  void aChannelOf4096RowsHasItsOwnRowGroupAndSmallerOnesDoNot() {
    assertThat(plan(4095, 4096, 10))
        .containsExactly(
            List.of(new Rows(1, 0, 4096)), List.of(new Rows(0, 0, 4095), new Rows(2, 0, 10)));
  }

  @Test
  void aChannelOfOneMebibyteHasItsOwnRowGroup() {
    assertThat(RowGroupPlan.of(2, i -> 3, i -> i == 0 ? 1 << 20 : (1 << 20) - 1, i -> 1 << 19))
        .containsExactly(List.of(new Rows(0, 0, 3)), List.of(new Rows(1, 0, 3)));
  }

  @Test
  void smallChannelsShareUpTo65536Rows() {
    long[] rows = new long[40];
    Arrays.fill(rows, 4000);
    assertThat(plan(rows))
        .extracting(List::size)
        .as("16 x 4,000 rows are below 65,536, 17 are not")
        .containsExactly(16, 16, 8);
  }

  @Test
  void aBigChannelIsCutAtRowsAndBytesOnPageBoundaries() {
    assertThat(plan(300_000))
        .extracting(group -> group.get(0).toRow())
        .containsExactly(1L << 17, 2L << 17, 300_000L);
    // A row has 5,120 doubles, so 4 MiB take 102 rows.
    assertThat(RowGroupPlan.of(1, i -> 250, i -> 250L * 5120 * 8, i -> 5120 * 8))
        .containsExactly(
            List.of(new Rows(0, 0, 102)),
            List.of(new Rows(0, 102, 204)),
            List.of(new Rows(0, 204, 250)));
  }

  /**
   * A month has few rows, and one hour has waveforms. The mean row size is no estimate for this
   * hour.
   */
  @Test
  void rowsMuchLongerThanTheMeanFitIntoARowGroup() {
    long longest = 5120 * 8;
    for (List<Rows> rowGroup :
        RowGroupPlan.of(1, i -> 3_000_000, i -> 3_000_000L * 8 + 3_600 * longest, i -> longest)) {
      long rows = rowGroup.get(0).toRow() - rowGroup.get(0).fromRow();
      assertThat(rows * longest).isLessThanOrEqualTo(RowGroupPlan.MAX_UNEVEN_BYTES);
    }
  }

  @Test
  void everyRowIsPlannedOnceAndChannelsKeepTheirOrder() {
    long seed = Seeds.one("RowGroupPlanTest");
    Random random = new Random(seed);
    long[] counts = new long[500];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = random.nextInt(10) == 0 ? random.nextInt(2_000_000) : random.nextInt(300);
    }
    long[] planned = new long[counts.length];
    List<Rows> all = new ArrayList<>();
    for (List<Rows> rowGroup : plan(counts)) {
      int before = -1;
      for (Rows rows : rowGroup) {
        assertThat(rows.channel()).isGreaterThan(before);
        before = rows.channel();
        assertThat(rows.fromRow()).isEqualTo(planned[rows.channel()]);
        planned[rows.channel()] = rows.toRow();
      }
      all.addAll(rowGroup);
    }
    assertThat(planned).isEqualTo(counts);
    assertThat(all).noneMatch(rows -> rows.fromRow() == rows.toRow());
  }
}
