package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often, and to whom, something is sent. */
final class SenderRulesTest {

  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
  private static final long SECOND = 1_000_000_000;

  @Test
  void budgetIsKeptAndAPauseGivesNoBurst() {
    PacketBudget budget = new PacketBudget(500, 0);
    int sent = 0;
    for (long now = 0; now < 10 * SECOND; now += SECOND / 1000) {
      while (budget.isOpen(now)) {
        budget.take(1);
        sent++;
      }
    }
    assertThat(sent).isBetween(4995, 5011);
    int burst = 0;
    while (budget.isOpen(1000 * SECOND)) {
      budget.take(1);
      burst++;
    }
    assertThat(burst).isLessThanOrEqualTo(10);
  }

  /** A packet to more addresses than there is budget for is paid later. */
  @Test
  void budgetOfManyAddressesIsKept() {
    PacketBudget budget = new PacketBudget(100, 0);
    int sent = 0;
    for (long now = 0; now < 10 * SECOND; now += SECOND / 1000) {
      if (budget.isOpen(now)) {
        budget.take(7);
        sent += 7;
      }
    }
    assertThat(sent).isBetween(990, 1010);
  }

  @Test
  void serverThatFailsIsLeftAloneForLongerEachTime() throws IOException {
    BackOff backOff = new BackOff();
    try (SocketChannel socket = SocketChannel.open()) {
      long now = 0;
      for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
        backOff.ended(new Circuit(SERVER, socket, now), now);
        assertThat(backOff.permits(SERVER, now + seconds * SECOND - 1)).isFalse();
        now += seconds * SECOND;
        assertThat(backOff.permits(SERVER, now)).isTrue();
      }
      Circuit good = new Circuit(SERVER, socket, now);
      good.setConnected();
      backOff.ended(good, now + 11 * SECOND);
      assertThat(backOff.permits(SERVER, now + 11 * SECOND)).isTrue();
    }
  }

  @Test
  void silentCircuitIsAskedThenSilentThenDead() throws IOException {
    Liveness liveness = new Liveness(30 * SECOND);
    try (SocketChannel socket = SocketChannel.open()) {
      Circuit circuit = new Circuit(SERVER, socket, 0);
      List<Circuit> one = List.of(circuit);
      assertThat(liveness.check(one, 5 * SECOND).dead()).isEmpty();
      assertThat(liveness.check(one, 5 * SECOND + 1).dead()).isEqualTo(one);
      circuit.setConnected();
      assertThat(liveness.check(one, 30 * SECOND).asked()).isEqualTo(one);
      assertThat(circuit.output().waiting()).isEqualTo(16);
      assertThat(liveness.check(one, 35 * SECOND))
          .isEqualTo(new Liveness.Findings(List.of(), List.of(), List.of()));
      assertThat(liveness.check(one, 36 * SECOND).silent()).isEqualTo(one);
      assertThat(liveness.check(one, 150 * SECOND).silent()).isEqualTo(one);
      assertThat(liveness.check(one, 151 * SECOND).dead()).isEqualTo(one);
      // A byte, and all is as before.
      circuit.received(1, 152 * SECOND);
      assertThat(liveness.check(one, 152 * SECOND).dead()).isEmpty();
      assertThat(circuit.askedNanos()).isZero();
      assertThat(liveness.check(one, 182 * SECOND).asked()).isEqualTo(one);
      circuit.setRestarted();
      assertThat(liveness.check(one, 183 * SECOND).dead()).isEqualTo(one);
    }
  }

  @Test
  void newAndRestartedServersAreKnownByTheirBeacons() {
    Beacons beacons = new Beacons();
    assertThat(beacons.take(SERVER, 5000)).isEqualTo(Beacons.News.NEW_SERVER);
    assertThat(beacons.take(SERVER, 5001)).isEqualTo(Beacons.News.NONE);
    // Overtaken on the way.
    assertThat(beacons.take(SERVER, 4999)).isEqualTo(Beacons.News.NONE);
    assertThat(beacons.take(SERVER, 0)).isEqualTo(Beacons.News.RESTARTED_SERVER);
    assertThat(beacons.take(SERVER, 1)).isEqualTo(Beacons.News.NONE);
    assertThat(beacons.take(SERVER, 0)).isEqualTo(Beacons.News.RESTARTED_SERVER);
    assertThat(beacons.take(SERVER, -1)).isEqualTo(Beacons.News.NONE);
  }

  /** A number beyond 2^31 is not lower. */
  @Test
  void numbersOfBeaconsMayPassTheLargestInteger() {
    Beacons beacons = new Beacons();
    assertThat(beacons.take(SERVER, Integer.MAX_VALUE)).isEqualTo(Beacons.News.NEW_SERVER);
    assertThat(beacons.take(SERVER, Integer.MIN_VALUE)).isEqualTo(Beacons.News.NONE);
    assertThat(beacons.take(SERVER, Integer.MIN_VALUE + 1)).isEqualTo(Beacons.News.NONE);
  }
}
