package org.kblake.query.internal.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/**
 * The report on a group whose log is damaged at many places ends when nobody wants it any more. Of
 * a million spans it takes seconds.
 */
final class StoppedReportTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final int SPANS = 20_000;
  private static final TimeRange RANGE = new TimeRange(0, 20 * SPANS);

  private int steps;

  /** Other tests run on this thread. */
  @AfterEach
  void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  private static CoverageSpan span(SpanKind kind, TimeRange range) {
    return new CoverageSpan(GROUP, kind, range, Path.of("log"), 1, true, "damaged", List.of());
  }

  private static TimeRange damaged(int number) {
    return new TimeRange(20L * number, 20L * number + 10);
  }

  private static CoverageBuilder builder() {
    CoverageBuilder builder = new CoverageBuilder(GROUP, RANGE, 0);
    for (int i = 0; i < SPANS; i++) {
      builder.missing(SpanKind.DAMAGED, damaged(i), Path.of("log"), 1, "damaged");
    }
    return builder;
  }

  @Test
  void aReportEndsWithAnInterrupt() throws Exception {
    CoverageBuilder builder = builder();
    CoverageReport before = builder.stoppableReport();
    assertThat(before.missing()).hasSize(SPANS);
    Thread.currentThread().interrupt();
    assertThatThrownBy(builder::stoppableReport).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    // A follower that was stopped still says what it had.
    assertThat(builder.report()).isEqualTo(before);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  /** The interrupt comes in the middle of the work. */
  private void interruptAt(int step) throws InterruptedIOException {
    if (++steps == step) {
      Thread.currentThread().interrupt();
    }
    Interruption.check();
  }

  @Test
  void eachSpanIsAStepOfBothLoops() throws Exception {
    SpanMap map =
        new SpanMap(RANGE, span(SpanKind.NOT_RECORDED, RANGE), () -> interruptAt(SPANS + 5_000));
    for (int i = 0; i < SPANS; i++) {
      map.cover(span(SpanKind.DAMAGED, damaged(i)));
    }
    assertThat(steps).isEqualTo(SPANS);
    assertThatThrownBy(map::spans).isInstanceOf(InterruptedIOException.class);
    assertThat(steps).isEqualTo(SPANS + 5_000);
  }
}
