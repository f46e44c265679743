package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.record.channelaccess.message.ChannelNumbers;
import org.kblake.record.fixture.Wire;

/**
 * Anybody can send datagrams: each is answers, beacons, or nothing, and no byte of it is taken for
 * more. The last datagram of a case is a good one, which arrives.
 */
final class SearchAnswersTest implements ReceiverTasks {

  private static final int SEARCH = 6;
  private static final int BEACON = 13;
  private static final int REPEATER_CONFIRM = 17;
  private static final int GOOD_CHANNEL = 0x600D;
  private static final int GOOD_PORT = 0xFFFE;
  private static final int SERVER_PORT = 5064;

  private final ChannelTable channels = new ChannelTable(() -> 0);
  private final Beacons beacons = new Beacons();
  private long nowNanos;
  private int answers;
  private int goodAnswers;
  private int beaconsTaken;

  @Test
  void randomDatagramsAreAnswersOrNothing() throws Exception {
    channels.add("A");
    try (DatagramChannel to = bound();
        DatagramChannel from = bound()) {
      to.configureBlocking(false);
      SearchAnswers reader = new SearchAnswers(to, this, SERVER_PORT);
      Seeds.each(
          "SearchAnswersTest",
          Seeds.cases(300, 20_000),
          seed -> send(new SplittableRandom(seed), reader, from, to));
    }
    if (!Seeds.isOneGiven()) {
      assertThat(answers).isPositive();
      assertThat(beaconsTaken).isPositive();
    }
  }

  private static DatagramChannel bound() throws IOException {
    return DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private void send(
      SplittableRandom random, SearchAnswers reader, DatagramChannel from, DatagramChannel to)
      throws IOException {
    int before = goodAnswers;
    for (int i = random.nextInt(8); i >= 0; i--) {
      from.send(ByteBuffer.wrap(datagram(random)), to.getLocalAddress());
    }
    byte[] good = Wire.message(SEARCH, GOOD_PORT, 0, 0xFFFF_FFFF, GOOD_CHANNEL, new byte[8]);
    from.send(ByteBuffer.wrap(good), to.getLocalAddress());
    reader.read();
    assertThat(goodAnswers).isGreaterThan(before);
  }

  private static byte[] datagram(SplittableRandom random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] commands = {0, SEARCH, SEARCH, BEACON, BEACON, REPEATER_CONFIRM, 14, 99};
    for (int i = random.nextInt(4); i > 0; i--) {
      byte[] payload = new byte[random.nextInt(random.nextInt(20) == 0 ? 5000 : 20)];
      random.nextBytes(payload);
      bytes.writeBytes(
          Wire.message(
              commands[random.nextInt(commands.length)],
              random.nextInt(1 << 16),
              random.nextInt(random.nextInt(10) == 0 ? 1 << 20 : 1 << 16),
              random.nextInt(-2, 3) * random.nextInt(1, 1000),
              random.nextBoolean() ? random.nextInt() : random.nextInt(-3, 3),
              payload));
    }
    byte[] all = bytes.toByteArray();
    for (int i = all.length == 0 ? 0 : random.nextInt(4); i > 0; i--) {
      all[random.nextInt(all.length)] = (byte) random.nextInt();
    }
    // The end of a datagram may be missing.
    return random.nextInt(4) == 0 ? Arrays.copyOf(all, random.nextInt(all.length + 1)) : all;
  }

  @Override
  public void found(int channel, InetSocketAddress server) {
    answers++;
    goodAnswers += channel == GOOD_CHANNEL && server.getPort() == GOOD_PORT ? 1 : 0;
    requireServer(server);
    ClientChannel known = channels.get(channel);
    assertThat(known == null).isEqualTo(channel != 0);
  }

  private static void requireServer(InetSocketAddress server) {
    assertThat(server.isUnresolved()).isFalse();
    assertThat(server.getAddress().isAnyLocalAddress()).isFalse();
  }

  @Override
  public void beacon(InetSocketAddress server, int number) {
    beaconsTaken++;
    requireServer(server);
    nowNanos += 1_000_000_000;
    assertThat(beacons.take(server, number, nowNanos)).isNotNull();
    assertThat(beacons.take(server, number, nowNanos)).isEqualTo(Beacons.News.NONE);
  }

  @Override
  public void repeaterConfirmed() {}

  @Override
  public void created(ClientChannel channel) {}

  @Override
  public void lost(ClientChannel channel, Circuit from) {}

  @Override
  public void metadataRead(ClientChannel channel) {}

  @Override
  public void metadataWanted(ClientChannel channel) {}

  @Override
  public void metadataFailed(ClientChannel channel) {}

  @Override
  public void valueWanted(ClientChannel channel) {}

  @Override
  public void versionKnown(Circuit circuit) {}

  @Override
  public void unknown(Circuit circuit, ChannelNumbers channel) {}

  @Override
  public void ended(Circuit circuit) {}
}
