package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
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
  void newAndRestartedServersAreKnownByTheirBeacons() {
    Beacons beacons = new Beacons();
    assertThat(beacons.isNewServer(SERVER, 5000)).isTrue();
    assertThat(beacons.isNewServer(SERVER, 5001)).isFalse();
    // Overtaken on the way.
    assertThat(beacons.isNewServer(SERVER, 4999)).isFalse();
    assertThat(beacons.isNewServer(SERVER, 0)).isTrue();
    assertThat(beacons.isNewServer(SERVER, 1)).isFalse();
    assertThat(beacons.isNewServer(SERVER, 0)).isTrue();
    assertThat(beacons.isNewServer(SERVER, -1)).isFalse();
  }

  /** A number beyond 2^31 is not lower. */
  @Test
  void numbersOfBeaconsMayPassTheLargestInteger() {
    Beacons beacons = new Beacons();
    assertThat(beacons.isNewServer(SERVER, Integer.MAX_VALUE)).isTrue();
    assertThat(beacons.isNewServer(SERVER, Integer.MIN_VALUE)).isFalse();
    assertThat(beacons.isNewServer(SERVER, Integer.MIN_VALUE + 1)).isFalse();
  }
}
