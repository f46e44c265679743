package org.kblake.query.internal.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/** Spans that hide each other, in a range from 0 to 100 that is otherwise not recorded. */
final class SpanMapTest {

  private static final Group GROUP = new Group("VA", "CCG");

  private final SpanMap map =
      new SpanMap(new TimeRange(0, 100), span(SpanKind.NOT_RECORDED, 0, 100, 0), () -> {});

  private static CoverageSpan span(SpanKind kind, long from, long to, long bytes) {
    return new CoverageSpan(
        GROUP, kind, new TimeRange(from, to), Path.of("log"), bytes, false, "", List.of());
  }

  private void cover(SpanKind kind, long from, long to, long bytes) throws Exception {
    map.cover(span(kind, from, to, bytes));
  }

  /** Returns each span as {@code from to kind bytes}. */
  private List<String> spans() throws Exception {
    return map.spans().stream()
        .map(
            span ->
                span.range().fromNanos()
                    + " "
                    + span.range().toNanos()
                    + " "
                    + span.kind()
                    + " "
                    + span.bytes())
        .toList();
  }

  @Test
  void spanInTheMiddleLeavesBothEnds() throws Exception {
    cover(SpanKind.ANSWERED, 20, 40, 7);
    assertThat(spans())
        .containsExactly("0 20 NOT_RECORDED 0", "20 40 ANSWERED 7", "40 100 NOT_RECORDED 0");
  }

  /** The bytes of a span are counted once. */
  @Test
  void bytesStayWithTheBeginOfASpanThatIsInterrupted() throws Exception {
    cover(SpanKind.ANSWERED, 0, 100, 9);
    cover(SpanKind.DAMAGED, 40, 60, 2);
    assertThat(spans()).containsExactly("0 40 ANSWERED 9", "40 60 DAMAGED 2", "60 100 ANSWERED 0");
  }

  @Test
  void bytesBelongToTheRestIfTheBeginningIsHidden() throws Exception {
    cover(SpanKind.ANSWERED, 20, 100, 9);
    cover(SpanKind.DAMAGED, 10, 60, 2);
    assertThat(spans())
        .containsExactly("0 10 NOT_RECORDED 0", "10 60 DAMAGED 2", "60 100 ANSWERED 9");
  }

  @Test
  void laterSpanHidesEarlierOnes() throws Exception {
    cover(SpanKind.ANSWERED, 20, 40, 7);
    cover(SpanKind.PENDING, 30, 35, 1);
    cover(SpanKind.UNAVAILABLE, 20, 40, 0);
    assertThat(spans())
        .containsExactly("0 20 NOT_RECORDED 0", "20 40 UNAVAILABLE 0", "40 100 NOT_RECORDED 0");
  }

  @Test
  void equalNeighboursAreMerged() throws Exception {
    cover(SpanKind.ANSWERED, 20, 40, 7);
    cover(SpanKind.ANSWERED, 40, 60, 5);
    assertThat(spans())
        .containsExactly("0 20 NOT_RECORDED 0", "20 60 ANSWERED 12", "60 100 NOT_RECORDED 0");
  }

  @Test
  void neighboursOfOtherFilesStayApart() throws Exception {
    cover(SpanKind.ANSWERED, 0, 50, 7);
    map.cover(
        new CoverageSpan(
            GROUP,
            SpanKind.ANSWERED,
            new TimeRange(50, 100),
            Path.of("other"),
            5,
            false,
            "",
            List.of()));
    assertThat(spans()).containsExactly("0 50 ANSWERED 7", "50 100 ANSWERED 5");
  }

  @Test
  void spansAreCutToTheRange() throws Exception {
    cover(SpanKind.ANSWERED, -50, 10, 7);
    cover(SpanKind.PENDING, 90, Long.MAX_VALUE, 0);
    cover(SpanKind.DAMAGED, 100, 200, 3);
    cover(SpanKind.DAMAGED, 50, 50, 3);
    assertThat(spans())
        .containsExactly("0 10 ANSWERED 7", "10 90 NOT_RECORDED 0", "90 100 PENDING 0");
  }

  @Test
  void rangeOfNoLengthHasNoSpans() throws Exception {
    SpanMap empty =
        new SpanMap(new TimeRange(5, 5), span(SpanKind.NOT_RECORDED, 5, 5, 0), () -> {});
    empty.cover(span(SpanKind.ANSWERED, 0, 10, 0));
    assertThat(empty.spans()).isEmpty();
  }
}
