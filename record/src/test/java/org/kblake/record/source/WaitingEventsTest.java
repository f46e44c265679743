package org.kblake.record.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.ValueType;

/** What waits is handed out or counted. */
final class WaitingEventsTest {

  private static final int BYTES = 16_016;

  private static ChannelEvent value(int channel) {
    return new ChannelEvent()
        .begin(channel, EventKind.VALUE, 1)
        .typed(ValueType.DOUBLE, 2000)
        .with(ByteBuffer.allocate(BYTES), 0, BYTES);
  }

  /** Twenty values of 16 kB, for 64 KiB of memory and as much for the latest values. */
  @Test
  void lossesThatNoLaterEventStatesAreReturned() {
    WaitingEvents waiting = new WaitingEvents(new EventMemory(0));
    for (int channel = 0; channel < 20; channel++) {
      waiting.put(value(channel));
    }
    assertThat(waiting.size()).isEqualTo(20);
    List<Integer> handed = new ArrayList<>();
    long lost = waiting.drain(event -> handed.add(event.channel()));
    assertThat(handed).hasSizeBetween(6, 8);
    assertThat(lost).isEqualTo(20 - handed.size());
    assertThat(waiting.size()).isZero();
  }

  @Test
  void memoryGrowsUpToTheBudgetAndIsGivenBack() {
    EventMemory memory = new EventMemory(1 << 20);
    WaitingEvents waiting = new WaitingEvents(memory);
    for (int i = 0; i < 40; i++) {
      waiting.put(value(i % 2));
    }
    List<Integer> handed = new ArrayList<>();
    assertThat(waiting.drain(event -> handed.add(event.channel()))).isZero();
    assertThat(handed).hasSize(40).startsWith(0, 1, 0).endsWith(0, 1);
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void oneOfSeveralGroupsHasHalfOfTheMemory() {
    EventMemory memory = new EventMemory(1 << 20);
    WaitingEvents waiting = new WaitingEvents(memory);
    waiting.leaveRoom(true);
    memory.share(true);
    for (int i = 0; i < 100; i++) {
      waiting.put(value(0));
    }
    assertThat(memory.usedBytes()).isBetween(1L << 18, 1L << 19);
    memory.share(false);
    WaitingEvents alone = new WaitingEvents(memory);
    alone.leaveRoom(true);
    waiting.drain(event -> {});
    for (int i = 0; i < 100; i++) {
      alone.put(value(0));
    }
    assertThat(memory.usedBytes()).isGreaterThan(1L << 19);
  }

  /** A handler may let an event wait once more, such as one that needs yet another pair. */
  @Test
  void anEventMayWaitAgain() {
    WaitingEvents waiting = new WaitingEvents(new EventMemory(1 << 20));
    for (int i = 0; i < 10; i++) {
      waiting.put(value(i));
    }
    assertThat(waiting.drain(waiting::put)).isZero();
    assertThat(waiting.size()).isEqualTo(10);
  }
}
