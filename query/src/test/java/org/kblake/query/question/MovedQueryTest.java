package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeRange;

/** Questions about movements. */
final class MovedQueryTest {

  private static final MovedQuery USUAL =
      MovedQuery.of(ChannelSelection.glob("*"), Instant.ofEpochSecond(1_463_324_400));

  @Test
  void lookBackIsSetAndNotNegative() {
    assertThat(USUAL.lookBack(Duration.ofHours(2)).lookBackNanos()).isEqualTo(7_200_000_000_000L);
    assertThatThrownBy(() -> USUAL.lookBack(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("look-back is negative: nanos=-1");
  }

  /** The lengths of a baseline and of a window without an end would overflow. */
  @Test
  void rangeHasABeginAndAnEnd() {
    TimeRange range = USUAL.range();
    assertThat(USUAL.with(USUAL.scope())).isEqualTo(USUAL);
    for (TimeRange open :
        List.of(
            new TimeRange(Long.MIN_VALUE, range.toNanos()),
            new TimeRange(range.fromNanos(), Long.MAX_VALUE),
            TimeRange.ALL)) {
      assertThatThrownBy(() -> USUAL.with(USUAL.scope().between(open)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the window or the baseline is too long");
    }
  }
}
