package org.kblake.server.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/** A page that follows drew the state of an enum with a gap, because two reads disagreed. */
final class JoinedCoverageTest {

  private static CoverageSpan span(SpanKind kind, long from, long to, long bytes) {
    return new CoverageSpan(
        Group.parse("BM/DCCT"), kind, new TimeRange(from, to), null, bytes, false, "", List.of());
  }

  private static List<String> joined(List<CoverageSpan> first, List<CoverageSpan> second) {
    JoinedCoverage joined = new JoinedCoverage();
    joined.add(first);
    joined.add(second);
    return joined.spans().stream()
        .map(each -> each.kind() + " " + each.range().fromNanos() + " " + each.range().toNanos())
        .toList();
  }

  @Test
  void whatGrewBetweenTwoReadsIsKnownAsFarAsBothKnowIt() {
    List<CoverageSpan> early =
        List.of(
            span(SpanKind.NOT_RECORDED, 0, 10, 0),
            span(SpanKind.ANSWERED, 10, 70, 600),
            span(SpanKind.PENDING, 70, 100, 0));
    List<CoverageSpan> late =
        List.of(
            span(SpanKind.NOT_RECORDED, 0, 10, 0),
            span(SpanKind.ANSWERED, 10, 90, 800),
            span(SpanKind.PENDING, 90, 100, 0));
    List<CoverageSpan> whole =
        List.of(span(SpanKind.NOT_RECORDED, 0, 10, 0), span(SpanKind.ANSWERED, 10, 100, 900));
    List<String> expected = List.of("NOT_RECORDED 0 10", "ANSWERED 10 70", "PENDING 70 100");
    assertThat(joined(early, late)).isEqualTo(expected);
    assertThat(joined(late, early)).isEqualTo(expected);
    assertThat(joined(early, whole)).isEqualTo(expected);
    assertThat(joined(whole, early)).isEqualTo(expected);
  }
}
