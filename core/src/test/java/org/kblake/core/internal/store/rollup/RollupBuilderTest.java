package org.kblake.core.internal.store.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** The rows of a part of a channel, compared with those of its events one by one. */
final class RollupBuilderTest {

  private static final int EVENTS = 5000;

  @Test
  void rowsDoNotDependOnBatches() throws Exception {
    Seeds.each("builder", 10, RollupBuilderTest::check);
  }

  private static void check(long seed) {
    EventColumns events = events(new Random(seed));
    RollupRows whole = build(events, EVENTS);
    RollupRows parts = build(events, 1 + new Random(seed).nextInt(700));
    assertThat(whole.count()).isEqualTo(parts.count()).isGreaterThan(1);
    long count = 0;
    for (int row = 0; row < whole.count(); row++) {
      for (RollupColumn column : RollupColumn.values()) {
        if (whole.has(column, row)) {
          assertThat(whole.integer(column, row))
              .as("%s of row %s", column, row)
              .isEqualTo(parts.integer(column, row));
        }
      }
      count += whole.integer(RollupColumn.COUNT, row) + whole.integer(RollupColumn.STATES, row);
    }
    long expected = 0;
    for (int row = 0; row < EVENTS; row++) {
      expected += 1 - events.stray[row];
    }
    assertThat(count).isEqualTo(expected);
    RollupRows hours = RollupWriter.coarser(whole, Rollups.WIDEST);
    long ofHours = 0;
    for (int row = 0; row < hours.count(); row++) {
      ofHours += hours.integer(RollupColumn.COUNT, row) + hours.integer(RollupColumn.STATES, row);
    }
    assertThat(ofHours).isEqualTo(expected);
  }

  private static RollupRows build(EventColumns events, int batch) {
    RollupBuilder builder = new RollupBuilder();
    builder.begin(1L << 20, 0);
    for (int from = 0; from < EVENTS; from += batch) {
      builder.add(events, from, Math.min(EVENTS, from + batch));
    }
    return Objects.requireNonNull(builder.end());
  }

  private static EventColumns events(Random random) {
    EventColumns events = new EventColumns(ValueType.DOUBLE, false, EVENTS);
    long nanos = 1_500_000_000_000_000_000L;
    long most = 1 + random.nextLong(20_000_000_000L);
    for (int row = 0; row < EVENTS; row++) {
      nanos += random.nextLong(most);
      boolean late = random.nextInt(20) == 0;
      events.timeNanos[row] = nanos - (late ? random.nextLong(600_000_000_000L) : 0);
      events.state[row] =
          (byte) (random.nextInt(50) == 0 ? random.nextInt(2) : EventState.VALUE_CODE);
      events.stray[row] = (byte) (random.nextInt(100) == 0 ? 1 : 0);
      events.segment[row] = row / 500;
      double value = random.nextInt(30) == 0 ? Double.NaN : random.nextGaussian();
      events.values[row] = Double.doubleToRawLongBits(value);
    }
    events.count = EVENTS;
    return events;
  }
}
