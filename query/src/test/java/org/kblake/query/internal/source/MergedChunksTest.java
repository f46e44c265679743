package org.kblake.query.internal.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MergedChunksTest {

  private static final long MIB = 1 << 20;

  @Test
  void groupsThatAreReadAtOnceShareTwiceTheLimitOfOne() {
    for (long heap : new long[] {64 * MIB, 512 * MIB, 16_384 * MIB}) {
      long alone = MergedChunks.budgetBytes(heap, 1);
      assertThat(alone).isBetween(heap / 256, heap / 10);
      for (int groups = 1; groups <= 400; groups++) {
        long each = MergedChunks.budgetBytes(heap, groups);
        assertThat(each).isBetween(MIB / 4, alone);
        // Less than a quarter of a MiB for each would decode pages again and again.
        assertThat(groups * each).isLessThanOrEqualTo(Math.max(2 * alone, groups * MIB / 4));
      }
    }
    assertThat(300 * MergedChunks.budgetBytes(512 * MIB, 300)).isLessThan(512 * MIB / 4);
  }
}
