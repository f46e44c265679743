package org.kblake.record.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;

/** Events leave the queue in order, and each one that does not is counted. */
final class EventQueueTest {

  private final ChannelEvent event = new ChannelEvent();

  private ChannelEvent value(int channel, int number, int bytes) {
    ByteBuffer value = ByteBuffer.allocate(12 + bytes);
    value.putInt(12, number);
    event.begin(channel, EventKind.VALUE, number);
    return event.typed(ValueType.LONG, 1).with(value, 0, value.capacity());
  }

  private static List<String> poll(EventQueue queue, int limit) {
    List<String> events = new ArrayList<>();
    queue.poll(
        each ->
            events.add(
                each.channel()
                    + ":"
                    + (int) each.number(0)
                    + (each.lostBefore() == 0 ? "" : " lost " + each.lostBefore())),
        limit);
    return events;
  }

  @Test
  void eventsKeepTheirOrderAcrossTheEndOfTheRing() {
    EventQueue queue = new EventQueue(new EventRing(4096));
    for (int i = 0; i < 1000; i++) {
      // Sizes that are no divisor of the capacity, so that events do not fit at its end.
      queue.put(value(i % 7, i, 4 + i % 90));
      assertThat(poll(queue, 10)).containsExactly(i % 7 + ":" + i);
    }
    assertThat(queue.lost()).isZero();
    assertThat(queue.ring().used()).isZero();
  }

  @Test
  void fieldsOfAnEventArrive() {
    EventQueue queue = new EventQueue(new EventRing(4096));
    event.begin(5, EventKind.DISCONNECTED, 6);
    queue.put(event.because(DisconnectReason.UNSUPPORTED_TYPE, "epics:nt/NTTable:1.0"));
    queue.put(event.begin(5, EventKind.DISCONNECTED, 7).because(DisconnectReason.NO_ANSWER));
    queue.put(event.begin(7, EventKind.CONNECTED, 8).typed(ValueType.ENUM, 9).from("ioc:5064"));
    List<String> events = new ArrayList<>();
    queue.poll(
        each ->
            events.add(
                each.channel()
                    + " "
                    + each.receivedNanos()
                    + " "
                    + (each.kind() == EventKind.CONNECTED
                        ? each.type() + " " + each.count() + " " + each.server()
                        : each.reason() + " " + each.detail())),
        3);
    assertThat(events)
        .containsExactly(
            "5 6 UNSUPPORTED_TYPE epics:nt/NTTable:1.0", "5 7 NO_ANSWER ", "7 8 ENUM 9 ioc:5064");
  }

  private ChannelEvent connection(int channel, EventKind kind, long receivedNanos) {
    return event.begin(channel, kind, receivedNanos).typed(ValueType.LONG, 1);
  }

  private static List<String> pollAll(EventQueue queue) {
    List<String> events = new ArrayList<>();
    while (queue.poll(
            each ->
                events.add(
                    each.receivedNanos()
                        + " "
                        + each.channel()
                        + " "
                        + each.kind()
                        + (each.lostBefore() == 0 ? "" : " lost " + each.lostBefore())),
            100)
        > 0) {
      // Once more.
    }
    return events;
  }

  /** Returns a queue whose ring is full of values of channel 0 with time 0. */
  private EventQueue full() {
    EventQueue queue = new EventQueue(new EventRing(4096));
    while (queue.offer(value(0, 0, 4))) {
      // One more.
    }
    return queue;
  }

  private static List<String> kept(EventQueue queue) {
    return pollAll(queue).stream().filter(each -> !each.startsWith("0 ")).toList();
  }

  @Test
  void latestEventOfEachChannelWaitsWhileTheRingIsFull() {
    EventQueue queue = full();
    for (int i = 1; i <= 10; i += 2) {
      queue.put(value(1, i, 4));
      queue.put(value(2, i + 1, 4));
    }
    assertThat(queue.lost()).isEqualTo(8);
    // Nothing else is written, and yet they are handed out.
    assertThat(kept(queue)).containsExactly("9 1 VALUE lost 4", "10 2 VALUE lost 4");
    queue.put(value(1, 11, 4));
    assertThat(kept(queue)).containsExactly("11 1 VALUE");
  }

  @Test
  void eventsOfAFullRingAreInTheOrderOfTheirReception() {
    EventQueue queue = full();
    queue.put(value(1, 1, 4));
    queue.put(value(2, 2, 4));
    queue.put(value(1, 3, 4));
    assertThat(kept(queue)).containsExactly("2 2 VALUE", "3 1 VALUE lost 1");
  }

  /** The value may be of another type than the one before. */
  @Test
  void connectionEventIsNotReplacedByAValue() {
    EventQueue queue = full();
    queue.put(value(1, 1, 4));
    queue.put(connection(1, EventKind.DISCONNECTED, 2));
    queue.put(connection(1, EventKind.CONNECTED, 3));
    queue.put(value(2, 4, 4));
    queue.put(value(1, 5, 4));
    queue.put(value(1, 6, 4));
    assertThat(kept(queue))
        .containsExactly("3 1 CONNECTED lost 2", "4 2 VALUE", "6 1 VALUE lost 1");
    assertThat(queue.lost()).isEqualTo(3);
  }

  /** A channel of a dead server may have no later event. */
  @Test
  void connectionEventIsKeptWhereValuesFindNoRoom() {
    EventQueue queue = full();
    for (int i = 1; i <= 10; i++) {
      queue.put(value(i, i, 900));
    }
    queue.put(connection(9, EventKind.DISCONNECTED, 11));
    assertThat(kept(queue))
        .containsExactly(
            "1 1 VALUE", "2 2 VALUE", "3 3 VALUE", "4 4 VALUE", "11 9 DISCONNECTED lost 1");
    queue.put(value(10, 12, 4));
    assertThat(kept(queue)).containsExactly("12 10 VALUE lost 1");
  }

  /** The reader must not wait for the writer, which may have nothing more to write. */
  @Test
  void readerDoesNotWaitWhileEventsAreKept() {
    EventQueue queue = full();
    queue.put(value(1, 1, 4));
    while (queue.ring().used() > 0) {
      queue.poll(each -> {}, 1);
    }
    long begin = System.nanoTime();
    queue.await(60_000_000_000L);
    assertThat(System.nanoTime() - begin).isLessThan(30_000_000_000L);
    assertThat(kept(queue)).containsExactly("1 1 VALUE");
  }

  /** Who gets fewer events than asked for need not ask again, such as at an end. */
  @Test
  void oneCallHandsOutAllEventsUpToItsLimit() {
    EventQueue queue = full();
    queue.put(value(1, 1, 4));
    queue.put(value(2, 2, 4));
    queue.put(value(3, 3, 4));
    int inRing = 4096 / 48;
    assertThat(queue.poll(each -> {}, inRing + 1)).isEqualTo(inRing + 1);
    queue.put(value(4, 4, 4));
    List<Integer> channels = new ArrayList<>();
    assertThat(queue.poll(each -> channels.add(each.channel()), 100)).isEqualTo(3);
    assertThat(channels).containsExactly(2, 3, 4);
  }

  @Test
  void keptEventsFollowAHandlerThatFails() {
    EventQueue queue = full();
    queue.put(value(1, 1, 4));
    queue.put(value(2, 2, 4));
    while (queue.ring().used() > 0) {
      queue.poll(each -> {}, 1);
    }
    assertThatThrownBy(
            () ->
                queue.poll(
                    each -> {
                      throw new IllegalStateException("handler");
                    },
                    10))
        .hasMessage("handler");
    assertThat(kept(queue)).containsExactly("2 2 VALUE");
  }

  /** Each event is handed out or stated as lost, whatever the order of writing and reading. */
  @Test
  void sumOfEventsAndLossesIsExact() throws Exception {
    Seeds.each("EventQueueTest", Seeds.cases(20, 300), this::countRandom);
  }

  private static final int EVENTS = 2000;

  /** Events whose time is their number, and what was handed out of them. */
  private static final class Account implements EventHandler {
    private final int[] put;
    private final int[] taken;
    private final int[] numbers;
    private final EventKind[] connections;
    private final EventKind[] connectionsTaken;
    private long last = -1;
    private int handed;

    private Account(int channels, int events) {
      put = new int[channels];
      taken = new int[channels];
      numbers = new int[events];
      connections = new EventKind[channels];
      connectionsTaken = new EventKind[channels];
    }

    private void put(int channel, int event, EventKind kind) {
      numbers[event] = ++put[channel];
      if (kind != EventKind.VALUE) {
        connections[channel] = kind;
      }
    }

    @Override
    public void handle(ChannelEvent each) {
      assertThat(each.receivedNanos()).isGreaterThan(last);
      last = each.receivedNanos();
      handed++;
      int channel = each.channel();
      taken[channel] += 1 + each.lostBefore();
      // All before it was handed out or lost.
      assertThat(taken[channel]).isEqualTo(numbers[(int) last]);
      if (each.kind() != EventKind.VALUE) {
        connectionsTaken[channel] = each.kind();
      }
    }
  }

  private ChannelEvent random(SplittableRandom random, int channel, int number) {
    return switch (random.nextInt(10)) {
      case 0 -> connection(channel, EventKind.CONNECTED, number);
      case 1 -> connection(channel, EventKind.DISCONNECTED, number);
      default -> value(channel, number, 4 + random.nextInt(900));
    };
  }

  private void countRandom(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue(new EventRing(4096 << random.nextInt(3)));
    int channels = 1 + random.nextInt(40);
    Account account = new Account(channels, EVENTS + channels);
    for (int i = 0; i < EVENTS; i++) {
      int channel = random.nextInt(channels);
      ChannelEvent next = random(random, channel, i);
      account.put(channel, i, next.kind());
      queue.put(next);
      if (random.nextInt(20) == 0) {
        queue.poll(account, random.nextInt(30));
      }
    }
    while (queue.poll(account, 1 + random.nextInt(30)) > 0) {
      // Once more.
    }
    assertThat(account.handed + queue.lost()).isEqualTo(EVENTS);
    assertThat(account.connectionsTaken).isEqualTo(account.connections);
    // What was lost last is stated by the next event of the channel.
    for (int channel = 0; channel < channels; channel++) {
      account.put(channel, EVENTS + channel, EventKind.VALUE);
      queue.put(value(channel, EVENTS + channel, 4));
      queue.poll(account, 1000);
    }
    assertThat(account.taken).isEqualTo(account.put);
  }

  /** Writers that exclude each other, and a reader that is too slow now and then. */
  @Test
  void eventsOfSeveralWritersAreCountedExactly() throws Exception {
    EventQueue queue = new EventQueue(new EventRing(4096));
    int writers = 3;
    int events = 60_000;
    Account account = new Account(writers, events);
    int[] next = new int[1];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int channel = i;
      threads.add(
          new Thread(
              () -> {
                EventQueueTest own = new EventQueueTest();
                while (next[0] < events) {
                  synchronized (queue) {
                    if (next[0] < events) {
                      int number = next[0]++;
                      account.put(channel, number, EventKind.VALUE);
                      queue.put(own.value(channel, number, 4));
                      queue.signal();
                    }
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    SplittableRandom random = new SplittableRandom(1);
    while (threads.stream().anyMatch(Thread::isAlive)) {
      if (queue.poll(account, 1 + random.nextInt(200)) == 0) {
        queue.await(1_000_000);
      }
    }
    for (Thread each : threads) {
      each.join();
    }
    while (queue.poll(account, 1000) > 0) {
      // Once more.
    }
    assertThat(account.handed + queue.lost()).isEqualTo(events);
    assertThat(account.handed).isGreaterThan(4096 / 48);
  }

  /** A burst of the size that the default is made for, while nobody reads. */
  @Test
  void ringOfTheDefaultSizeHoldsAMillionDoubles() {
    EventQueue queue = new EventQueue(new EventRing(ChannelAccessSettings.RING_BYTES));
    ByteBuffer bytes = ByteBuffer.allocate((int) TimedLayout.bytes(ValueType.DOUBLE, 1));
    for (int i = 0; i < 1_000_000; i++) {
      event.begin(i % 100_000, EventKind.VALUE, i).typed(ValueType.DOUBLE, 1);
      queue.put(event.with(bytes, 0, bytes.capacity()));
    }
    assertThat(queue.lost()).isZero();
  }

  @Test
  void writerAndReaderInTwoThreadsLoseNothing() throws InterruptedException {
    EventQueue queue = new EventQueue(new EventRing(1 << 20));
    int events = 300_000;
    int[] next = new int[1];
    Thread reader =
        new Thread(
            () -> {
              while (next[0] < events) {
                queue.poll(
                    each -> {
                      assertThat((int) each.number(0)).isEqualTo(next[0]);
                      next[0]++;
                    },
                    100);
                queue.await(1_000_000);
              }
            });
    reader.start();
    for (int i = 0; i < events; i++) {
      ChannelEvent value = value(1, i, 4 + i % 50);
      while (!queue.offer(value)) {
        Thread.onSpinWait();
      }
      queue.signal();
    }
    reader.join(30_000);
    assertThat(next[0]).isEqualTo(events);
  }

  @Test
  void capacityIsAPowerOfTwo() {
    assertThatThrownBy(() -> new EventRing(3000))
        .hasMessage("ring is no power of two from 4,096: bytes=3000");
  }
}
