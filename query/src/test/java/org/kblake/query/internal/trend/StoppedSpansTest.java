package org.kblake.query.internal.trend;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.coverage.AbsentChannels;

/** The times of each channel are found among all spans of its group. */
final class StoppedSpansTest {

  private static final TimeRange RANGE = new TimeRange(0, 100);

  /** Other tests run on this thread. */
  @AfterEach
  void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  @Test
  void theSearchEndsWithAnInterrupt() {
    CoverageSpan span =
        new CoverageSpan(
            new Group("VA", "CCG"), SpanKind.ANSWERED, RANGE, null, 0, false, "", List.of());
    CoverageReport coverage = new CoverageReport(RANGE, List.of(span), 0, 0, List.of());
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                new KnownSpans(coverage, new AbsentChannels(), "A", new DisconnectedSpans(), null))
        .isInstanceOf(InterruptedIOException.class);
  }
}
