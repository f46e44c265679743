package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeRange;

/** Questions about grids. */
final class GridQueryTest {

  @Test
  void gridHasAPoint() {
    Instant at = Instant.ofEpochSecond(10);
    GridQuery one = GridQuery.of(ChannelSelection.names("A"), at, at, Duration.ofSeconds(1));
    assertThat(one.points()).isEqualTo(1);
    Scope empty = one.scope().between(new TimeRange(10, 10));
    assertThatThrownBy(() -> one.with(empty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("grid has no point: range=TimeRange[fromNanos=10, toNanos=10]");
  }
}
