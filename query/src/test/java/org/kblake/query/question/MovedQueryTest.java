package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

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
}
