package org.kblake.record.pvaccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.epics.pva.PVASettings;
import org.epics.pva.data.PVABool;
import org.epics.pva.data.PVABoolArray;
import org.epics.pva.data.PVAByte;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVADouble;
import org.epics.pva.data.PVADoubleArray;
import org.epics.pva.data.PVAFloat;
import org.epics.pva.data.PVAFloatArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAIntArray;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVALongArray;
import org.epics.pva.data.PVAShort;
import org.epics.pva.data.PVAShortArray;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStringArray;
import org.epics.pva.data.PVAStructure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.record.channelaccess.ChannelAccessSource;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.PvServer;
import org.kblake.record.fixture.Received;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;
import org.kblake.record.source.CombinedSource;
import org.kblake.record.source.ConversionCounts;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;
import org.kblake.record.source.PacketBudget;

/** A source against the server of core-pva in this JVM. */
final class PvAccessSourceTest {

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private PvServer server;

  PvAccessSourceTest() throws Exception {
    server = PvServer.start();
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

  private static final Pattern NAME = Pattern.compile("NOWHERE:\\d{3}:");

  private static PvAccessSettings settings(int port, Duration stall) {
    return new PvAccessSettings(
        "",
        false,
        "127.0.0.1:" + port,
        new PvAccessSettings.Ports(0, port),
        new PvAccessSettings.Times(Duration.ofSeconds(30), stall));
  }

  private PvAccessSource source() {
    return source(Duration.ofSeconds(30));
  }

  private PvAccessSource source(Duration stall) {
    PvAccessSource source =
        PvAccessSource.start(
            settings(server.port(), stall), new EventQueue(new EventRing(1 << 26)), budget());
    open.push(source);
    return source;
  }

  private static PacketBudget budget() {
    return new PacketBudget(500, System.nanoTime());
  }

  /** core-pva would search all names at once, and for 10,000 channels send 85,000 packets. */
  @Test
  void channelsAreSearchedWithinTheBudget() throws Exception {
    try (DatagramSocket nobody = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      PvAccessSource source =
          PvAccessSource.start(
              new PvAccessSettings(
                  "127.0.0.1:" + nobody.getLocalPort(),
                  false,
                  "",
                  new PvAccessSettings.Ports(0, 5075),
                  new PvAccessSettings.Times(Duration.ofSeconds(30), Duration.ofSeconds(30))),
              new EventQueue(new EventRing(1 << 20)),
              new PacketBudget(100, System.nanoTime()));
      open.push(source);
      nobody.setSoTimeout(60_000);
      for (int i = 0; i < 300; i++) {
        source.open("pva://NOWHERE:%03d:".formatted(i));
      }
      // One that is opened now counts twice for a moment.
      assertThat(source.counts().searches().searching()).isBetween(300, 301);
      Set<String> searched = new HashSet<>();
      long begin = 0;
      while (searched.size() < 300) {
        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
        nobody.receive(packet);
        begin = searched.isEmpty() ? System.nanoTime() : begin;
        String text =
            new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
        NAME.matcher(text).results().forEach(name -> searched.add(name.group()));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void valuesOfEachTypeArrive() {
    Map<String, PVAStructure> served = new LinkedHashMap<>();
    served.put("char 1", PvServer.scalar(new PVABool("value", true)));
    served.put("short -56", PvServer.scalar(new PVAByte("value", false, (byte) 200)));
    served.put("char 200", PvServer.scalar(new PVAByte("value", true, (byte) 200)));
    served.put("short -3", PvServer.scalar(new PVAShort("value", false, (short) -3)));
    served.put("long 65533", PvServer.scalar(new PVAShort("value", true, (short) -3)));
    served.put("long -3", PvServer.scalar(new PVAInt("value", false, -3)));
    served.put("double 4294967293", PvServer.scalar(new PVAInt("value", true, -3)));
    served.put("double -3", PvServer.scalar(new PVALong("value", false, -3)));
    served.put(
        "double 9007199254740992", PvServer.scalar(new PVALong("value", false, (1L << 53) + 1)));
    served.put("double 9223372036854775807", PvServer.scalar(new PVALong("value", true, 1L << 63)));
    served.put("float 1.5", PvServer.scalar(new PVAFloat("value", 1.5f)));
    served.put("double 2.5", PvServer.scalar(new PVADouble("value", 2.5)));
    served.put("string mA è", PvServer.scalar(new PVAString("value", "mA è")));
    served.put("string " + "è".repeat(19), PvServer.scalar(new PVAString("value", "è".repeat(20))));
    served.put("enum 2", PvServer.state(2, "off", "on"));
    served.put("char 1 0", PvServer.array(new PVABoolArray("value", true, false)));
    served.put("short -1 1", PvServer.array(new PVAByteArray("value", false, (byte) -1, (byte) 1)));
    served.put("char 255 1", PvServer.array(new PVAByteArray("value", true, (byte) -1, (byte) 1)));
    served.put(
        "short -1 2", PvServer.array(new PVAShortArray("value", false, (short) -1, (short) 2)));
    served.put(
        "long 65535 1", PvServer.array(new PVAShortArray("value", true, (short) -1, (short) 1)));
    served.put("long -1 1", PvServer.array(new PVAIntArray("value", false, -1, 1)));
    served.put("double 4294967295 1", PvServer.array(new PVAIntArray("value", true, -1, 1)));
    served.put("double -1 1", PvServer.array(new PVALongArray("value", false, -1, 1)));
    served.put("float 0.5 1", PvServer.array(new PVAFloatArray("value", 0.5f, 1)));
    served.put("double 0.5 1", PvServer.array(new PVADoubleArray("value", 0.5, 1)));
    served.put("string a b", PvServer.array(new PVAStringArray("value", "a", "b")));
    served.put("double empty", PvServer.array(new PVADoubleArray("value")));
    int number = 0;
    for (PVAStructure each : served.values()) {
      server.add("N" + number++, each);
    }
    PvAccessSource source = source();
    Received received = new Received(source);
    for (int i = 0; i < number; i++) {
      source.open("pva://N" + i);
    }
    received.await(number, event -> event.contains("ControlData"));
    number = 0;
    for (String each : served.keySet()) {
      String name = "pva://N" + number++;
      String type = each.substring(0, each.indexOf(' '));
      assertThat(received.events())
          .contains(name + each.substring(type.length()))
          .anyMatch(event -> event.startsWith(name + " connected " + type + " "));
    }
    assertThat(source.conversions()).isEqualTo(new ConversionCounts(1, 1));
    assertThat(source.droppedByServer()).isZero();
    assertThat(source.counts().values()).isEqualTo(number);
    assertThat(source.counts().dropped()).isZero();
    assertThat(received.servers()).containsOnly("127.0.0.1:" + server.port());
  }

  @Test
  void alarmsAndStampsArrive() throws Exception {
    server.add(
        "A",
        PvServer.scalar(
            new PVADouble("value", 1),
            PvServer.alarm(2, 1, "HIHI"),
            PvServer.time(1_700_000_000, 5)));
    PvAccessSource source = source();
    Received received = new Received(source);
    source.open("pva://A");
    received.await("pva://A [3 2] @1700000000000000005 1");
    server.post(
        "A",
        PvServer.scalar(
            new PVADouble("value", 1), PvServer.alarm(4, 2, "too hot"), PvServer.time(0, 0)));
    received.await("pva://A [9 3] 1");
  }

  @Test
  void metadataArrives() {
    server.add(
        "A",
        PvServer.scalar(
            new PVADouble("value", 1),
            new PVAStructure(
                "display",
                "display_t",
                new PVADouble("limitLow", 2),
                new PVADouble("limitHigh", 1),
                new PVAString("description", "beam current"),
                new PVAString("units", "microampère"),
                new PVAInt("precision", 3)),
            new PVAStructure(
                "control",
                "control_t",
                new PVADouble("limitLow", 8),
                new PVADouble("limitHigh", 7)),
            new PVAStructure(
                "valueAlarm",
                "valueAlarm_t",
                new PVADouble("lowAlarmLimit", 6),
                new PVADouble("lowWarningLimit", 5),
                new PVADouble("highWarningLimit", 4),
                new PVADouble("highAlarmLimit", 3))));
    server.add("E", PvServer.state(0, "off", "x".repeat(25) + "è"));
    PvAccessSource source = source();
    Received received = new Received(source);
    source.open("pva://A");
    source.open("pva://E");
    received.await("pva://A description beam current");
    received.await(
        "pva://E ControlData[units=, precision=OptionalInt.empty, limits=[], labels=[off, "
            + "x".repeat(25)
            + "]]");
    assertThat(received.events())
        .contains(
            "pva://A ControlData[units=microamp, precision=OptionalInt[3], limits=[1.0, 2.0, 3.0,"
                + " 4.0, 5.0, 6.0, 7.0, 8.0], labels=[]]");
  }

  @Test
  void channelReconnectsWithAnotherTypeAfterItsServerWasAway() throws Exception {
    server.add("A", PvServer.scalar(new PVADouble("value", 1)));
    PvAccessSource source = source();
    Received received = new Received(source);
    source.open("pva://A");
    received.await("pva://A 1");
    int port = server.port();
    server.close();
    received.await("pva://A disconnected CIRCUIT_CLOSED");
    assertThat(source.counts().circuitsLost()).isEqualTo(1);
    received.await(() -> source.counts().searches().searching() == 1);
    server = PvServer.start(port);
    open.push(server);
    assertThat(server.port()).isEqualTo(port);
    server.add("A", PvServer.array(new PVAIntArray("value", false, 1, 2, 3)));
    received.await("pva://A 1 2 3");
    assertThat(received.events())
        .filteredOn(event -> !event.contains("ControlData"))
        .containsExactly(
            "pva://A connected double 1",
            "pva://A 1",
            "pva://A disconnected CIRCUIT_CLOSED",
            "pva://A connected long 3",
            "pva://A 1 2 3");
    assertThat(source.counts().searches().searching()).isZero();
  }

  @Test
  void channelThatTheServerRemovesIsSearchedAgain() throws Exception {
    server.add("A", PvServer.scalar(new PVADouble("value", 1)));
    server.add("B", PvServer.scalar(new PVADouble("value", 1)));
    PvAccessSource source = source();
    Received received = new Received(source);
    source.open("pva://A");
    source.open("pva://B");
    received.await("pva://A 1");
    received.await("pva://B 1");
    server.remove("A");
    received.await("pva://A disconnected CIRCUIT_CLOSED");
    server.add("A", PvServer.scalar(new PVADouble("value", 2)));
    received.await("pva://A 2");
    server.post("B", PvServer.scalar(new PVADouble("value", 3)));
    received.await("pva://B 3");
    assertThat(received.events()).doesNotContain("pva://B disconnected CIRCUIT_CLOSED");
    assertThat(source.counts().circuitsLost()).isZero();
  }

  @Test
  void structureIsRefusedUntilTheServerHasAnother() throws Exception {
    server.add("A", PvServer.structure("epics:nt/NTTable:1.0", new PVADouble("value", 1)));
    PvAccessSource source = source();
    Received received = new Received(source);
    source.open("pva://A");
    received.await("pva://A disconnected UNSUPPORTED_TYPE");
    server.remove("A");
    server.add("A", PvServer.scalar(new PVADouble("value", 2)));
    received.await("pva://A 2");
    assertThat(received.events())
        .filteredOn(event -> event.contains("connected"))
        .containsExactly("pva://A disconnected UNSUPPORTED_TYPE", "pva://A connected double 1");
  }

  @Test
  void closedChannelHasNoMoreEvents() throws Exception {
    server.add("A", PvServer.scalar(new PVADouble("value", 1)));
    server.add("B", PvServer.scalar(new PVADouble("value", 1)));
    PvAccessSource source = source();
    Received received = new Received(source);
    int channel = source.open("pva://A");
    source.open("pva://B");
    int unknown = source.open("pva://C");
    received.await(2, event -> event.contains("ControlData"));
    source.close(channel);
    source.close(channel);
    source.close(unknown);
    assertThat(source.name(channel)).isEqualTo("pva://A");
    assertThat(source.counts().searches().searching()).isZero();
    received.clear();
    server.post("A", PvServer.scalar(new PVADouble("value", 2)));
    server.post("B", PvServer.scalar(new PVADouble("value", 2)));
    received.await("pva://B 2");
    assertThat(received.events()).containsExactly("pva://B 2");
    source.close();
    received.poll();
    assertThat(received.events()).containsExactly("pva://B 2");
    assertThatThrownBy(() -> source.open("pva://B")).isInstanceOf(IllegalArgumentException.class);
  }

  /** The server of another address accepts connections and sends nothing. */
  @Test
  void channelWithoutAValueIsOpenedAnew() throws Exception {
    AtomicInteger searches = new AtomicInteger();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        PvServer misleading =
            PvServer.start(
                0,
                (sequence, channel, name, client, reply) -> {
                  searches.incrementAndGet();
                  reply.accept((InetSocketAddress) silent.getLocalSocketAddress());
                  return true;
                })) {
      PvAccessSource source =
          PvAccessSource.start(
              settings(misleading.port(), Duration.ofMillis(200)),
              new EventQueue(new EventRing(1 << 20)),
              budget());
      open.push(source);
      Received received = new Received(source);
      source.open("pva://A");
      received.await("pva://A disconnected NO_ANSWER");
      received.await(() -> searches.get() >= 3);
      assertThat(received.events()).containsExactly("pva://A disconnected NO_ANSWER");
    }
  }

  @Test
  void arrayOfAMillionElementsArrives() throws Exception {
    int port = server.port();
    server.close();
    PvAccessSource source =
        PvAccessSource.start(
            settings(port, Duration.ofSeconds(30)),
            new EventQueue(new EventRing(1 << 26)),
            budget());
    open.push(source);
    Received received = new Received(source);
    source.open("pva://A");
    // The source chose small buffers, which the server of this JVM would have, too.
    PVASettings.EPICS_PVA_SEND_BUFFER_SIZE = 9_000_000;
    server = PvServer.start(port);
    open.push(server);
    double[] values = new double[1_000_000];
    Arrays.setAll(values, i -> i);
    server.add("A", PvServer.array(new PVADoubleArray("value", values)));
    received.await("pva://A of 1000000, the last 999999");
  }

  @Test
  void namesOfOtherSourcesAreRefused() {
    PvAccessSource source = source();
    for (String name : List.of("A", "pva://", "ca://A", "", "pva://" + "A".repeat(2000))) {
      assertThatThrownBy(() -> source.open(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("name=" + name);
    }
    assertThatThrownBy(() -> source.name(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> source.close(0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Both protocols in one ring, each channel by the source that its name asks for. */
  @Test
  void channelsOfBothProtocolsAreOneSource() throws Exception {
    CaServer other = CaServer.start();
    open.push(other);
    other.add(ServedRecord.number("A", 1)).add(ServedRecord.number("B", 1));
    server.add("A", PvServer.scalar(new PVADouble("value", 2)));
    EventQueue queue = new EventQueue(new EventRing(1 << 20));
    ChannelAccessSettings channelAccess =
        new ChannelAccessSettings(
            new SearchSettings(
                List.of(other.address()),
                List.of(),
                SearchSettings.PACKETS_PER_SECOND,
                Duration.ofSeconds(300),
                new SearchSettings.Ports(5064, 25_999)),
            Duration.ofSeconds(30),
            Long.MAX_VALUE,
            1 << 26,
            ChannelAccessSettings.VALUE_AND_ALARM);
    ChannelAccessSource first = ChannelAccessSource.start(channelAccess, queue, Clock.systemUTC());
    PvAccessSource added =
        PvAccessSource.start(
            settings(server.port(), Duration.ofSeconds(30)), queue, first.searchBudget());
    CombinedSource source = new CombinedSource(first, Map.of(PvAccessSource.PREFIX, added));
    open.push(source);
    Received received = new Received(source);
    int one = source.open("A");
    int second = source.open("pva://A");
    int third = source.open("B");
    received.await("A 1");
    received.await("pva://A 2");
    received.await("B 1");
    assertThat(List.of(one, second, third)).containsExactly(0, 1, 2);
    assertThat(source.name(second)).isEqualTo("pva://A");
    assertThat(source.counts().values()).isEqualTo(3);
    assertThat(source.circuits()).hasSize(2);
    // An event is received after the one before it was handed out, whatever its source.
    for (int i = 10; i < 30; i += 2) {
      other.post("B", 1, Wire.doubles(i));
      received.await("B " + i);
      server.post("A", PvServer.scalar(new PVADouble("value", i + 1)));
      received.await("pva://A " + (i + 1));
    }
    source.close(second);
    source.close(one);
    server.post("A", PvServer.scalar(new PVADouble("value", 100)));
    other.post("B", 1, Wire.doubles(101));
    received.await("B 101");
    assertThat(received.events()).doesNotContain("pva://A 100");
  }
}
