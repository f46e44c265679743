package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.Received;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;
import org.kblake.record.source.ChannelState;

/**
 * A server that refuses, fails or contradicts itself costs its channel values, which are stated,
 * and no other channel anything.
 */
final class ErringServerTest {

  private static final int TIME_DOUBLE = 20;
  private static final int CTRL_DOUBLE = 34;
  private static final int GET_FAILED = 152;
  private static final int TOO_LARGE = 72;

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final CaServer server;

  ErringServerTest() throws IOException {
    server = CaServer.start();
  }

  @BeforeEach
  void addRecords() {
    open.push(server);
    server.add(ServedRecord.number("A", 1)).add(ServedRecord.number("B", 1));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static ChannelAccessSettings settings(
      List<InetSocketAddress> addresses, List<InetSocketAddress> nameServers) {
    return new ChannelAccessSettings(
        new SearchSettings(
            addresses,
            nameServers,
            SearchSettings.PACKETS_PER_SECOND,
            Duration.ofMinutes(5),
            new SearchSettings.Ports(5064, 25_999)),
        Duration.ofMillis(200),
        Long.MAX_VALUE,
        1 << 26,
        ChannelAccessSettings.VALUE_AND_ALARM);
  }

  private ChannelAccessSource source(ChannelAccessSettings settings) {
    ChannelAccessSource source = ChannelAccessSource.start(settings);
    open.push(source);
    return source;
  }

  private ChannelAccessSource source() {
    return source(settings(List.of(server.address()), List.of()));
  }

  private Received connected(ChannelAccessSource source, String... names) {
    Received received = new Received(source);
    for (String each : names) {
      source.open(each);
      received.await(each + " 1");
    }
    return received;
  }

  private int requests(String command) {
    return Collections.frequency(server.commands(), command);
  }

  /** Polls for a time in which something should not happen. */
  private static void pause(Received received, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    received.await(() -> System.nanoTime() - end > 0);
  }

  @Test
  void valueAboveAllThatWasAnnouncedDisconnectsItsChannelAlone() {
    ChannelAccessSource source = source();
    Received received = connected(source, "A", "B");
    int id = server.subscription("A");
    byte[] large = Wire.message(1, TIME_DOUBLE, 100_000, 1, id, Wire.doubles(new double[100_000]));
    server.send(large);
    server.send(large);
    server.post("B", 1, Wire.doubles(2));
    received.await("B 2");
    assertThat(received.events())
        .containsExactly(
            "A connected double 1",
            "A 1",
            "B connected double 1",
            "B 1",
            "A disconnected TOO_LARGE lost 1",
            "B 2");
    server.post("A", 1, Wire.doubles(3));
    received.await("A 3");
    assertThat(received.events()).endsWith("A connected double 1 lost 1", "A 3");
    assertThat(source.counts().dropped()).isEqualTo(2);
    assertThat(source.counts().circuitsLost()).isZero();
  }

  /** Such servers exist. The message may be larger than any that was announced. */
  @Test
  void arrayMayHaveMoreElementsThanAnnounced() {
    server.add(new ServedRecord("W", ServedRecord.DOUBLE, 5, 7, Wire.doubles(new double[7])));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("W");
    received.await("W 0 0 0 0 0 0 0");
    double[] elements = new double[50_000];
    elements[49_999] = 5;
    server.post("W", elements.length, Wire.doubles(elements));
    received.await("W of 50000, the last 5");
    assertThat(source.counts().dropped()).isZero();
  }

  @Test
  void valueThatTheServerCannotReadDisconnectsItsChannel() {
    ChannelAccessSource source = source();
    Received received = connected(source, "A");
    int id = server.subscription("A");
    server.send(Wire.message(1, TIME_DOUBLE, 1, GET_FAILED, id, new byte[24]));
    // A gateway sends no bytes with its error.
    server.send(Wire.message(1, TIME_DOUBLE, 1, GET_FAILED, id));
    received.await("A disconnected READ_FAILED lost 1");
    server.post("A", 1, Wire.doubles(2));
    received.await("A 2");
    assertThat(received.events())
        .endsWith("A disconnected READ_FAILED lost 1", "A connected double 1 lost 1", "A 2");
    assertThat(source.counts().dropped()).isEqualTo(2);
  }

  /** An IOC refuses each value that is too large for it with an error of its own. */
  @Test
  void valuesThatTheServerRefusesDisconnectOnceAndTheNextOneConnects() {
    ChannelAccessSource source = source();
    Received received = connected(source, "A");
    byte[] request = Wire.message(1, TIME_DOUBLE, 1, 0, server.subscription("A"));
    for (int i = 0; i < 10; i++) {
      server.send(Wire.message(11, 0, 0, 0, TOO_LARGE, request));
    }
    server.post("A", 1, Wire.doubles(2));
    received.await("A 2");
    assertThat(received.events())
        .containsExactly(
            "A connected double 1",
            "A 1",
            "A disconnected TOO_LARGE lost 1",
            "A connected double 1 lost 9",
            "A 2");
  }

  /** A gateway knows the name, and its IOC is away. */
  @Test
  void channelThatIsNotCreatedIsToldOnceAndSearchedSeldom() {
    server.setCreatable("A", false);
    ChannelAccessSource source = source();
    Received received = new Received(source);
    int channel = source.open("A");
    received.await("A disconnected CREATION_REFUSED");
    pause(received, Duration.ofSeconds(2));
    assertThat(server.searches()).isEqualTo(1);
    assertThat(source.state(channel)).isEqualTo(ChannelState.REFUSED);
    server.setCreatable("A", true);
    received.await("A 1");
    assertThat(received.events())
        .containsExactly("A disconnected CREATION_REFUSED", "A connected double 1", "A 1");
    assertThat(source.state(channel)).isEqualTo(ChannelState.CONNECTED);
  }

  @Test
  void stateTellsWhyThereAreNoValues() throws IOException {
    CaServer dead = CaServer.start();
    int deadPort = dead.port();
    dead.close();
    ChannelAccessSource source = source();
    Received received = new Received(source);
    int unknown = source.open("NONE");
    server.setSilent(true);
    int silent = source.open("A");
    received.await(() -> source.state(silent) == ChannelState.CREATING);
    server.setAnsweredPort(deadPort);
    int unreachable = source.open("B");
    received.await(() -> source.state(unreachable) == ChannelState.UNREACHABLE);
    assertThat(source.state(unknown)).isEqualTo(ChannelState.SEARCHED);
    assertThat(received.events()).isEmpty();
  }

  /** What was posted in the silence is lost, and the record may never change again. */
  @Test
  void presentValueIsReadAfterASilence() {
    server.add(new ServedRecord("W", ServedRecord.DOUBLE, 5, 1, Wire.doubles(1)));
    server.addControl("A", new byte[88]);
    ChannelAccessSource source = source();
    Received received = connected(source, "A", "W");
    received.await(() -> requests("15 " + CTRL_DOUBLE) == 2);
    server.setSilent(true);
    received.await("A disconnected NO_ANSWER");
    server.post("A", 1, Wire.doubles(2));
    server.post("W", 2, Wire.doubles(3, 4));
    server.setSilent(false);
    server.send(Wire.message(23, 0, 0, 0, 0));
    received.await("A 2");
    received.await("W 3 4");
    assertThat(received.events().indexOf("A 2"))
        .isGreaterThan(received.events().lastIndexOf("A connected double 1"));
    // Metadata is not read again.
    assertThat(requests("15 " + CTRL_DOUBLE)).isEqualTo(2);
    assertThat(requests("15 " + TIME_DOUBLE)).isEqualTo(2);
  }

  /** A tunnel: the server's own port is closed, or another server's, on this side of it. */
  @Test
  void nameServerThatNamesItselfIsReachedWhereItWasAsked() throws IOException {
    CaServer dead = CaServer.start();
    server.setAnsweredPort(dead.port());
    dead.close();
    ChannelAccessSource source = source(settings(List.of(), List.of(server.address())));
    connected(source, "A");
    assertThat(server.circuits()).isEqualTo(1);
  }

  /** Something else listens at the port. It accepts, and says nothing. */
  @Test
  void channelThatWasFoundWhereNobodyAnswersIsFoundElsewhere() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CaServer liar = CaServer.start();
      open.push(liar);
      liar.add(ServedRecord.number("A", 1));
      liar.setAnsweredPort(mute.getLocalPort());
      InetSocketAddress silent = new InetSocketAddress(mute.getInetAddress(), mute.getLocalPort());
      ChannelAccessSource source =
          source(settings(List.of(liar.address(), server.address()), List.of(silent)));
      Received received = new Received(source);
      server.remove("A");
      source.open("A");
      received.await(() -> liar.searches() > 0);
      source.open("B");
      received.await("B 1");
      server.add(ServedRecord.number("A", 2));
      received.await("A 2");
      assertThat(received.events()).doesNotContain("A disconnected NO_ANSWER");
    }
  }

  /** It would answer the search with an error, and end the circuit and its channels. */
  @Test
  void nameServerOfAnOldVersionIsNotAsked() {
    server.setMinorVersion(11);
    ChannelAccessSource source =
        source(settings(List.of(server.address()), List.of(server.address())));
    Received received = connected(source, "A");
    source.open("NONE");
    int searches = server.searches();
    received.await(() -> server.searches() > searches + 3);
    assertThat(server.commands()).doesNotContain("6");
  }

  @Test
  void fullRingDoesNotLetMetadataBeReadAgainAndAgain() {
    server.addControl("B", new byte[88]);
    ChannelAccessSource source =
        source(settings(List.of(server.address()), List.of()).withRingBytes(4096));
    Received received = connected(source, "A");
    source.open("B");
    for (int i = 0; i < 200; i++) {
      server.post("A", 1, Wire.doubles(2));
    }
    awaitWithoutPolling(() -> requests("15 " + CTRL_DOUBLE) >= 2);
    long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
    awaitWithoutPolling(
        () -> {
          server.post("A", 1, Wire.doubles(3));
          return System.nanoTime() - end > 0;
        });
    assertThat(requests("15 " + CTRL_DOUBLE)).isEqualTo(2);
    received.await(
        () -> {
          server.post("A", 1, Wire.doubles(4));
          return received.events().stream().anyMatch(each -> each.startsWith("B ControlData"));
        });
  }

  private static void awaitWithoutPolling(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void circuitWithoutChannelsEndsAndTheDescriptionIsCleared() {
    server.addControl("A.DESC", new byte[40]);
    ChannelAccessSource source = source();
    Received received = connected(source, "A");
    source.close(0);
    received.await(() -> requests("12") == 2);
    received.await(() -> server.circuits() == 0);
    assertThat(source.counts().circuitsLost()).isZero();
  }

  /** A size that fits neither type nor count: what follows cannot be found. */
  @Test
  void valueWithASizeThatFitsNothingEndsItsCircuit() {
    ChannelAccessSource source = source();
    Received received = connected(source, "A");
    server.send(
        ByteBuffer.allocate(24)
            .putShort((short) 1)
            .putShort((short) 0xFFFF)
            .putShort((short) TIME_DOUBLE)
            .position(16)
            .putInt(0x7FFF_FFF8)
            .putInt(1)
            .array());
    received.await("A disconnected MALFORMED_MESSAGES");
    received.await(2, "A 1"::equals);
  }
}
