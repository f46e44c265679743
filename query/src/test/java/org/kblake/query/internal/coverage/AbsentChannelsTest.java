package org.kblake.query.internal.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

final class AbsentChannelsTest {

  private static CoverageSpan span(long from, List<String> absent) {
    return new CoverageSpan(
        new Group("VA", "CCG"),
        SpanKind.ANSWERED,
        new TimeRange(from, from + 1),
        null,
        0,
        false,
        "",
        absent);
  }

  @Test
  void eachSpanLacksTheChannelsOfItsList() {
    List<String> some = List.of("A", "B");
    AbsentChannels absent = new AbsentChannels();
    for (int round = 0; round < 2; round++) {
      assertThat(absent.has(span(0, some), "A")).isTrue();
      assertThat(absent.has(span(1, some), "C")).isFalse();
      assertThat(absent.has(span(2, List.of("C")), "C")).isTrue();
      assertThat(absent.has(span(3, List.of()), "A")).isFalse();
    }
  }
}
