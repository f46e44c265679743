package org.kblake.transfer.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventPeer;
import org.kblake.transfer.message.EventSession;
import org.kblake.transfer.message.EventTicket;
import org.kblake.transfer.shape.SendingLimits;

/** Managers, collectors and builders of events on loopback. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventsTest {

  private static final EventPeer PEER = new EventPeer("b", "127.0.0.1", 9);
  private static final EventSession SESSION =
      new EventSession(
          1, 0, false, false, Long.MAX_VALUE, 1, List.of("*"), List.of(PEER), List.of(PEER));

  private final EventsFixture fixture = new EventsFixture();

  @AfterEach
  void end() {
    fixture.close();
  }

  @Test
  void eachEventIsBuiltOnceByPushAndPullOverUdpAndTcp() throws Exception {
    InetSocketAddress address;
    try (EventManager manager = fixture.manager(0)) {
      address = manager.address();
      for (String name : new String[] {"c1", "c2", "c3"}) {
        fixture.collector(name, address);
      }
      fixture.builder("b1", address);
      fixture.builder("b2", address);
      check(manager, false, false);
    }
    // Collectors and builders serve the next manager, too.
    for (int i = 1; i < 4; i++) {
      try (EventManager manager = fixture.manager(address.getPort())) {
        check(manager, i % 2 == 1, i > 1);
      }
    }
    assertThat(fixture.log.said("b1 has [of c")).isTrue();
  }

  private void check(EventManager manager, boolean pulls, boolean tcp) throws Exception {
    fixture.rows.clear();
    EventReport report = manager.run(EventsFixture.plan(300, 3, 2, pulls, tcp));
    assertThat(report.names()).isEmpty();
    assertThat(report.built()).isEqualTo(300);
    assertThat(report.collectors().bytes()).isEqualTo(report.builders().bytes()).isPositive();
    // The order of collectors is that in which they came.
    assertThat(fixture.rows.stream().map(EventsTest::sorted))
        .containsExactlyInAnyOrderElementsOf(EventsFixture.rows(300, "c1", "c2", "c3"));
  }

  private static String sorted(String row) {
    String[] words = row.split(" ");
    java.util.Arrays.sort(words, 1, words.length);
    return String.join(" ", words);
  }

  @Test
  void lostDoubledAndWrongDatagramsAreCountedAndLostEventsNamed() throws Exception {
    try (EventManager manager = fixture.manager(0)) {
      fixture.collector("good", manager.address());
      new Thread(new RawEventCollector("bad", manager.address())).start();
      fixture.builder("b", manager.address());
      EventReport report = manager.run(EventsFixture.plan(100, 2, 1, false, false));
      assertThat(report.built()).isEqualTo(90);
      assertThat(report.lost()).isEqualTo(10);
      assertThat(report.names())
          .contains(
              "event 3 at 1970-01-01T00:00:00.000000102Z is given up, it lacks fragments of bad")
          .contains("bad lacks in 10 events");
      // The second one of a whole event is late, others are there twice.
      assertThat(report.builders().twice() + report.builders().late()).isEqualTo(10);
      assertThat(report.builders().strange()).isEqualTo(30);
      assertThat(fixture.rows).hasSize(90);
    }
  }

  @Test
  void aBuilderThatDiesLosesNothing() throws Exception {
    try (EventManager manager = fixture.manager(0)) {
      fixture.collector("c", manager.address());
      Thread first = fixture.builder("b1", manager.address());
      fixture.builder("b2", manager.address());
      EventPlan plan = EventsFixture.plan(3000, 1, 2, false, false);
      CompletableFuture<EventReport> report = start(manager, plan);
      fixture.log.await("rows", () -> fixture.rows.size() > 100);
      first.interrupt();
      assertThat(report.get(30, TimeUnit.SECONDS).built()).isEqualTo(3000);
      assertThat(fixture.rows.stream().distinct())
          .containsExactlyInAnyOrderElementsOf(EventsFixture.rows(3000, "c"));
      assertThat(fixture.log.said("builder b1 is lost")).isTrue();
    }
  }

  private static CompletableFuture<EventReport> start(EventManager manager, EventPlan plan) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return manager.run(plan);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void aSideMayComeLateAndABuilderMayRestartBeforeTheSession() throws Exception {
    fixture.timeout = Duration.ofSeconds(2);
    try (EventManager manager = fixture.manager(0)) {
      CompletableFuture<EventReport> report =
          start(manager, EventsFixture.plan(50, 1, 2, false, false));
      Thread first = fixture.builder("b1", manager.address());
      fixture.builder("b2", manager.address());
      fixture.log.await("both", () -> fixture.log.said("b1 is c") && fixture.log.said("b2 is c"));
      first.interrupt();
      fixture.log.await("the loss", () -> fixture.log.said("builder b1 is lost"));
      fixture.builder("b1", manager.address());
      long late = System.nanoTime() + 2 * fixture.timeout.toNanos();
      fixture.log.await("time", () -> System.nanoTime() > late);
      fixture.collector("c", manager.address());
      assertThat(report.get(30, TimeUnit.SECONDS).built()).isEqualTo(50);
      assertThat(fixture.log.said("b2 is lost") || fixture.log.said("refused")).isFalse();
    }
  }

  @Test
  void aSilentCollectorEndsTheSessionWithAReport() throws Exception {
    fixture.timeout = Duration.ofSeconds(2);
    try (EventManager manager = fixture.manager(0)) {
      RawEventCollector raw = new RawEventCollector("silent", manager.address());
      raw.silentFrom(40);
      new Thread(raw).start();
      fixture.builder("b", manager.address());
      EventReport report = manager.run(quick(EventsFixture.plan(1_000, 1, 1, false, false)));
      assertThat(report.problem()).startsWith("collector silent is lost");
      assertThat(report.built()).isPositive();
    }
  }

  @Test
  void aBuilderMayWriteSlowly() throws Exception {
    fixture.writingMillis = 3000;
    try (EventManager manager = fixture.manager(0)) {
      fixture.collector("c", manager.address());
      fixture.builder("b1", manager.address());
      fixture.builder("b2", manager.address());
      EventReport report = manager.run(quick(EventsFixture.plan(100, 1, 2, false, false)));
      assertThat(report.again()).isZero();
      assertThat(fixture.rows).doesNotHaveDuplicates().hasSize((int) report.built());
    }
  }

  @Test
  void othersDoNotEndASession() throws Exception {
    try (EventManager manager = fixture.manager(0)) {
      fixture.collector("c", manager.address());
      fixture.builder("b", manager.address());
      EventPlan plan = EventsFixture.plan(6000, 1, 1, true, true);
      CompletableFuture<EventReport> report =
          start(
              manager,
              new EventPlan(
                  plan.channels(),
                  plan.nanos(),
                  1,
                  1,
                  true,
                  true,
                  plan.window(),
                  plan.deadline(),
                  1000.0,
                  null));
      fixture.log.await("rows", () -> fixture.rows.size() > 100);
      EventMessage no = new EventMessage.Refused("I am a stranger");
      EventMessage ready = new EventMessage.Ready(0, "x");
      for (EventMessage each : List.of(no, ready, new EventMessage.End())) {
        ByteBuffer hello = EventCodec.encode(new EventMessage.Hello(true, "x", 5));
        ByteBuffer next = EventCodec.encode(each);
        ByteBuffer both = ByteBuffer.allocate(hello.limit() + next.limit()).put(hello).put(next);
        assertThat(answer(manager, both.flip())).contains("all that it needs");
      }
      // A connection for fragments that has none of the session.
      try (Socket socket =
          new Socket(InetAddress.getLoopbackAddress(), fixture.addresses.get(0).getPort())) {
        socket.getOutputStream().write(ByteBuffer.allocate(100).putInt(0, 96).array());
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
        assertThat(report).isNotDone();
      }
      assertThat(report.get(50, TimeUnit.SECONDS).built()).isEqualTo(6000);
    }
  }

  @Test
  void loopbackTogetherWithOtherAddressesIsRefusedByName() throws Exception {
    List<EventPeer> here = List.of(PEER);
    List<EventPeer> there = List.of(new EventPeer("far", "192.0.2.1", 9));
    EventManager.checkReach(here, here);
    EventManager.checkReach(there, here);
    assertThatThrownBy(() -> EventManager.checkReach(here, there))
        .hasMessageContaining("b is connected by loopback");
  }

  @Test
  void aPlanOutOfBoundsIsRefusedBeforeItBegins() throws Exception {
    try (EventManager manager = fixture.manager(0)) {
      for (EventPlan plan :
          List.of(
              EventsFixture.plan(1_000_001, 1, 1, true, false),
              EventsFixture.plan(1, 65, 1, true, false),
              EventsFixture.plan(1, 1, 65, true, false))) {
        assertThatThrownBy(() -> manager.run(plan)).hasMessageContaining("must be from 1 to");
      }
    }
  }

  @Test
  void aManagerThatDiesIsReplaced() throws Exception {
    EventManager manager = fixture.manager(0);
    int port = manager.address().getPort();
    fixture.collector("c", manager.address());
    fixture.builder("b", manager.address());
    EventPlan plan = EventsFixture.plan(1_000_000, 1, 1, true, false);
    CompletableFuture<EventReport> ended = start(manager, plan);
    fixture.log.await("rows", () -> fixture.rows.size() > 100);
    manager.close();
    EventReport report = ended.get(30, TimeUnit.SECONDS);
    assertThat(report.problem()).contains("is lost");
    assertThat(report.built()).isGreaterThan(50);
    fixture.log.await("the end is noticed", () -> fixture.log.said("the other side has closed"));
    fixture.rows.clear();
    try (EventManager next = fixture.manager(port)) {
      assertThat(next.run(EventsFixture.plan(200, 1, 1, true, false)).built()).isEqualTo(200);
    }
    assertThat(fixture.rows).containsExactlyInAnyOrderElementsOf(EventsFixture.rows(200, "c"));
  }

  private EventSettings settings() {
    return new EventSettings(
        "c", Ends.local(1), Ends.local(0), Duration.ofSeconds(5), SendingLimits.NONE, fixture.log);
  }

  /** The socket is that of all sessions. */
  @Test
  void aFeedThatEndsWhileItSendsLeavesTheSocketOpen() throws Exception {
    try (DatagramChannel datagrams = EventSockets.datagrams(Ends.local(0), 1 << 16)) {
      for (int i = 0; i < 100; i++) {
        FragmentFeed feed = new FragmentFeed(SESSION, PEER, datagrams, settings(), null);
        feed.start(EventsFixture.fragments("c", event -> true, 50_000));
        for (int event = 0; event < 2000; event++) {
          feed.add(new EventTicket(event + 1, event, 0));
        }
        while (feed.bytes() == 0) {
          Thread.onSpinWait();
        }
        feed.close();
        assertThat(feed.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30))).isTrue();
        assertThat(datagrams.isOpen()).isTrue();
      }
    }
  }

  @Test
  void whatIsAskedForTwiceIsSentOnceWhileItWaits() throws Exception {
    try (DatagramChannel datagrams = EventSockets.datagrams(Ends.local(0), 1 << 16)) {
      FragmentFeed feed = new FragmentFeed(SESSION, PEER, datagrams, settings(), null);
      for (int i = 0; i < 10; i++) {
        feed.add(new EventTicket(1, 0, 0));
      }
      feed.add(new EventTicket(2, 1, 0));
      feed.start(EventsFixture.fragments("c", event -> true, 1000));
      fixture.log.await("both are sent", () -> feed.bytes() >= 2000);
      feed.close();
      assertThat(feed.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30))).isTrue();
      assertThat(feed.bytes()).isEqualTo(2000);
    }
  }

  @Test
  void whatDoesNotFitIsCountedAndTheEndDoesNotWaitForARead() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch reads = new CountDownLatch(1);
    try (DatagramChannel datagrams = EventSockets.datagrams(Ends.local(0), 1 << 16)) {
      FragmentFeed feed = new FragmentFeed(SESSION, PEER, datagrams, settings(), null);
      for (int event = 0; event < 5000; event++) {
        feed.add(new EventTicket(event + 1, event, 0));
      }
      assertThat(feed.dropped()).isEqualTo(5000 - 4096);
      feed.start(EventsFixture.fragments("c", event -> waits(reading, reads), 10));
      fixture.log.await("it reads", () -> reading.getCount() == 0);
      feed.close();
      assertThat(feed.await(System.nanoTime())).isFalse();
      assertThat(fixture.log.said("a fragment is still read, or sent to b")).isTrue();
      reads.countDown();
      assertThat(feed.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30))).isTrue();
    }
  }

  private static boolean waits(CountDownLatch begun, CountDownLatch end) {
    begun.countDown();
    try {
      return end.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void aFragmentThatFailsLosesOnlyItsEvent() throws Exception {
    try (EventManager manager = fixture.manager(0)) {
      fixture.collector("c", manager.address(), event -> event != 2);
      fixture.builder("b", manager.address());
      EventReport report = manager.run(quick(EventsFixture.plan(100, 1, 1, false, false)));
      assertThat(report.built()).isEqualTo(99);
      assertThat(report.lost()).isEqualTo(1);
      assertThat(report.collectors().dropped()).isEqualTo(1);
      assertThat(report.names()).anyMatch(name -> name.startsWith("event 3 at "));
      assertThat(fixture.log.said("a fragment is not sent to b")).isTrue();
      assertThat(fixture.log.said("event=3, no fragment")).isTrue();
    }
  }

  /** Returns a plan whose events have little time. */
  private static EventPlan quick(EventPlan plan) {
    return new EventPlan(
        plan.channels(),
        plan.nanos(),
        plan.collectors(),
        plan.builders(),
        plan.pulls(),
        plan.tcp(),
        plan.window(),
        Duration.ofMillis(200),
        null,
        null);
  }

  @Test
  void anotherVersionAndForeignBytesAreRefusedByName() throws Exception {
    try (EventManager manager = fixture.manager(0)) {
      ByteBuffer hello = EventCodec.encode(new EventMessage.Hello(true, "old", 5));
      hello.putShort(9, (short) 9);
      assertThat(answer(manager, hello)).contains("another version of the event builder: found=9");
      ByteBuffer wrong = EventCodec.encode(new EventMessage.Hello(true, "x".repeat(10_000), 5));
      assertThat(answer(manager, wrong)).contains("not a name");
      assertThat(
              answer(
                  manager,
                  ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8))))
          .contains("message has a wrong length");
      assertThat(fixture.log.said("another version")).isTrue();
    }
  }

  private static String answer(EventManager manager, ByteBuffer sent) throws IOException {
    try (Socket socket = new Socket(manager.address().getAddress(), manager.address().getPort())) {
      Channels.newChannel(socket.getOutputStream()).write(sent);
      EventMessage message = EventCodec.read(socket.getInputStream());
      while (message instanceof EventMessage.Assign) {
        message = EventCodec.read(socket.getInputStream());
      }
      return ((EventMessage.Refused) message).reason();
    }
  }
}
