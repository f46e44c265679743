package org.kblake.query.internal.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;

/** The value that a track holds for any order of offered events, and the cost of that order. */
final class HeldTrackTest {

  private static final int POINTS = 40;
  private static final long STEP_NANOS = 100;
  private static final Instant START = Instant.ofEpochSecond(0, 1_000);

  /** An event. Its order key is its number. */
  private record Event(int number, long nanos) {}

  private static GridQuery query(long points) {
    return GridQuery.of(
        ChannelSelection.all(),
        START,
        START.plusNanos((points - 1) * STEP_NANOS),
        Duration.ofNanos(STEP_NANOS));
  }

  private static void offer(HeldTrack track, PointSpan span, Event event, boolean text) {
    EventColumns columns = new EventColumns(text ? ValueType.STRING : ValueType.LONG, false, 1);
    columns.count = 1;
    columns.timeNanos[0] = event.nanos();
    if (!text) {
      columns.values[0] = event.number();
    }
    span.goTo(event.nanos());
    // Each segment has six events, so order key, order and tie all matter.
    int number = event.number();
    track.offer(span, number / 6, number / 2, number % 2, columns, 0);
  }

  /**
   * Offers events in any order, some twice, and some after the track has advanced to earlier
   * points.
   */
  @Test
  void lastInLogOrderIsHeldForAnyOrder() {
    long seed = Seeds.one("HeldTrackTest");
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      List<Event> events = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        long nanos = 900L + random.nextInt((int) (POINTS * STEP_NANOS + 100 - STEP_NANOS));
        events.add(new Event(events.size(), nanos));
      }
      check(events, random, "seed " + seed + ", round " + round);
    }
  }

  private static void check(List<Event> events, Random random, String what) {
    GridQuery query = query(POINTS);
    HeldTrack track = new HeldTrack();
    PointSpan span = new PointSpan(query);
    int window = 1 + random.nextInt(POINTS);
    List<Event> left = new ArrayList<>(events);
    for (int point = 0; point < POINTS; point++) {
      if (point % window == 0) {
        long last = query.pointNanos(Math.min(POINTS - 1, point + window - 1));
        List<Event> now = new ArrayList<>();
        for (Event event : List.copyOf(left)) {
          if (event.nanos() <= last || random.nextInt(10) == 0) {
            now.add(random.nextInt(now.size() + 1), event);
            left.remove(event);
            if (random.nextInt(10) == 0) {
              now.add(event);
            }
          }
        }
        now.forEach(event -> offer(track, span, event, event.number() % 5 == 0));
        track.settle();
      }
      track.goTo(query.pointNanos(point));
      Event expected = null;
      for (Event event : events) {
        expected = event.nanos() <= query.pointNanos(point) ? event : expected;
      }
      if (expected != null) {
        EventColumns held = new EventColumns(ValueType.LONG, false, 1);
        EventColumns list = track.list();
        assertThat(list != null).as(what).isEqualTo(expected.number() % 5 == 0);
        if (list == null) {
          track.copyTo(held, 0);
          assertThat(held.values[0]).as(what).isEqualTo(expected.number());
        } else {
          assertThat(list.timeNanos[0]).as(what).isEqualTo(expected.nanos());
        }
      }
    }
    assertThat(track.hasNext()).as(what).isFalse();
    assertThat(track.bytes()).as(what).isZero();
  }

  /**
   * Pages are read from the last to the first, because the later ones determine which earlier ones
   * matter.
   */
  @Test
  void pagesReadBackwardsAreMovedOnce() {
    int pages = 50;
    int rows = 1_000;
    GridQuery query = query((long) pages * rows);
    HeldTrack track = new HeldTrack();
    PointSpan span = new PointSpan(query);
    for (int page = pages - 1; page >= 0; page--) {
      for (int row = 0; row < rows; row++) {
        int number = page * rows + row;
        offer(track, span, new Event(number, query.pointNanos(number)), false);
      }
    }
    assertThat(track.moved()).isLessThanOrEqualTo((long) pages * rows);
    track.settle();
    for (int point = 0; point < pages * rows; point++) {
      assertThat(track.goTo(query.pointNanos(point))).isTrue();
    }
    assertThat(track.hasNext()).isFalse();
  }
}
