package org.kblake.hbase.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;

/** Keys can be read, sort as events do, and have no other row among those of a channel. */
final class EventKeyTest {

  private static final List<String> NAMES =
      List.of(
          "", "A", "A:B", "A\u0000", "A\u0000\u0000", "\u0000", "\u0000A", "\u0001", "温度", "Ab");

  private static final Comparator<EventKey> IN_ORDER =
      Comparator.comparingLong(EventKey::timeNanos)
          .thenComparingLong(EventKey::stamp)
          .thenComparingLong(EventKey::offset)
          .thenComparingLong(EventKey::latenessNanos)
          .thenComparingInt(EventKey::tie);

  @Test
  void keysOfAChannelSortAsItsEvents() throws Exception {
    Seeds.each("keys", 20, this::check);
  }

  private void check(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<EventKey> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      keys.add(key(random, NAMES.get(random.nextInt(NAMES.size()))));
    }
    for (EventKey key : keys) {
      assertThat(EventKey.of(key.row())).isEqualTo(key);
      assertThat(Bytes.compareTo(key.row(), TableLayout.firstEvent())).isPositive();
    }
    for (EventKey one : keys) {
      for (EventKey other : keys) {
        int rows = Bytes.compareTo(one.row(), other.row());
        if (one.channel().equals(other.channel())) {
          assertThat(Integer.signum(rows)).isEqualTo(Integer.signum(IN_ORDER.compare(one, other)));
        }
        byte[] prefix = EventKey.channelPrefix(one.channel());
        boolean inRange =
            Bytes.compareTo(other.row(), EventKey.at(prefix, one.timeNanos())) >= 0
                && Bytes.compareTo(other.row(), EventKey.at(prefix, one.timeNanos() + 1)) < 0;
        assertThat(inRange)
            .isEqualTo(
                one.channel().equals(other.channel()) && one.timeNanos() == other.timeNanos());
      }
    }
  }

  private static EventKey key(SplittableRandom random, String name) {
    return new EventKey(
        new Channel(new Group("VA", random.nextBoolean() ? "CCG" : "C"), name),
        random.nextInt(4) == 0 ? random.nextLong(-5, 5) : random.nextLong(1L << 62),
        20_200_101_000_000L + random.nextInt(3),
        random.nextLong(3) << 30,
        random.nextInt(3) == 0 ? random.nextLong(1L << random.nextInt(60)) : 0,
        random.nextInt(3) == 0 ? random.nextInt(1 << random.nextInt(31)) : 0);
  }

  /** The longest row of HBase has 32,767 bytes. */
  @Test
  void aNameThatIsTooLongForHBaseIsNamed() {
    Channel channel = new Channel(new Group("VA", "CCG"), "N".repeat(33_000));
    assertThatThrownBy(() -> EventKey.channelPrefix(channel))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("name is too long for a row of HBase: bytes=33000");
  }

  @Test
  void otherRowsAreNotRead() throws IOException {
    EventKey key = key(new SplittableRandom(1), "A");
    byte[] row = key.row();
    for (int length = 0; length < EventKey.channelPrefix(key.channel()).length + 18; length++) {
      byte[] cut = Bytes.copy(row, 0, length);
      assertThatThrownBy(() -> EventKey.of(cut)).isInstanceOf(CorruptRowException.class);
    }
    for (String other : List.of("row", "a\u0000b\u0000", "\u0000\u0000mark")) {
      assertThatThrownBy(() -> EventKey.of(Bytes.toBytes(other)))
          .isInstanceOf(CorruptRowException.class);
    }
  }
}
