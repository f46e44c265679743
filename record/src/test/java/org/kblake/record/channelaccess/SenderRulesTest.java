package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.source.PacketBudget;

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
      assertThat(backOff.permits(SERVER, now + 70 * SECOND)).isFalse();
      good.received(1, now);
      backOff.ended(good, now + 11 * SECOND);
      assertThat(backOff.permits(SERVER, now + 11 * SECOND)).isTrue();
    }
  }

  @Test
  void silentCircuitIsAskedThenSilentThenDead() throws IOException {
    CircuitLiveness liveness = new CircuitLiveness(30 * SECOND);
    try (SocketChannel socket = SocketChannel.open()) {
      Circuit circuit = new Circuit(SERVER, socket, 0);
      List<Circuit> one = List.of(circuit);
      assertThat(liveness.check(one, 5 * SECOND).dead()).isEmpty();
      assertThat(liveness.check(one, 5 * SECOND + 1).dead()).isEqualTo(one);
      circuit.setConnected();
      // Where nothing was ever sent is perhaps no server.
      assertThat(liveness.check(one, 20 * SECOND).dead()).isEmpty();
      assertThat(liveness.check(one, 20 * SECOND + 1).dead()).isEqualTo(one);
      circuit.received(1, 0);
      assertThat(liveness.check(one, 30 * SECOND).asked()).isEqualTo(one);
      assertThat(circuit.output().waiting()).isEqualTo(16);
      assertThat(liveness.check(one, 35 * SECOND))
          .isEqualTo(new CircuitLiveness.Findings(List.of(), List.of(), List.of()));
      assertThat(liveness.check(one, 36 * SECOND).silent()).isEqualTo(one);
      assertThat(liveness.check(one, 150 * SECOND).silent()).isEqualTo(one);
      assertThat(liveness.check(one, 151 * SECOND).dead()).isEqualTo(one);
      // A byte, and all is as before.
      circuit.received(1, 152 * SECOND);
      assertThat(liveness.check(one, 152 * SECOND).dead()).isEmpty();
      assertThat(circuit.askedNanos()).isZero();
      assertThat(liveness.check(one, 182 * SECOND).asked()).isEqualTo(one);
    }
  }

  /** The server lost the circuit, and a rate of bytes is no reason to wait. */
  @Test
  void serverThatWasRestartedIsAskedAtOnceAndHasAFewSeconds() throws IOException {
    CircuitLiveness liveness = new CircuitLiveness(30 * SECOND);
    try (SocketChannel socket = SocketChannel.open()) {
      Circuit circuit = new Circuit(SERVER, socket, 0);
      List<Circuit> one = List.of(circuit);
      circuit.setConnected();
      circuit.received(1, 10 * SECOND);
      circuit.setRestarted(true);
      assertThat(liveness.check(one, 11 * SECOND).asked()).isEqualTo(one);
      assertThat(liveness.check(one, 16 * SECOND).dead()).isEmpty();
      assertThat(liveness.check(one, 16 * SECOND + 1).dead()).isEqualTo(one);
      // It answers, so the beacon was wrong. Later silences are as before.
      circuit.received(1, 17 * SECOND);
      assertThat(liveness.check(one, 18 * SECOND))
          .isEqualTo(new CircuitLiveness.Findings(List.of(), List.of(), List.of()));
      assertThat(liveness.check(one, 46 * SECOND).asked()).isEmpty();
      assertThat(liveness.check(one, 47 * SECOND).asked()).isEqualTo(one);
      assertThat(liveness.check(one, 53 * SECOND).silent()).isEqualTo(one);
    }
  }

  private static Beacons.News take(Beacons beacons, int number, int second) {
    return beacons.take(SERVER, number, second * SECOND);
  }

  @Test
  void failedReadIsRepeatedAFewTimes() throws IOException {
    ReadRequests reads = new ReadRequests(0);
    try (SocketChannel socket = SocketChannel.open()) {
      Circuit circuit = new Circuit(SERVER, socket, 0);
      ClientChannel channel = new ClientChannel(0, "A");
      channel.assign(circuit);
      channel.setState(ClientChannel.State.CONNECTED);
      reads.addMetadata(channel);
      assertThat(reads.next(0)).isEqualTo(circuit);
      for (int i = 1; i <= 3; i++) {
        assertThat(reads.retry(channel, 60 * SECOND * i - 60 * SECOND)).isTrue();
        assertThat(reads.next(60 * SECOND * i - 1)).isNull();
        assertThat(reads.next(60 * SECOND * i)).isEqualTo(circuit);
      }
      assertThat(reads.retry(channel, 180 * SECOND)).isFalse();
      // Another connection, another three times.
      channel.release(ClientChannel.Stage.SEARCHED);
      channel.assign(circuit);
      assertThat(reads.retry(channel, 180 * SECOND)).isTrue();
    }
  }

  @Test
  void circuitIsUnusedAfterAWhileWithoutChannels() throws IOException {
    try (SocketChannel socket = SocketChannel.open()) {
      Circuit circuit = new Circuit(SERVER, socket, 0);
      assertThat(circuit.isUnused(15 * SECOND)).isFalse();
      assertThat(circuit.isUnused(15 * SECOND + 1)).isTrue();
      ClientChannel channel = new ClientChannel(0, "A");
      channel.assign(circuit);
      assertThat(circuit.isUnused(100 * SECOND)).isFalse();
      channel.release(ClientChannel.Stage.CLOSED);
      assertThat(circuit.isUnused(115 * SECOND)).isFalse();
      assertThat(circuit.isUnused(115 * SECOND + 1)).isTrue();
    }
  }

  @Test
  void newAndRestartedServersAreKnownByTheirBeacons() {
    Beacons beacons = new Beacons();
    assertThat(take(beacons, 5000, 0)).isEqualTo(Beacons.News.NEW_SERVER);
    assertThat(take(beacons, 5001, 1)).isEqualTo(Beacons.News.NONE);
    // Overtaken on the way.
    assertThat(take(beacons, 4990, 1)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 4984, 1)).isEqualTo(Beacons.News.RESTARTED_SERVER);
    assertThat(take(beacons, 0, 2)).isEqualTo(Beacons.News.RESTARTED_SERVER);
    assertThat(take(beacons, 0, 2)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 1, 3)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 0, 4)).isEqualTo(Beacons.News.RESTARTED_SERVER);
  }

  /** The network was away, and with it the channels, which are searched rarely by now. */
  @Test
  void serverWhoseBeaconsPausedIsNewAgain() {
    Beacons beacons = new Beacons();
    take(beacons, 1, 0);
    // They come twice as late each time, until they come every 15 seconds.
    assertThat(take(beacons, 2, 29)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 3, 44)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 4, 59)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 20, 105)).isEqualTo(Beacons.News.NEW_SERVER);
    assertThat(take(beacons, 21, 120)).isEqualTo(Beacons.News.NONE);
    // An old one, which was under way for long, is no sign.
    assertThat(take(beacons, 20, 200)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 30, 201)).isEqualTo(Beacons.News.NEW_SERVER);
    // A server with a period of a minute.
    take(beacons, 31, 230);
    assertThat(take(beacons, 32, 290)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, 33, 469)).isEqualTo(Beacons.News.NONE);
  }

  /** A number beyond 2^31 is not lower. */
  @Test
  void numbersOfBeaconsMayPassTheLargestInteger() {
    Beacons beacons = new Beacons();
    assertThat(take(beacons, Integer.MAX_VALUE, 0)).isEqualTo(Beacons.News.NEW_SERVER);
    assertThat(take(beacons, Integer.MIN_VALUE, 1)).isEqualTo(Beacons.News.NONE);
    assertThat(take(beacons, Integer.MIN_VALUE + 1, 2)).isEqualTo(Beacons.News.NONE);
  }

  /** Such as one for which the system has no buffer. */
  @Test
  void searchThatIsNotSentDoesNotCount() throws IOException {
    DatagramChannel socket = DatagramChannel.open();
    socket.close();
    SearchSettings settings =
        new SearchSettings(
            List.of(SERVER),
            List.of(),
            SearchSettings.PACKETS_PER_SECOND,
            Duration.ofMinutes(5),
            new SearchSettings.Ports(5064, 5065));
    Searches searches = new Searches(settings, List.of(SERVER), List.of(), socket, 0);
    ClientChannel channel = new ClientChannel(1, "A");
    searches.queue().add(channel, 0);
    assertThat(searches.send(0)).isEqualTo(PacketBudget.WAIT_NANOS);
    assertThat(searches.packets() + searches.names() + channel.searches()).isZero();
    assertThat(searches.queue().peek(0)).isEqualTo(channel);
  }
}
