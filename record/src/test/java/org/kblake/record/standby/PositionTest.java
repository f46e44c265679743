package org.kblake.record.standby;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.StampOrder;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** Two recorders of one record: what one wrote, and what the other adds. */
class PositionTest {

  private static final long SECOND = 1_000_000_000;

  /**
   * What the server posts.
   *
   * @param number counts values; 0 for a loss of the connection, after which both connect again
   */
  private record Posted(int number, double value, int stamp, long nanos) {}

  /** What one recorder received, and the number of the value. */
  private record Got(ChannelEvent event, int number) {}

  /** The stamps of a record. */
  private enum Stamps {
    /** Each value has a later one. */
    RISING,
    /** A few adjacent values share one. */
    SHARED,
    /** None is set. */
    ZERO,
    /** The clock of the server is set back now and then. */
    STEPPING
  }

  private static ChannelEvent event(EventKind kind, long nanos) {
    return new ChannelEvent().begin(0, kind, nanos).typed(ValueType.DOUBLE, 1);
  }

  private static Got value(Posted posted, long jitter) {
    ByteBuffer bytes = ByteBuffer.allocate(24);
    bytes.putInt(8, posted.stamp()).putDouble(16, posted.value());
    long nanos = posted.nanos() + jitter;
    return new Got(event(EventKind.VALUE, nanos).with(bytes, 0, 24), posted.number());
  }

  private static List<Posted> posts(Random random, Stamps stamps, boolean isBinary, int count) {
    List<Posted> all = new ArrayList<>();
    int stamp = stamps == Stamps.ZERO ? 0 : 1000;
    long nanos = 100 * SECOND;
    int number = 0;
    for (int i = 0; i < count; i++) {
      nanos += 1 + random.nextInt(1_500_000_000);
      if (random.nextInt(15) == 0) {
        all.add(new Posted(0, 0, 0, nanos));
        continue;
      }
      number++;
      boolean changes = stamps == Stamps.SHARED ? random.nextInt(3) == 0 : stamps != Stamps.ZERO;
      boolean isBack = stamps == Stamps.STEPPING && random.nextInt(10) == 0;
      stamp += isBack ? -random.nextInt(5) : changes ? 1 : 0;
      all.add(new Posted(number, isBinary ? number % 2 : number, stamp, nanos));
    }
    return all;
  }

  /** Returns what a recorder receives that connects before a post. */
  private static List<Got> receive(List<Posted> posts, int from, Random random) {
    List<Got> got = new ArrayList<>();
    @Nullable Posted last = null;
    for (int i = 0; i < posts.size(); i++) {
      Posted posted = posts.get(i);
      long jitter = random.nextInt(100_000_000);
      if (i == from) {
        connect(got, last, posted.nanos() - 1);
      }
      if (posted.number() > 0) {
        last = posted;
        if (i >= from) {
          got.add(value(posted, jitter));
        }
      } else if (i >= from) {
        got.add(new Got(event(EventKind.DISCONNECTED, posted.nanos() + jitter), 0));
        connect(got, last, posted.nanos() + jitter + 1);
      }
    }
    return got;
  }

  private static void connect(List<Got> got, @Nullable Posted last, long nanos) {
    got.add(new Got(event(EventKind.CONNECTED, nanos), 0));
    if (last != null) {
      Posted again = new Posted(last.number(), last.value(), last.stamp(), nanos);
      got.add(value(again, 0));
    }
  }

  private static StampOrder order(List<Got> events) {
    StampOrder order = new StampOrder();
    events.forEach(each -> order.take(each.event()));
    return order;
  }

  private static int written(Mark mark, long alive, List<Got> before, List<Got> events) {
    StampOrder order = order(before);
    Position position = new Position(mark, new StampOrder(order), alive, 5 * SECOND);
    List<Seen> seen = new ArrayList<>();
    for (Got each : events) {
      order.take(each.event());
      seen.add(Seen.of(each.event(), order));
    }
    seen.forEach(position::look);
    seen.forEach(position::lookAgain);
    return position.written();
  }

  private static Mark mark(List<Got> written, int stamped) {
    List<Mark.Later> later = new ArrayList<>();
    for (Got each : written.subList(stamped, written.size())) {
      EventKind kind = each.event().kind();
      boolean isValue = kind == EventKind.VALUE;
      later.add(new Mark.Later(kind, isValue ? each.event().contentHash() : 0));
    }
    return new Mark(order(written.subList(0, stamped)), later);
  }

  private static void check(long seed) {
    Random random = new Random(seed);
    Stamps stamps = Stamps.values()[random.nextInt(Stamps.values().length)];
    boolean isBinary = random.nextBoolean();
    List<Posted> posts = posts(random, stamps, isBinary, 5 + random.nextInt(60));
    List<Got> active = receive(posts, random.nextInt(posts.size() / 2), random);
    List<Got> standby = receive(posts, random.nextInt(posts.size() / 2), random);
    List<Got> log = active.subList(0, 1 + random.nextInt(active.size()));
    int stamped = log.size() - random.nextInt(Math.min(log.size(), 5));
    Mark mark = mark(log, stamped);
    int dropped = random.nextInt(Math.max(1, standby.size() / 3));
    // Only what the active had written for long has left the ring.
    long oldest = log.get(log.size() - 1).event().receivedNanos() - 10 * SECOND;
    while (dropped > 0 && standby.get(dropped - 1).event().receivedNanos() > oldest) {
      dropped--;
    }
    List<Got> before = standby.subList(0, dropped);
    List<Got> ring = standby.subList(dropped, standby.size());
    long alive = stamped == 0 ? 0 : log.get(stamped - 1).event().receivedNanos();
    int written = written(mark, alive, before, ring);
    List<Integer> numbers = new ArrayList<>();
    int firstOfActive =
        active.stream().mapToInt(Got::number).filter(n -> n > 0).findFirst().orElse(1);
    int inLog = log.stream().mapToInt(Got::number).max().orElse(0);
    int known = Math.max(inLog, firstOfActive - 1);
    for (Got each : ring.subList(Math.max(0, written), ring.size())) {
      numbers.add(each.number());
    }
    String state = seed + " " + stamps + " binary=" + isBinary + " written=" + written;
    if (Seeds.isOneGiven()) {
      System.out.println("posted " + posts);
      System.out.println("log " + log.stream().map(Got::number).toList() + " stamped " + stamped);
      System.out.println("standby " + standby.stream().map(Got::number).toList() + " " + dropped);
      System.out.println(
          "mark " + mark.order().number() + " " + mark.order().isExact() + mark.later());
    }
    boolean isConnectedLong =
        standby.stream()
            .map(Got::event)
            .filter(event -> event.kind() == EventKind.CONNECTED)
            .noneMatch(event -> Math.abs(event.receivedNanos() - alive) < 6 * SECOND);
    if (stamps == Stamps.STEPPING && !isConnectedLong) {
      // A stamp that comes again, and that this recorder saw only then.
      return;
    }
    int latest = posts.stream().mapToInt(Posted::number).max().orElse(0);
    int first = standby.stream().mapToInt(Got::number).filter(n -> n > 0).findFirst().orElse(0);
    if (latest > known && first > 0) {
      for (int number = Math.max(known + 1, first); number <= latest; number++) {
        assertThat(numbers).as(state).contains(number);
      }
    }
    // A standby that connected after the stamps knows nothing of the values before.
    int inStamps = log.subList(0, stamped).stream().mapToInt(Got::number).max().orElse(0);
    if (stamps == Stamps.RISING && isConnectedLong && first > 0 && inStamps >= first) {
      assertThat(numbers.stream().filter(number -> number > 0 && number < known))
          .as(state)
          .isEmpty();
    }
  }

  @Test
  void nothingIsLost() throws Exception {
    Seeds.each("PositionTest", Seeds.cases(2000, 50_000), PositionTest::check);
  }
}
