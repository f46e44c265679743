package org.kblake.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** Compares masks with sets of instants. */
final class TimeMaskTest {

  private static final int INSTANTS = 60;

  private static BitSet set(List<TimeRange> ranges) {
    BitSet set = new BitSet();
    ranges.forEach(range -> set.set((int) range.fromNanos(), (int) range.toNanos()));
    return set;
  }

  private static List<TimeRange> randomRanges(Random random) {
    List<TimeRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      int from = random.nextInt(INSTANTS);
      ranges.add(new TimeRange(from, from + random.nextInt(INSTANTS - from)));
    }
    return ranges;
  }

  private static void check(TimeMask mask, BitSet expected) {
    List<TimeRange> ranges = new ArrayList<>();
    int from = expected.nextSetBit(0);
    while (from >= 0) {
      int to = expected.nextClearBit(from);
      ranges.add(new TimeRange(from, to));
      from = expected.nextSetBit(to);
    }
    assertThat(mask.ranges()).isEqualTo(ranges);
    assertThat(mask.isEmpty()).isEqualTo(expected.isEmpty());
    for (int nanos = -1; nanos <= INSTANTS; nanos++) {
      int at = nanos;
      Predicate<TimeRange> hasEnded = range -> range.toNanos() <= at;
      assertThat(mask.contains(nanos)).isEqualTo(nanos >= 0 && expected.get(nanos));
      assertThat(mask.indexAt(nanos)).isEqualTo((int) ranges.stream().filter(hasEnded).count());
    }
  }

  @Test
  void masksAreSetsOfInstants() throws Exception {
    Seeds.each(
        "masks of time",
        200,
        seed -> {
          Random random = new Random(seed);
          List<TimeRange> ranges = randomRanges(random);
          List<TimeRange> others = randomRanges(random);
          TimeMask mask = TimeMask.of(ranges);
          TimeMask other = TimeMask.of(others);
          check(mask, set(ranges));
          BitSet both = set(ranges);
          both.and(set(others));
          check(mask.and(other), both);
          BitSet any = set(ranges);
          any.or(set(others));
          check(mask.or(other), any);
          BitSet rest = set(ranges);
          rest.andNot(set(others));
          check(mask.without(other), rest);
          assertThat(TimeMask.of(mask.ranges())).isEqualTo(mask).hasSameHashCodeAs(mask);
        });
  }
}
