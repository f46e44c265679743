package org.kblake.ship.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** Ranks separate equal times, whatever the clocks did, and continue in another process. */
final class EventRanksTest {

  private static List<String> ranks(EventRanks ranks, long... times) {
    List<String> all = new ArrayList<>();
    for (long time : times) {
      all.add(String.valueOf(ranks.next("P", time)));
    }
    return all;
  }

  @Test
  void aClockThatIsSetBackBeginsAChain() {
    assertThat(ranks(new EventRanks(), 5, 7, 7, 6, 8, 7))
        .containsExactly("", "", "1", "1.0", "", "1.0");
  }

  /** Each rank is a series of a database. */
  @Test
  void ranksHaveALimit() {
    EventRanks ranks = new EventRanks();
    for (int i = 0; i < EventRanks.MOST; i++) {
      assertThat(ranks.next("frozen", 7)).isNotNull();
      assertThat(ranks.next("back", -i)).isNotNull();
    }
    assertThat(ranks.next("frozen", 7)).isNull();
    assertThat(ranks.next("frozen", 8)).isEmpty();
    assertThat(ranks.next("back", -EventRanks.MOST)).isNull();
    assertThat(ranks.next("back", 1)).isEmpty();
  }

  @Test
  void noTwoEventsOfATimeHaveARankAndAStateContinues() throws Exception {
    Seeds.each(
        "ranks",
        Seeds.cases(20, 300),
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          EventRanks whole = new EventRanks();
          EventRanks restored = new EventRanks();
          Set<String> seen = new HashSet<>();
          int span = 1 + random.nextInt(60);
          for (int i = 0; i < 500; i++) {
            long time = random.nextInt(8) == 0 ? i - random.nextInt(span) : i / 3;
            String rank = whole.next("P", time);
            assertThat(seen.add(time + " " + rank)).as("time=%s, rank=%s", time, rank).isTrue();
            assertThat(restored.next("P", time)).isEqualTo(rank);
            if (random.nextInt(10) == 0) {
              EventRanks next = new EventRanks();
              restored.texts().forEach(next::restore);
              restored = next;
            }
          }
        });
  }
}
