package org.kblake.query.internal.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.coverage.AbsentChannels;

/**
 * Integrals of random events of one channel, in and out of order, compared with the value at each
 * instant. Times are small, so that every instant can be looked at.
 */
final class HeldIntegralTest {

  private static final int LAST = 60;

  private record Event(long nanos, int state, double value) {}

  @Test
  void integralsAreThoseOfTheValueAtEachInstant() throws Exception {
    Seeds.each("integrals", 2_000, HeldIntegralTest::check);
  }

  private static void check(long seed) throws Exception {
    Random random = new Random(seed);
    List<Event> events = new ArrayList<>();
    long clock = 0;
    int disorder = random.nextInt(3) * random.nextInt(20);
    for (int i = random.nextInt(30); i >= 0; i--) {
      clock += random.nextInt(5);
      clock -= random.nextInt(20) == 0 ? random.nextInt(40) : 0;
      long nanos = clock - (random.nextInt(3) == 0 ? random.nextInt(disorder + 1) : 0);
      int state = random.nextInt(4) == 0 ? random.nextInt(2) : EventState.VALUE_CODE;
      events.add(new Event(nanos, state, random.nextInt(9) == 0 ? Double.NaN : random.nextInt(9)));
    }
    TrendWindow window = new TrendWindow(5, LAST, 1 + random.nextInt(20), LAST);
    long lookBack = random.nextBoolean() ? 1_000 : 1 + random.nextInt(20);
    boolean inOrder = disorder == 0;
    TimeRange down = new TimeRange(20, 20 + random.nextInt(10));

    BackwardEvents backward = new BackwardEvents();
    DisconnectedSpans disconnected = new DisconnectedSpans();
    for (Event event : events) {
      if (event.state == EventState.VALUE_CODE) {
        backward.add(event.nanos);
      }
      disconnected.add(event.nanos, event.state);
    }
    KnownSpans known =
        new KnownSpans(coverage(down), new AbsentChannels(), "A", disconnected, null);
    HeldIntegral integral =
        new HeldIntegral(window, inOrder ? lookBack : 1_000, known, backward, null);
    for (Event event : events) {
      if (event.state == EventState.VALUE_CODE) {
        integral.add(event.nanos, event.value);
      }
    }
    integral.end();

    for (int bin = 0; window.binNanos(bin) < LAST; bin++) {
      long seconds = 0;
      double sum = 0;
      for (long at = window.binNanos(bin); at < window.binEndNanos(bin); at++) {
        Event value = null;
        Event last = null;
        for (Event event : events) {
          if (event.nanos <= at) {
            last = event;
            value = event.state == EventState.VALUE_CODE ? event : value;
          }
        }
        if (value != null
            && last != null
            && last.state != EventState.DISCONNECTED.code()
            && value.nanos >= at - (inOrder ? lookBack : 1_000)
            && !Double.isNaN(value.value)
            && !down.contains(at)) {
          seconds++;
          sum += value.value;
        }
      }
      assertThat(integral.knownNanos(bin)).as("%s, %s", events, window).isEqualTo(seconds);
      if (seconds > 0) {
        assertThat(integral.mean(bin)).as("%s", events).isCloseTo(sum / seconds, within(1e-12));
      }
    }
  }

  private static CoverageReport coverage(TimeRange down) {
    List<CoverageSpan> spans = new ArrayList<>();
    spans.add(span(SpanKind.ANSWERED, 0, down.fromNanos()));
    spans.add(span(SpanKind.ARCHIVER_DOWN, down.fromNanos(), down.toNanos()));
    spans.add(span(SpanKind.ANSWERED, down.toNanos(), 2 * LAST));
    return new CoverageReport(new TimeRange(0, 2 * LAST), spans, 0, 0, List.of());
  }

  private static CoverageSpan span(SpanKind kind, long from, long to) {
    return new CoverageSpan(
        new Group("VA", "CCG"), kind, new TimeRange(from, to), null, 0, false, "", List.of());
  }
}
