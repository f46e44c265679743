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
    queue.put(event.begin(5, EventKind.DISCONNECTED, 6).because(DisconnectReason.NO_ANSWER));
    queue.put(event.begin(7, EventKind.CONNECTED, 8).typed(ValueType.ENUM, 9));
    List<String> events = new ArrayList<>();
    queue.poll(
        each ->
            events.add(
                each.channel()
                    + " "
                    + each.receivedNanos()
                    + " "
                    + (each.kind() == EventKind.CONNECTED
                        ? each.type() + " " + each.count()
                        : each.reason())),
        2);
    assertThat(events).containsExactly("5 6 NO_ANSWER", "7 8 ENUM 9");
  }

  @Test
  void latestEventOfEachChannelWaitsWhileTheRingIsFull() {
    EventQueue queue = new EventQueue(new EventRing(4096));
    int fit = 4096 / 48;
    for (int i = 0; i < fit + 5; i++) {
      queue.put(value(1, i, 4));
      queue.put(value(2, i, 4));
    }
    assertThat(queue.lost()).isEqualTo(2L * (fit + 5) - fit - 2);
    assertThat(poll(queue, 100)).hasSize(fit);
    assertThat(queue.flush()).isTrue();
    int last = fit + 4;
    // Of the odd number of places in the ring, channel 1 had one more.
    assertThat(poll(queue, 100))
        .containsExactlyInAnyOrder(
            "1:" + last + " lost " + (last - fit / 2 - fit % 2),
            "2:" + last + " lost " + (last - fit / 2));
  }

  /** Each event is handed out or stated as lost, whatever the order of writing and reading. */
  @Test
  void sumOfEventsAndLossesIsExact() throws Exception {
    Seeds.each("EventQueueTest", Seeds.cases(20, 300), this::countRandom);
  }

  private void countRandom(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue queue = new EventQueue(new EventRing(4096 << random.nextInt(3)));
    int channels = 1 + random.nextInt(40);
    int[] put = new int[channels];
    int[] taken = new int[channels];
    int[] last = new int[channels];
    long handed = 0;
    EventHandler handler =
        each -> {
          int channel = each.channel();
          assertThat((int) each.number(0)).isGreaterThan(last[channel]);
          last[channel] = (int) each.number(0);
          taken[channel] += 1 + each.lostBefore();
          // All before it was handed out or lost.
          assertThat(taken[channel]).isEqualTo((int) each.number(0));
        };
    for (int i = 0; i < 2000; i++) {
      int channel = random.nextInt(channels);
      queue.put(value(channel, ++put[channel], 4 + random.nextInt(900)));
      if (random.nextInt(20) == 0) {
        handed += queue.poll(handler, random.nextInt(30));
      }
    }
    boolean isEmpty = false;
    while (!isEmpty) {
      isEmpty = queue.flush();
      handed += queue.poll(handler, 1000);
    }
    assertThat(handed + queue.lost()).isEqualTo(2000);
    // What was lost last is stated by the next event of the channel.
    for (int channel = 0; channel < channels; channel++) {
      queue.put(value(channel, ++put[channel], 4));
      handed += queue.poll(handler, 1000);
    }
    assertThat(taken).isEqualTo(put);
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
