package org.kblake.ship.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.ship.work.Workers.Turn;

/** Groups keep their phases of the period, whenever they had events. */
final class TurnTest {

  private static final long EVERY = 1_000;

  @Test
  void aGroupThatHadEventsReturnsToItsPhase() {
    Turn turn = Turn.first(() -> false, 3, 10, EVERY);
    long phase = turn.dueNanos();
    turn = turn.now(phase + 2_345).now(phase + 2_346);
    assertThat(turn.dueNanos()).isEqualTo(phase + 2_346);
    turn = turn.later(phase + 2_350, EVERY);
    assertThat(turn.dueNanos()).isEqualTo(phase + 3_000);
    assertThat(turn.later(phase + 3_000, EVERY).dueNanos()).isEqualTo(phase + 4_000);
  }

  /** No two of n groups are nearer than a third of an even share. */
  @Test
  void phasesAreApartHoweverManyGroupsThereAre() {
    List<Long> phases = new ArrayList<>();
    for (int number = 0; number < 200; number++) {
      phases.add(Turn.first(() -> false, number, 0, 1_000_000).dueNanos());
      List<Long> sorted = phases.stream().sorted().toList();
      for (int i = 1; i < sorted.size(); i++) {
        assertThat(sorted.get(i) - sorted.get(i - 1)).isGreaterThan(1_000_000 / 3 / sorted.size());
      }
    }
  }
}
