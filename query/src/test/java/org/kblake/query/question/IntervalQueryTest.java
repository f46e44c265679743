package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;

/** Questions about intervals. */
final class IntervalQueryTest {

  private static TimeMask intervals(int count, long shift) {
    List<TimeRange> ranges =
        LongStream.range(0, count)
            .mapToObj(i -> new TimeRange(4 * i + shift, 4 * i + shift + 1))
            .toList();
    return TimeMask.of(ranges);
  }

  /** A hundred conditions of a million intervals each would not fit in the memory of a server. */
  @Test
  void combinedConditionsHaveNoMoreIntervalsThanOne() {
    TimeMask most = intervals(IntervalQuery.MAX_INTERVALS, 0);
    TimeMask more = most.or(intervals(1, 2));
    IntervalQuery.requireFew(most, most);
    assertThatThrownBy(() -> IntervalQuery.requireFew(more, most))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the conditions are met in more than 1000000 intervals; ask for");
    assertThatThrownBy(() -> IntervalQuery.requireFew(most, more))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the values of the conditions are known in more than 1000000 intervals;"
                + " ask for a shorter period");
  }
}
