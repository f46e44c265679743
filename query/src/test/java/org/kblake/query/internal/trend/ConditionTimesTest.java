package org.kblake.query.internal.trend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.ValueCondition;

/** Adjoining times with values become intervals. */
final class ConditionTimesTest {

  private static ConditionTimes times(long leastNanos) {
    return new ConditionTimes(ValueCondition.of(">", 0.1), leastNanos);
  }

  @Test
  void adjoiningTimesAreOneInterval() {
    ConditionTimes times = times(0);
    times.add(0, 10, 1);
    times.add(10, 20, 1);
    times.add(20, 30, 0);
    times.add(40, 50, 1);
    assertThat(times.met().ranges()).containsExactly(new TimeRange(0, 20), new TimeRange(40, 50));
    assertThat(times.known().ranges()).containsExactly(new TimeRange(0, 30), new TimeRange(40, 50));
  }

  @Test
  void shortIntervalsAreKnownAndNotMet() {
    ConditionTimes times = times(11);
    times.add(0, 10, 1);
    times.add(10, 11, 1);
    times.add(20, 30, 1);
    assertThat(times.met().ranges()).containsExactly(new TimeRange(0, 11));
    assertThat(times.known().ranges()).containsExactly(new TimeRange(0, 11), new TimeRange(20, 30));
  }

  @Test
  void aMillionIntervalsAreTooMany() {
    ConditionTimes times = times(0);
    for (long i = 0; i < IntervalQuery.MAX_INTERVALS; i++) {
      times.add(2 * i, 2 * i + 1, 1);
      assertThat(times.isFull()).isFalse();
    }
    times.add(Long.MAX_VALUE - 1, Long.MAX_VALUE, 1);
    assertThat(times.isFull()).isTrue();
  }

  /** A float is written as 0.1, so it is not greater than 0.1. */
  @Test
  void valuesAreComparedInTheirType() {
    assertThat(value(ValueType.FLOAT, Float.floatToRawIntBits(0.1f))).isZero();
    assertThat(value(ValueType.DOUBLE, Double.doubleToRawLongBits(0.1f))).isEqualTo(1);
    assertThat(value(ValueType.LONG, 1)).isEqualTo(1);
    assertThat(value(ValueType.DOUBLE, Double.doubleToRawLongBits(Double.NaN))).isNaN();
    assertThat(value(ValueType.STRING, 0)).isNaN();
  }

  private static double value(ValueType type, long bits) {
    EventColumns events = new EventColumns(type, false, 1);
    events.count = 1;
    events.state[0] = EventState.VALUE_CODE;
    if (type != ValueType.STRING) {
      events.values[0] = bits;
    }
    return times(0).valueOf(events, 0);
  }
}
