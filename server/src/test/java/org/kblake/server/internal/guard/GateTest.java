package org.kblake.server.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** The places of all clients and of each. */
final class GateTest {

  private static void nothing() {}

  @Test
  void aQuarterOfThePlacesIsForOthers() {
    Gate gate = new Gate(16, 256, 200);
    for (int i = 0; i < 12; i++) {
      assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.WORKS);
    }
    for (int i = 12; i < 200; i++) {
      assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.WAITS);
    }
    assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.CLIENT_REFUSED);
    assertThat(gate.enter("b", GateTest::nothing)).as("others pass").isEqualTo(Gate.Entry.WORKS);
    for (int i = 0; i < 3; i++) {
      assertThat(gate.enter(null, GateTest::nothing)).isEqualTo(Gate.Entry.WORKS);
    }
    assertThat(gate.enter(null, GateTest::nothing)).isEqualTo(Gate.Entry.WAITS);
    gate.leave("a");
    assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.WAITS);
  }

  @Test
  void aSinglePlaceIsForEachInTurn() {
    Gate gate = new Gate(1, 1, 5);
    assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.WORKS);
    assertThat(gate.enter("b", GateTest::nothing)).isEqualTo(Gate.Entry.WAITS);
    assertThat(gate.enter("c", GateTest::nothing)).isEqualTo(Gate.Entry.REFUSED);
    gate.leave("a");
    assertThat(gate.enter("c", GateTest::nothing)).isEqualTo(Gate.Entry.WAITS);
  }

  /** Live values do not wait. */
  @Test
  void whereNothingWaitsAClientIsRefused() {
    Gate gate = new Gate(4, 0, 200);
    for (int i = 0; i < 3; i++) {
      assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.WORKS);
    }
    assertThat(gate.enter("a", GateTest::nothing)).isEqualTo(Gate.Entry.CLIENT_REFUSED);
    assertThat(gate.enter("b", GateTest::nothing)).isEqualTo(Gate.Entry.WORKS);
    assertThat(gate.enter("b", GateTest::nothing)).isEqualTo(Gate.Entry.REFUSED);
  }

  /** A request of the random order. */
  private static final class Asked {
    final @Nullable String client;
    boolean works;

    Asked(@Nullable String client) {
      this.client = client;
    }

    void begin() {
      works = true;
    }
  }

  /** Whoever may work does, whatever the order of requests, and nobody has more than a share. */
  @Test
  void noPlaceIsEmptyWhileSomebodyMayTakeIt() throws Exception {
    Seeds.each(
        "random orders of requests",
        20,
        seed -> {
          Random random = new Random(seed);
          int most = 1 + random.nextInt(8);
          int share = Math.max(1, most - (most + 3) / 4);
          Gate gate = new Gate(most, 20, 10);
          List<Asked> present = new ArrayList<>();
          Map<Asked, Runnable> later = new HashMap<>();
          for (int step = 0; step < 500; step++) {
            int choice = random.nextInt(3);
            if (choice < 2 && !present.isEmpty()) {
              Asked asked = present.get(random.nextInt(present.size()));
              if (asked.works) {
                present.remove(asked);
                gate.leave(asked.client);
              } else if (choice == 1) {
                assertThat(gate.giveUp(later.getOrDefault(asked, GateTest::nothing))).isTrue();
                present.remove(asked);
              }
            } else {
              Asked asked = new Asked(random.nextInt(4) == 0 ? null : "" + random.nextInt(3));
              Runnable begin = asked::begin;
              later.put(asked, begin);
              Gate.Entry entry = gate.enter(asked.client, begin);
              asked.works = entry == Gate.Entry.WORKS;
              if (asked.works || entry == Gate.Entry.WAITS) {
                present.add(asked);
              }
            }
            check(present, most, share);
          }
        });
  }

  private static void check(List<Asked> present, int most, int share) {
    long working = present.stream().filter(asked -> asked.works).count();
    assertThat(working).isLessThanOrEqualTo(most);
    for (Asked asked : present) {
      long same = present.stream().filter(each -> isOf(each, asked)).count();
      long sameWorking = present.stream().filter(each -> each.works && isOf(each, asked)).count();
      if (asked.client != null) {
        assertThat(same).isLessThanOrEqualTo(10);
        assertThat(sameWorking).isLessThanOrEqualTo(share);
      }
      if (!asked.works) {
        assertThat(working == most || asked.client != null && sameWorking == share).isTrue();
      }
    }
  }

  private static boolean isOf(Asked one, Asked other) {
    return java.util.Objects.equals(one.client, other.client);
  }
}
