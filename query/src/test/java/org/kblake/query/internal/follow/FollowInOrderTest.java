package org.kblake.query.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.kblake.core.log.LogPosition;
import org.kblake.core.log.LogWriter;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;

/** A reader of a group's logs in order returns the same events whenever it reads them. */
final class FollowInOrderTest extends GrowingGroup {

  private void followInOrder(double fromMinute, @Nullable LogPosition place) throws IOException {
    FollowQuery query =
        FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH)
            .from(at(fromMinute))
            .includingStrays();
    PairCatalog catalog = archive.catalog();
    Planner planner = SmallArchive.planner(catalog);
    FollowedChannels channels =
        new FollowedChannels(query.channels().patterns(), List.of(), group -> Aliases.NONE);
    if (following != null) {
      following.close();
    }
    FollowSession opened =
        new FollowSession(query, catalog, SmallArchive.readings(planner), channels);
    following = opened;
    TimeRange range = new TimeRange(at(fromMinute), Long.MAX_VALUE);
    opened.addInOrder(planner.plan(GROUP, query.scope(), range, at(10_000)), place);
  }

  /** Returns the new values, those of strays in negative. */
  private List<Double> marked() throws IOException {
    nowNanos = Math.max(nowNanos, System.nanoTime()) + 2 * SmallArchive.SECOND;
    FollowedGroupSource group = following().groups().get(0);
    group.poll(nowNanos);
    List<Double> values = new ArrayList<>();
    while (group.next()) {
      for (int row = group.from(); row < group.to(); row++) {
        double value = Double.longBitsToDouble(group.columns().values[row]);
        values.add(group.columns().stray[row] == 0 ? value : -value);
      }
    }
    return values;
  }

  /** Clocks that run ahead, that stand still in the past, and that are set back. */
  @Test
  void straysAreEventsThatAreMarkedWhenTheyAreKnown() throws Exception {
    LogWriter writer = begin(1_000, "A");
    for (double minute : new double[] {1_001, 1_500, 100, 1_002, 100, 930}) {
      write(writer, minute);
    }
    followInOrder(-10_000, null);
    assertThat(marked()).containsExactly(1_001.0, 1_500.0, 100.0, 1_002.0, 100.0, 930.0);
    LogPosition place = following().groups().get(0).position();
    writer.milestone(at(935));
    write(writer, 936);
    followInOrder(-10_000, place);
    assertThat(marked()).containsExactly(936.0);
    followInOrder(-10_000, null);
    assertThat(marked()).containsExactly(1_001.0, -1_500.0, -100.0, 1_002.0, -100.0, 930.0, 936.0);
  }

  /** The last segment of a pair that has not changed for long may still prove a clock right. */
  @Test
  void anEventBehindTheLastMilestoneIsNoStrayUntilTheNextPair() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 500);
    Files.setLastModifiedTime(archive.log(0), FileTime.fromMillis(0));
    Files.setLastModifiedTime(archive.index(0), FileTime.fromMillis(0));
    followInOrder(-10_000, null);
    assertThat(marked()).containsExactly(500.0);
    begin(600, "A");
    quiet(0);
    followInOrder(-10_000, null);
    assertThat(marked()).containsExactly(-500.0);
  }

  @Test
  void aPairThatGrewWhenItWasReadIsReadAgainThoughItEndedBeforeTheRange() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    write(first, 5_000);
    followInOrder(1_000, null);
    assertThat(marked()).containsExactly(5_000.0);
    first.milestone(at(2));
    first.flush();
    write(begin(1_100, "A"), 1_101);
    quiet(0);
    followInOrder(1_000, null);
    assertThat(marked()).containsExactly(-5_000.0, 1_101.0);
  }

  @Test
  void aPairThatWasDamagedForAMomentIsNotLeft() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    byte[] index = Files.readAllBytes(archive.index(0));
    byte[] damaged = index.clone();
    Arrays.fill(damaged, 0, 12, (byte) 0x55);
    Files.write(archive.index(0), damaged);
    write(begin(60, "A"), 61);
    followInOrder(-10_000, null);
    assertThat(marked()).as("it may be whole again").isEmpty();
    Files.write(archive.index(0), index);
    assertThat(marked()).containsExactly(1.0);
    write(first, 2);
    assertThat(marked()).containsExactly(2.0);
    Files.write(archive.index(0), damaged);
    quiet(0);
    followInOrder(-10_000, null);
    assertThat(marked()).as("it stays damaged").containsExactly(61.0);
  }

  /** It was damaged, and is whole, when a pair behind it begins. */
  @Test
  void damageThatWasMendedIsForgotten() throws Exception {
    LogWriter first = begin(0, "A");
    write(first, 1);
    byte[] index = Files.readAllBytes(archive.index(0));
    byte[] damaged = index.clone();
    Arrays.fill(damaged, 0, 12, (byte) 0x55);
    Files.write(archive.index(0), damaged);
    quiet(0);
    followInOrder(-10_000, null);
    assertThat(marked()).isEmpty();
    Files.write(archive.index(0), index);
    assertThat(marked()).containsExactly(1.0);
    write(begin(60, "A"), 61);
    assertThat(marked()).isEmpty();
    write(first, 2);
    assertThat(marked()).containsExactly(2.0);
    quiet(0);
    assertThat(marked()).containsExactly(61.0);
  }
}
