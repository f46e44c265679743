package org.kblake.query.internal.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;

/** The number of points of a grid that are processed at a time. */
final class GridBudgetTest {

  private static final long MAX_BYTES = 64 << 20;
  private static final Group NUMBERS = new Group("RF", "AnalogData");
  private static final Group LISTS = new Group("BM", "BCM");

  private static ChannelInfo channel(Group group, int elements) {
    return new ChannelInfo(new Channel(group, "CH" + elements), ValueType.DOUBLE, elements);
  }

  @Test
  void frequentEventsGiveFewPoints() {
    GridBudget budget = new GridBudget(List.of(channel(NUMBERS, 1)));
    long few = budget.pointsAfter(4096, NUMBERS, 4 * 4096L * OrderedValues.ROW_BYTES);
    assertThat(few).isEqualTo(1024);
    assertThat(budget.pointsAfter(few, NUMBERS, few * OrderedValues.ROW_BYTES)).isEqualTo(4096);
  }

  @Test
  void silentNumbersGiveManyPoints() {
    GridBudget budget = new GridBudget(List.of(channel(NUMBERS, 1)));
    assertThat(budget.pointsAfter(4096, NUMBERS, 0)).isEqualTo(1 << 14);
  }

  /** When a beam returns, a list that was silent has an event at each point of the next window. */
  @Test
  void silentListsReserveMemoryForAListAtEachPoint() {
    int elements = 5120;
    GridBudget budget = new GridBudget(List.of(channel(LISTS, elements), channel(NUMBERS, 1)));
    long points = budget.pointsAfter(4096, LISTS, 0);
    assertThat(points * elements * Long.BYTES).isLessThanOrEqualTo(MAX_BYTES);
    assertThat(budget.pointsAfter(4096, NUMBERS, 0)).isEqualTo(points);
  }

  /** A record table may allow more elements than any event has. */
  @Test
  void numbersBesideAVeryLongListHaveManyPoints() {
    GridBudget budget =
        new GridBudget(List.of(channel(LISTS, Integer.MAX_VALUE), channel(NUMBERS, 1)));
    assertThat(budget.pointsAfter(64, NUMBERS, 64L * OrderedValues.ROW_BYTES)).isEqualTo(64);
    assertThat(budget.pointsAfter(64, LISTS, 0)).isEqualTo(64);
  }

  @Test
  void aChannelOfNoRecordTableHasPoints() {
    assertThat(new GridBudget(List.of()).pointsAfter(1, NUMBERS, 0)).isPositive();
  }
}
