package org.kblake.record.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.ChannelAccessSource;
import org.kblake.record.channelaccess.message.ChannelNumbers;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.fixture.Received;

/** The IOC of the demonstration before the client of the recorder, some hundred times too fast. */
final class DemoServerTest {

  /** A clock that each turn of the IOC sets forward. */
  private static final class SteppedClock extends Clock {
    final AtomicLong millis = new AtomicLong(Instant.parse("2026-11-29T00:00:00Z").toEpochMilli());

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis.get());
    }
  }

  private static ChannelAccessSource source(int port) {
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return ChannelAccessSource.start(
        new ChannelAccessSettings(
            new SearchSettings(
                List.of(),
                List.of(server),
                SearchSettings.PACKETS_PER_SECOND,
                Duration.ofMinutes(5),
                new SearchSettings.Ports(5064, 25_999)),
            Duration.ofSeconds(30),
            Long.MAX_VALUE,
            1 << 24,
            ChannelAccessSettings.VALUE_AND_ALARM));
  }

  @Test
  void allRecordsAreLivelyOneLeavesAndOneCountsWithGaps() throws Exception {
    SteppedClock clock = new SteppedClock();
    DemoMachine machine = new DemoMachine(clock);
    assertThat(machine.records()).hasSizeBetween(20, 25);
    try (DemoServer server = new DemoServer(machine.records())) {
      Thread ioc =
          new Thread(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  turn(server, machine);
                  clock.millis.addAndGet(20);
                }
              },
              "test IOC");
      ioc.start();
      try (ChannelAccessSource source = source(server.port())) {
        Received received = new Received(source);
        machine.records().forEach(each -> source.open(each.name()));
        received.await(machine.records().size(), event -> event.contains(" description "));
        assertThat(received.events())
            .contains(
                "BMLINJ:STATE ControlData[units=, precision=OptionalInt.empty, limits=[],"
                    + " labels=[Off, Fill, Top-up]]",
                "BMLBPM:ORBIT:X connected double 120",
                "BMLINJ:MESSAGE connected string 1",
                "DEMO:COUNT connected long 1",
                "BMLDCCT:CURRENT description beam current, LER")
            .anyMatch(event -> event.startsWith("BMLDCCT:CURRENT ControlData[units=mA, "));
        received.await("VALCCG:D09:PRES disconnected REMOVED_BY_SERVER");
        received.await(() -> jumps(received.events()) > 1);
        received.await(
            () -> received.events().stream().anyMatch(each -> each.endsWith(" Beam aborted")));
      } finally {
        ioc.interrupt();
        ioc.join();
      }
    }
  }

  private static void turn(DemoServer server, DemoMachine machine) {
    try {
      server.answer(1);
      machine.move(server);
    } catch (IOException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long jumps(List<String> events) {
    long jumps = 0;
    long before = Long.MAX_VALUE;
    for (String each : events) {
      if (each.startsWith("DEMO:COUNT @")) {
        long count = Long.parseLong(each.replaceAll(".* ", ""));
        jumps += count - before > 1 ? 1 : 0;
        before = count;
      }
    }
    return jumps;
  }

  /** A client that stops reading, such as one that a user suspends, must not stop the others. */
  @Test
  void aClientThatDoesNotReadIsCutOff() throws Exception {
    DemoRecord large = DemoRecord.numbers("LARGE", 8000, "", 0, "");
    try (DemoServer server = new DemoServer(List.of(large));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      ByteBuffer requests = ByteBuffer.allocate(1000);
      Requests.createChannel(requests, 1, "LARGE");
      Requests.subscribe(requests, new ChannelNumbers(1, 1), ValueType.DOUBLE, 0, 1);
      socket.getOutputStream().write(requests.array(), 0, requests.position());
      byte[] value = large.value(0, new double[8000]);
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (server.clients() == 0 && System.nanoTime() < end) {
        server.answer(5);
      }
      while (server.clients() > 0) {
        assertThat(System.nanoTime()).isLessThan(end);
        server.answer(1);
        server.post("LARGE", value);
      }
    }
  }
}
