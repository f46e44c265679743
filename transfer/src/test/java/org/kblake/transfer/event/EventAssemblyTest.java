package org.kblake.transfer.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.transfer.message.EventTicket;

/** What becomes of fragments, without sockets and clocks. */
class EventAssemblyTest {

  private static final long DEADLINE = 100;

  /** The outcome of each ticket: its missing fragments. */
  private final TreeMap<Long, Long> outcomes = new TreeMap<>();

  private final List<String> rows = new ArrayList<>();

  private EventAssembly assembly(int collectors, int mostEarly) {
    return new EventAssembly(collectors, mostEarly, DEADLINE, this::end);
  }

  private void end(EventTicket ticket, long missing, List<byte[]> fragments) {
    assertThat(outcomes.put(ticket.number(), missing)).as("ended once").isNull();
    StringBuilder row = new StringBuilder(ticket.number() + ":");
    fragments.forEach(each -> row.append(each[0]).append(' '));
    rows.add(row.toString());
  }

  private static EventTicket ticket(long number) {
    return new EventTicket(number, (int) number - 1, 0);
  }

  private static byte[] fragment(int value) {
    return new byte[] {(byte) value};
  }

  @Test
  void anEventIsWholeInAnyOrderAndOnlyOnce() {
    EventAssembly assembly = assembly(2, 4);
    assembly.add(2, 1, fragment(4), 0); // before its ticket
    assembly.assign(ticket(1), 0);
    assembly.assign(ticket(2), 0);
    assembly.add(2, 0, fragment(3), 1);
    assembly.add(1, 1, fragment(2), 1);
    assembly.add(1, 1, fragment(9), 1); // twice
    assembly.add(1, 0, fragment(1), 1);
    assembly.add(1, 0, fragment(9), 1); // late
    assertThat(rows).containsExactly("2:3 4 ", "1:1 2 ");
    assertThat(assembly.tally(0).twice()).isEqualTo(1);
    assertThat(assembly.tally(0).late()).isEqualTo(1);
    assertThat(assembly.tally(0).bytes()).isEqualTo(4);
  }

  @Test
  void anEventWithoutAFragmentIsGivenUpAndTheMissingOneIsNamed() {
    EventAssembly assembly = assembly(3, 4);
    assembly.assign(ticket(1), 0);
    assembly.add(1, 1, fragment(1), 0);
    assembly.expire(DEADLINE - 1);
    assertThat(outcomes).isEmpty();
    assembly.expire(DEADLINE);
    assertThat(outcomes).containsExactly(Map.entry(1L, 0b101L));
    assembly.add(1, 0, fragment(1), DEADLINE);
    assertThat(assembly.tally(0).late()).isEqualTo(1);
  }

  @Test
  void fragmentsWithoutATicketAreFewAndForgotten() {
    EventAssembly assembly = assembly(1, 2);
    for (int i = 1; i <= 5; i++) {
      assembly.add(i, 0, fragment(i), 0);
    }
    assembly.add(1, 7, fragment(1), 0); // no such collector
    assertThat(assembly.tally(0).strange()).isEqualTo(4);
    assembly.expire(DEADLINE);
    assertThat(assembly.tally(0).strange()).isEqualTo(6);
    assertThat(outcomes).isEmpty();
  }

  @Test
  void memoryIsBounded() {
    EventAssembly assembly = assembly(2, 4);
    byte[] large = new byte[60_000];
    for (int i = 1; i <= 2000; i++) {
      assembly.assign(ticket(i), 0);
      assembly.add(i, 0, large, 0);
    }
    long kept = (64L << 20) / large.length;
    assertThat(assembly.tally(0).dropped()).isEqualTo(2000 - kept);
    assembly.expire(DEADLINE);
    assertThat(outcomes).hasSize(2000);
    assembly.assign(ticket(2001), DEADLINE);
    assembly.add(2001, 0, large, DEADLINE);
    assertThat(assembly.tally(0).dropped()).isEqualTo(2000 - kept);
  }

  @Test
  void lostEventsAreAskedForAgain() {
    EventAssembly assembly = assembly(2, 4);
    assembly.assign(ticket(1), 0);
    assembly.add(1, 0, fragment(1), 0);
    List<Integer> asked = new ArrayList<>();
    assertThat(assembly.askAgain(24, 25, (ticket, collector) -> asked.add(collector))).isZero();
    assertThat(assembly.askAgain(25, 25, (ticket, collector) -> asked.add(collector))).isEqualTo(1);
    assertThat(assembly.askAgain(26, 25, (ticket, collector) -> asked.add(collector))).isZero();
    assertThat(asked).containsExactly(1);
  }

  /** Each ticket ends once, whole exactly if each of its fragments came in time. */
  @Test
  void lossDoublesAndDisorderGiveEachTicketOneOutcome() throws Exception {
    Seeds.each("event assembly", 20, this::check);
  }

  private void check(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    outcomes.clear();
    int collectors = random.nextInt(1, 6);
    EventAssembly assembly = assembly(collectors, 64);
    TreeMap<Long, Long> expected = new TreeMap<>();
    List<long[]> datagrams = new ArrayList<>();
    for (long number = 1; number <= 60; number++) {
      long missing = 0;
      for (int i = 0; i < collectors; i++) {
        if (random.nextInt(20) == 0) {
          missing |= 1L << i;
        } else {
          for (int copies = random.nextInt(8) == 0 ? 2 : 1; copies > 0; copies--) {
            datagrams.add(new long[] {number, i});
          }
        }
      }
      expected.put(number, missing);
    }
    Collections.shuffle(datagrams, new Random(random.nextLong()));
    int assigned = 0;
    for (long[] each : datagrams) {
      while (assigned < 60 && random.nextInt(3) == 0) {
        assembly.assign(ticket(++assigned), 0);
      }
      assembly.add(each[0], (int) each[1], fragment(1), 0);
    }
    while (assigned < 60) {
      assembly.assign(ticket(++assigned), 0);
    }
    assembly.expire(DEADLINE);
    assertThat(outcomes).isEqualTo(expected);
  }
}
