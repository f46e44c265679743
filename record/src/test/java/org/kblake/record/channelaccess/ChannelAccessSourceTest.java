package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.Received;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;
import org.kblake.record.source.CircuitCounts;

/** A client against a server in this JVM, which errs on request. */
final class ChannelAccessSourceTest {

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private CaServer server;

  ChannelAccessSourceTest() throws IOException {
    server = CaServer.start();
  }

  @BeforeEach
  void register() {
    open.push(server);
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
        Duration.ofSeconds(30),
        Long.MAX_VALUE,
        1 << 26,
        ChannelAccessSettings.VALUE_AND_ALARM);
  }

  private ChannelAccessSource source() {
    return source(settings(List.of(server.address()), List.of()));
  }

  private ChannelAccessSource source(ChannelAccessSettings settings) {
    ChannelAccessSource source = ChannelAccessSource.start(settings);
    open.push(source);
    return source;
  }

  @Test
  void valuesOfEachTypeArrive() {
    server.add(new ServedRecord("S", ServedRecord.STRING, 1, 1, Wire.strings("mA è")));
    server.add(new ServedRecord("H", ServedRecord.SHORT, 1, 1, Wire.shorts(-3)));
    server.add(new ServedRecord("F", ServedRecord.FLOAT, 1, 1, Wire.floats(1.5f)));
    server.add(new ServedRecord("E", ServedRecord.ENUM, 1, 1, Wire.shorts(0xFFFE)));
    server.add(new ServedRecord("C", ServedRecord.CHAR, 1, 1, Wire.chars(200)));
    server.add(new ServedRecord("L", ServedRecord.LONG, 1, 1, Wire.longs(-70_000)));
    server.add(new ServedRecord("D", ServedRecord.DOUBLE, 1, 1, Wire.doubles(2.5)));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    for (String each : List.of("S", "H", "F", "E", "C", "L", "D")) {
      source.open(each);
    }
    received.await(7, event -> !event.contains("connected"));
    assertThat(received.events())
        .contains("S mA è", "H -3", "F 1.5", "E 65534", "C 200", "L -70000", "D 2.5")
        .contains("S connected string 1", "E connected enum 1", "D connected double 1");
    assertThat(source.counts().dropped()).isZero();
  }

  /** A count of 0 in the subscription: the array has its present length, which may be 0. */
  @Test
  void waveformsHaveTheirPresentLength() {
    server.add(new ServedRecord("W", ServedRecord.DOUBLE, 5, 2, Wire.doubles(1, 2)));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("W");
    received.await("W 1 2");
    server.post("W", 0, Wire.doubles());
    received.await("W empty");
    server.post("W", 5, Wire.doubles(1, 2, 3, 4, 5));
    received.await("W 1 2 3 4 5");
    assertThat(received.events()).contains("W connected double 5");
  }

  @Test
  void alarmsAndStampsArrive() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    server.post("A", 1, Wire.stampedDoubles(3, 2, 1_000_000_000, 5, 7));
    received.await("A [3 2] @1631152000000000005 7");
    // No stamp: nanoseconds of a second and more.
    server.post("A", 1, Wire.stampedDoubles(3, 2, 1, 1_000_000_000, 8));
    received.await("A [3 2] 8");
  }

  @Test
  void stringWithoutTheZerosBehindItArrives() {
    byte[] whole = Wire.strings("on");
    server.add(
        new ServedRecord("S", ServedRecord.STRING, 1, 1, java.util.Arrays.copyOf(whole, 15)));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("S");
    received.await("S on");
  }

  @Test
  void metadataAndDescriptionAreReadWithoutSearch() {
    server.add(ServedRecord.number("A.VAL", 1));
    ByteBuffer control = ByteBuffer.allocate(88);
    control.putShort((short) 0).putShort((short) 0).putShort((short) 3).putShort((short) 0);
    control.put(Wire.text("mA")).position(16);
    for (int i = 1; i <= 8; i++) {
      control.putDouble(i);
    }
    server.addControl("A.VAL", control.array());
    server.addControl("A.DESC", java.util.Arrays.copyOf(Wire.text("beam current"), 40));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A.VAL");
    received.await("A.VAL description beam current");
    assertThat(received.events())
        .contains(
            "A.VAL ControlData[units=mA, precision=OptionalInt[3], limits=[1.0, 2.0, 3.0, 4.0,"
                + " 5.0, 6.0, 7.0, 8.0], labels=[]]");
    assertThat(server.searches()).isEqualTo(1);
    received.await(() -> server.commands().contains("12"));
  }

  @Test
  void labelsOfAnEnumArrive() {
    server.add(new ServedRecord("E", ServedRecord.ENUM, 1, 1, Wire.shorts(1)));
    ByteBuffer control = ByteBuffer.allocate(424).putInt(0).putShort((short) 2);
    control.put(Wire.text("off")).position(32).put(Wire.text("on"));
    server.addControl("E", control.array());
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("E");
    received.await(
        "E ControlData[units=, precision=OptionalInt.empty, limits=[], labels=[off, on]]");
  }

  @Test
  void channelReconnectsAfterItsServerWasAway() throws IOException {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    int port = server.port();
    server.close();
    received.await("A disconnected CIRCUIT_CLOSED");
    server = CaServer.start(port);
    open.push(server);
    server.add(ServedRecord.number("A", 2));
    received.await("A 2");
    assertThat(received.events())
        .containsExactly(
            "A connected double 1",
            "A 1",
            "A disconnected CIRCUIT_CLOSED",
            "A connected double 1",
            "A 2");
    assertThat(source.counts().circuitsLost()).isEqualTo(1);
  }

  /** Who sums up the counts misses nothing, also of circuits that come and go. */
  @Test
  void countsOfCircuitsAreExactAlsoWhereTheyEnded() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    String name = "127.0.0.1:" + server.port();
    List<CircuitCounts> counts = new ArrayList<>();
    received.await(
        () -> {
          counts.addAll(source.circuits());
          return counts.stream().anyMatch(each -> each.bytes() > 0);
        });
    // The answers about metadata are the last messages.
    CircuitCounts nothing = new CircuitCounts(name, true, 0, 0, CircuitCounts.NO_DROPS);
    received.await(() -> source.circuits().equals(List.of(nothing)));
    server.post("A", 1, Wire.doubles(2));
    received.await("A 2");
    server.closeCircuits();
    received.await(2, "A 2"::equals);
    counts.addAll(source.circuits());
    assertThat(counts).extracting(CircuitCounts::server).containsOnly(name);
    assertThat(counts).filteredOn(each -> !each.isOpen()).hasSize(1);
    assertThat(counts.stream().mapToLong(CircuitCounts::values).sum()).isEqualTo(3);
    assertThat(source.circuits()).hasSize(1);
    assertThat(received.servers()).containsExactly(name, name);
  }

  /** The server's buffers may have been full meanwhile. */
  @Test
  void receiverThatHadNoTimeIsLate() {
    server.add(ServedRecord.number("A", 1));
    CountDownLatch isPosted = new CountDownLatch(1);
    FailingClock clock = new FailingClock();
    ChannelAccessSource source =
        ChannelAccessSource.start(settings(List.of(server.address()), List.of()), clock);
    open.push(source);
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    received.await(() -> !source.circuits().isEmpty());
    long begin = System.nanoTime();
    clock.pause = isPosted;
    for (int i = 2; i <= 1000; i++) {
      server.post("A", 1, Wire.doubles(i));
    }
    received.await(() -> System.nanoTime() - begin > 200_000_000);
    isPosted.countDown();
    List<CircuitCounts> counts = new ArrayList<>();
    received.await(
        () -> {
          counts.addAll(source.circuits());
          return received.events().contains("A 1000");
        });
    counts.addAll(source.circuits());
    List<Long> late =
        counts.stream().map(each -> each.drops().fromNanos()).filter(from -> from != 0).toList();
    assertThat(late).hasSize(1);
    assertThat(late.get(0)).isBetween(-30_000_000_000L, -150_000_000L);
  }

  /** An array that is larger than all buffers on its way is no sign of lateness. */
  @Test
  void largeArrayInTimeIsNotLate() {
    int elements = 1_000_000;
    server.add(
        new ServedRecord(
            "W", ServedRecord.DOUBLE, elements, elements, Wire.doubles(new double[elements])));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("W");
    received.await("W of 1000000, the last 0");
    assertThat(source.circuits()).allMatch(each -> each.drops().fromNanos() == 0);
  }

  @Test
  void sizeOfTheEventsThatWaitIsKnown() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    source.open("A");
    awaitWithoutPolling(source, 1);
    assertThat(source.counts().ring().usedBytes()).isPositive();
    new Received(source).await("A 1");
    assertThat(source.counts().ring().usedBytes()).isZero();
  }

  @Test
  void channelReconnectsWithAnotherTypeAndCount() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    server.add(new ServedRecord("A", ServedRecord.LONG, 3, 3, Wire.longs(1, 2, 3)));
    server.closeCircuits();
    received.await("A 1 2 3");
    assertThat(received.events()).contains("A connected long 3");
  }

  /** The circuit and its other channels stay. */
  @Test
  void channelThatTheServerRemovesIsSearchedAgain() {
    server.add(ServedRecord.number("A", 1)).add(ServedRecord.number("B", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    source.open("B");
    received.await("A 1");
    received.await("B 1");
    server.remove("A");
    received.await("A disconnected REMOVED_BY_SERVER");
    server.add(ServedRecord.number("A", 2));
    received.await("A 2");
    server.post("B", 1, Wire.doubles(5));
    received.await("B 5");
    assertThat(received.events()).doesNotContain("B disconnected CIRCUIT_CLOSED");
    assertThat(source.counts().circuitsLost()).isZero();
  }

  @Test
  void channelWithoutReadAccessIsDisconnectedUntilItHasIt() {
    server.add(ServedRecord.number("A", 1));
    server.setReadable("A", false);
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A disconnected NO_READ_ACCESS");
    // The subscription is not answered with a value.
    received.await(() -> server.commands().contains("1"));
    assertThat(server.commands()).doesNotContain("15 34");
    server.setReadable("A", true);
    received.await("A 1");
    // Its metadata is asked for when it can be read.
    received.await(() -> server.commands().contains("15 34"));
    server.setReadable("A", false);
    received.await(2, "A disconnected NO_READ_ACCESS"::equals);
    assertThat(received.events())
        .containsExactly(
            "A disconnected NO_READ_ACCESS",
            "A connected double 1",
            "A 1",
            "A disconnected NO_READ_ACCESS");
  }

  @Test
  void secondServerOfANameIsCounted() throws IOException {
    CaServer other = CaServer.start();
    open.push(other);
    server.add(ServedRecord.number("A", 1));
    other.add(ServedRecord.number("A", 1));
    ChannelAccessSource source =
        source(settings(List.of(server.address(), other.address()), List.of()));
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    received.await(() -> source.counts().searches().clashes() == 1);
    assertThat(server.circuits() + other.circuits()).isEqualTo(1);
  }

  @Test
  void channelIsFoundByANameServerAlone() {
    server.add(ServedRecord.number("A", 1));
    server.setDeaf(true);
    ChannelAccessSource source = source(settings(List.of(), List.of(server.address())));
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    assertThat(server.datagrams()).isZero();
    // The name server has the channel, so its circuit is the channel's.
    assertThat(server.circuits()).isEqualTo(1);
  }

  /** The other channels do not wait for a server that does not accept. */
  @Test
  void serverThatRefusesCircuitsHarmsNoOther() throws IOException {
    CaServer dead = CaServer.start();
    server.add(ServedRecord.number("A", 1));
    InetSocketAddress refusing = dead.address();
    dead.close();
    ChannelAccessSource source = source(settings(List.of(server.address()), List.of(refusing)));
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
  }

  /** A recorder may start before the service that knows the hosts. */
  @Test
  void hostThatWasUnknownIsLookedUpAgain() throws IOException {
    CaServer nameServer = CaServer.start();
    open.push(nameServer);
    server.add(ServedRecord.number("A", 1));
    nameServer.add(ServedRecord.number("B", 2));
    InetSocketAddress address = InetSocketAddress.createUnresolved("localhost", server.port());
    InetSocketAddress other = InetSocketAddress.createUnresolved("localhost", nameServer.port());
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("none.invalid", 5064);
    ChannelAccessSource source = source(settings(List.of(unknown, address), List.of(other)));
    Received received = new Received(source);
    source.open("A");
    source.open("B");
    received.await("A 1");
    received.await("B 2");
  }

  @Test
  void nameServerThatStartsLaterIsAsked() throws IOException {
    int port = server.port();
    InetSocketAddress address = server.address();
    server.close();
    ChannelAccessSource source = source(settings(List.of(), List.of(address)));
    Received received = new Received(source);
    source.open("A");
    server = CaServer.start(port);
    open.push(server);
    server.add(ServedRecord.number("A", 1));
    received.await("A 1");
  }

  private ChannelAccessSettings withRepeater(DatagramSocket repeater) {
    ChannelAccessSettings settings = settings(List.of(server.address()), List.of());
    SearchSettings search = settings.search();
    return settings.withSearch(
        new SearchSettings(
            search.addresses(),
            List.of(),
            search.packetsPerSecond(),
            search.longestPeriod(),
            new SearchSettings.Ports(5064, repeater.getLocalPort())));
  }

  private static DatagramPacket registration(DatagramSocket repeater) throws IOException {
    repeater.setSoTimeout(10_000);
    DatagramPacket request = new DatagramPacket(new byte[100], 100);
    repeater.receive(request);
    assertThat(ByteBuffer.wrap(request.getData()).getShort()).isEqualTo((short) 24);
    return request;
  }

  /**
   * A server that lost its power cannot close its circuits. The time without a byte that a client
   * permits is 30 seconds.
   */
  @Test
  void circuitOfAServerThatWasRestartedEndsSoon() throws IOException {
    server.add(ServedRecord.number("A", 1));
    try (DatagramSocket repeater =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      ChannelAccessSource source = source(withRepeater(repeater));
      Received received = new Received(source);
      source.open("A");
      received.await("A 1");
      server.setSilent(true);
      DatagramPacket request = registration(repeater);
      long begin = System.nanoTime();
      for (int number : new int[] {7000, 0}) {
        byte[] beacon = Wire.message(13, 13, server.port(), number, 0x7F000001);
        repeater.send(new DatagramPacket(beacon, beacon.length, request.getSocketAddress()));
      }
      received.await("A disconnected NO_ANSWER");
      assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(25).toNanos());
      assertThat(source.counts().searches().beacons()).isEqualTo(2);
      server.setSilent(false);
      received.await(2, "A 1"::equals);
      assertThat(source.counts().circuitsLost()).isEqualTo(1);
    }
  }

  /** A repeater hands beacons to those that register. Other datagrams there harm nobody. */
  @Test
  void clientRegistersAtTheRepeaterAndSurvivesItsDatagrams() throws IOException {
    server.add(ServedRecord.number("A", 1));
    try (DatagramSocket repeater =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      ChannelAccessSource source = source(withRepeater(repeater));
      DatagramPacket request = registration(repeater);
      for (byte[] each :
          List.of(
              Wire.message(17, 0, 0, 0, 0x7F000001),
              Wire.message(13, 13, server.port(), 0, 0x7F000001),
              Wire.message(13, 13, 0, 1, 0),
              new byte[] {0, 6, (byte) 0xFF, (byte) 0xFF, 0, 0, 0, 0},
              Wire.message(6, 99, 0, 0x7F000001, 12_345, new byte[8]),
              new byte[0])) {
        repeater.send(new DatagramPacket(each, each.length, request.getSocketAddress()));
      }
      Received received = new Received(source);
      source.open("A");
      received.await("A 1");
    }
  }

  /**
   * Neither a name server nor the server of a channel accepts: their queues are full, so the kernel
   * does not answer. The channel is found elsewhere later, and others do not wait.
   */
  @Test
  void serversThatDoNotAcceptDelayNoOther() throws IOException {
    CaServer liar = CaServer.start();
    open.push(liar);
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
        Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
      assertThat(first.isConnected() && second.isConnected()).isTrue();
      InetSocketAddress dead = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
      liar.add(ServedRecord.number("A", 1));
      liar.setAnsweredPort(full.getLocalPort());
      server.add(ServedRecord.number("B", 1));
      ChannelAccessSource source =
          source(settings(List.of(liar.address(), server.address()), List.of(dead)));
      Received received = new Received(source);
      source.open("A");
      received.await(() -> liar.searches() > 0);
      source.open("B");
      long begin = System.nanoTime();
      received.await("B 1");
      assertThat(System.nanoTime() - begin).isLessThan(Duration.ofSeconds(3).toNanos());
      server.add(ServedRecord.number("A", 2));
      received.await("A 2");
    }
  }

  @Test
  void silentServerIsAskedAndItsChannelsReturnOnTheSameCircuit() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source =
        source(
            settings(List.of(server.address()), List.of())
                .withConnectionTimeout(Duration.ofMillis(200)));
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    received.await(() -> server.commands().contains("23 "));
    assertThat(received.events()).doesNotContain("A disconnected NO_ANSWER");
    server.setSilent(true);
    received.await("A disconnected NO_ANSWER");
    server.setSilent(false);
    server.post("A", 1, Wire.doubles(2));
    received.await("A 2");
    // The value that is posted may also be that of the subscription which begins again.
    assertThat(received.events().stream().limit(5))
        .containsExactly(
            "A connected double 1",
            "A 1",
            "A disconnected NO_ANSWER",
            "A connected double 1",
            "A 2");
    assertThat(source.counts().circuitsLost()).isZero();
    assertThat(server.searches()).isEqualTo(1);
  }

  @Test
  void circuitThatEndsWhileItIsSilentDisconnectsOnce() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source =
        source(
            settings(List.of(server.address()), List.of())
                .withConnectionTimeout(Duration.ofMillis(200)));
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    server.setSilent(true);
    received.await("A disconnected NO_ANSWER");
    server.setSilent(false);
    server.closeCircuits();
    received.await(2, "A 1"::equals);
    assertThat(received.events()).doesNotContain("A disconnected CIRCUIT_CLOSED");
  }

  /** Bytes cut anywhere are the same messages. */
  @Test
  void messagesCutAtEachByteArrive() {
    server.setBytesOfWrite(1);
    server.add(ServedRecord.number("A", 1));
    server.add(new ServedRecord("W", ServedRecord.LONG, 300, 300, Wire.longs(new int[300])));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    source.open("W");
    received.await("A 1");
    received.await("W of 300, the last 0");
    assertThat(source.counts().dropped()).isZero();
  }

  @Test
  void millionElementsArrive() {
    double[] elements = new double[1_000_000];
    elements[999_999] = 5;
    server.add(
        new ServedRecord("W", ServedRecord.DOUBLE, 1_000_000, 1_000_000, Wire.doubles(elements)));
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("W");
    received.await("W of 1000000, the last 5");
    source.open("A");
    received.await("A 1");
  }

  @Test
  void arrayAboveTheLimitIsRefusedAndTheOthersStay() {
    server.add(new ServedRecord("W", ServedRecord.DOUBLE, 0xFFFF_FFFFL, 1, Wire.doubles(1)));
    server.add(new ServedRecord("N", ServedRecord.DOUBLE, 0, 1, Wire.doubles(1)));
    server.add(new ServedRecord("T", 7, 1, 1, Wire.doubles(1)));
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    for (String each : List.of("W", "N", "T", "A")) {
      source.open(each);
    }
    received.await("A 1");
    received.await(3, event -> event.contains(" disconnected "));
    assertThat(received.events())
        .contains(
            "W disconnected TOO_LARGE",
            "N disconnected UNSUPPORTED_TYPE",
            "T disconnected UNSUPPORTED_TYPE");
  }

  /** A wrong count, type or size in a message whose length is right harms no other value. */
  @Test
  void valueThatContradictsItsChannelIsDropped() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    int id = server.subscription("A");
    int doubles = 20;
    server.send(Wire.message(1, doubles, 2, 1, id, Wire.doubles(1, 2)));
    server.send(Wire.message(1, doubles, 0xFFFF_FFFFL, 1, id, Wire.doubles(1)));
    server.send(Wire.message(1, doubles, 1, 1, id, new byte[8]));
    server.send(Wire.message(1, 19, 1, 1, id, Wire.doubles(1)));
    server.send(Wire.message(1, doubles, 1, 152, id, Wire.doubles(1)));
    server.send(Wire.message(1, doubles, 1, 1, 77_777, Wire.doubles(1)));
    server.send(Wire.message(1, doubles, 1, 1, -2, Wire.doubles(1)));
    server.post("A", 1, Wire.doubles(3));
    received.await("A 3");
    assertThat(received.events())
        .containsExactly(
            "A connected double 1",
            "A 1",
            "A disconnected CONTRADICTION lost 1",
            "A connected double 1 lost 4",
            "A 3");
    assertThat(source.counts().dropped()).isEqualTo(5);
  }

  /** What follows a wrong length cannot be found, so the circuit begins anew. */
  @Test
  void messageOfAWrongLengthEndsItsCircuit() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    server.send(
        ByteBuffer.allocate(24)
            .putShort((short) 1)
            .putShort((short) 0xFFFF)
            .position(16)
            .putInt(0x7FFF_FFF8)
            .array());
    received.await("A disconnected MALFORMED_MESSAGES");
    received.await(2, "A 1"::equals);
  }

  @Test
  void refusedSubscriptionIsDisconnected() {
    server.add(ServedRecord.number("A", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    byte[] request = Wire.message(1, 20, 1, 0, server.subscription("A"));
    server.send(Wire.message(11, 0, 0, 0, 48, request));
    received.await("A disconnected REFUSED_BY_SERVER");
  }

  @Test
  void closedChannelGivesNoMoreEventsAndTheOthersStay() {
    server.add(ServedRecord.number("A", 1)).add(ServedRecord.number("B", 1));
    ChannelAccessSource source = source();
    Received received = new Received(source);
    int channel = source.open("A");
    source.open("B");
    received.await("A 1");
    received.await("B 1");
    source.close(channel);
    received.await(() -> server.commands().contains("12"));
    server.post("A", 1, Wire.doubles(2));
    server.post("B", 1, Wire.doubles(2));
    received.await("B 2");
    assertThat(received.events()).doesNotContain("A 2");
    assertThat(source.counts().dropped()).isZero();
  }

  /** Its events may still be in the ring, and their handler may ask. */
  @Test
  void closedChannelHasItsName() {
    ChannelAccessSource source = source();
    source.close(source.open("A"));
    assertThat(source.name(0)).isEqualTo("A");
    source.close(0);
  }

  /** Negative numbers are those of descriptions, which the source keeps for itself. */
  @Test
  void numberThatTheSourceDidNotGiveIsNoChannel() {
    server.add(ServedRecord.number("A", 1));
    server.addControl("A", new byte[88]);
    server.addControl("A.DESC", new byte[40]);
    ChannelAccessSource source = source();
    Received received = new Received(source);
    source.open("A");
    received.await("A description ");
    for (int number : new int[] {-1, 1, 1_000_000, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> source.name(number))
          .hasMessage("channel was not opened: channel=" + number);
      assertThatThrownBy(() -> source.close(number))
          .hasMessage("channel was not opened: channel=" + number);
    }
  }

  /** A clock that fails on request, as a source has no other part that a test can let fail. */
  private static final class FailingClock extends Clock {

    private final AtomicInteger failures = new AtomicInteger();
    private volatile CountDownLatch pause = new CountDownLatch(0);

    @Override
    public Instant instant() {
      try {
        assertThat(pause.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IllegalStateException("clock");
      }
      return Instant.EPOCH;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** What no one expected harms one circuit only. */
  @Test
  void circuitEndsWhereTheReceiverFailsAndTheOthersStay() {
    server.add(ServedRecord.number("A", 1));
    FailingClock clock = new FailingClock();
    ChannelAccessSource source =
        ChannelAccessSource.start(settings(List.of(server.address()), List.of()), clock);
    open.push(source);
    Received received = new Received(source);
    source.open("A");
    received.await("A 1");
    clock.failures.set(1);
    server.post("A", 1, Wire.doubles(2));
    received.await("A disconnected CIRCUIT_CLOSED");
    received.await("A 2");
  }

  @Test
  void eventsBeforeTheEndOfAThreadAreHandedOutAndItsReasonIsTold() {
    server.add(ServedRecord.number("A", 1));
    FailingClock clock = new FailingClock();
    ChannelAccessSource source =
        ChannelAccessSource.start(settings(List.of(server.address()), List.of()), clock);
    open.push(source);
    source.open("A");
    awaitWithoutPolling(source, 1);
    clock.failures.set(Integer.MAX_VALUE);
    server.post("A", 1, Wire.doubles(2));
    List<String> kinds = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                source.poll(event -> kinds.add(event.kind().name()), 1);
                source.await(Duration.ofSeconds(1).toNanos());
              }
            })
        .hasMessage("no more events are received: clock");
    assertThat(kinds).containsExactly("CONNECTED", "VALUE");
  }

  /** Such would be recorded as a failure of the server. */
  @Test
  void noChannelIsDisconnectedByTheEndOfTheSource() {
    int elements = 20_000;
    byte[] value = Wire.doubles(new double[elements]);
    server.add(new ServedRecord("W", ServedRecord.DOUBLE, elements, elements, value));
    AtomicBoolean isDone = new AtomicBoolean();
    Thread posting =
        new Thread(
            () -> {
              while (!isDone.get()) {
                server.post("W", elements, value);
              }
            });
    open.push(() -> isDone.set(true));
    posting.start();
    for (int turn = 0; turn < 20; turn++) {
      ChannelAccessSource source = source();
      source.open("W");
      awaitWithoutPolling(source, 20);
      source.close();
      Received received = new Received(source);
      received.poll();
      assertThat(received.events()).noneMatch(event -> event.contains("disconnected"));
    }
  }

  @Test
  void fiveThousandChannelsConnectWithinTheBudget() {
    int channels = 5000;
    for (int i = 0; i < channels; i++) {
      server.add(ServedRecord.number("KEK:TEST:CHANNEL" + i, i));
    }
    ChannelAccessSource source = source();
    Received received = new Received(source);
    long begin = System.nanoTime();
    for (int i = 0; i < channels; i++) {
      source.open("KEK:TEST:CHANNEL" + i);
    }
    received.await(channels, event -> !event.contains("connected"));
    double seconds = (System.nanoTime() - begin) / 1e9;
    assertThat(source.counts().searches().packets())
        .isLessThanOrEqualTo((long) (SearchSettings.PACKETS_PER_SECOND * (seconds + 0.1)));
    assertThat(source.counts().searches().searching()).isZero();
    assertThat(source.counts().values()).isEqualTo(channels);
  }

  /**
   * Nobody polls, so a ring of 4 KiB is full after some dozens of values. The latest value wins,
   * and what is lost is stated.
   */
  @Test
  void fullRingKeepsTheLatestValueAndCountsTheLost() {
    server.add(ServedRecord.number("A", 0));
    ChannelAccessSource source =
        source(settings(List.of(server.address()), List.of()).withRingBytes(4096));
    Received received = new Received(source);
    source.open("A");
    received.await("A 0");
    int posts = 1000;
    for (int i = 1; i <= posts; i++) {
      server.post("A", 1, Wire.doubles(i));
    }
    received.clear();
    awaitWithoutPolling(source, posts + 1);
    received.await(1, event -> event.startsWith("A " + posts + " lost "));
    long lost = source.counts().ring().lost();
    assertThat(lost).isBetween(800L, 990L);
    assertThat(received.events()).hasSize((int) (posts - lost)).endsWith("A 1000 lost " + lost);
  }

  private static void awaitWithoutPolling(ChannelAccessSource source, long values) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (source.counts().values() < values) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void nameThatNoServerCanHaveIsRefused() {
    ChannelAccessSource source = source();
    assertThatThrownBy(() -> source.open(""))
        .hasMessage("name of a channel has not from 1 to 499 bytes: name=, bytes=0");
    assertThatThrownBy(() -> source.open("x".repeat(500))).hasMessageContaining("bytes=500");
  }
}
