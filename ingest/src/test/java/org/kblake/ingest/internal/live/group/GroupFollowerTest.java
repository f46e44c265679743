package org.kblake.ingest.internal.live.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.BackfillPlan;

final class GroupFollowerTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final int SEGMENTS = 20;

  private final Problems problems = new Problems(FollowListener.NONE, new Counters());
  @TempDir private Path root;

  /** Writes twenty hours of the past, a segment an hour. */
  private Archive archive() throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(1, "P", ValueType.DOUBLE, 1)));
    long begin = Instant.parse("2016-05-16T15:00:00Z").getEpochSecond();
    try (LogWriter writer =
        LogWriter.create(root, GROUP, "20160517000000", ByteOrder.LITTLE_ENDIAN, records)) {
      for (int hour = 0; hour < SEGMENTS; hour++) {
        long nanos = (begin + hour * 3600L) * 1_000_000_000L;
        writer.milestone(nanos);
        for (int i = 0; i < 50; i++) {
          writer.number(0, nanos + i, 0, 0, i);
        }
      }
    }
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Pair pair = archive.pairs(GROUP).get(0);
    for (Path file : List.of(pair.indexPath(), pair.logPath())) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2016-05-18T00:00:00Z")));
    }
    // The next pair, so that this one is not the newest of its group and its time is over.
    LogWriter.create(root, GROUP, "20160518000000", ByteOrder.LITTLE_ENDIAN, records).close();
    return archive;
  }

  private static FollowSettings settings() {
    return new FollowSettings(
        List.of(),
        Duration.ofSeconds(1),
        Duration.ZERO,
        1,
        0,
        Duration.ofMinutes(5),
        1,
        32 << 20,
        0,
        Duration.ZERO,
        new WriteProfile(Codec.LZ4, false),
        null,
        CacheSettings.EVERYTHING,
        null);
  }

  private PolledPairs pairs(Archive archive) {
    return new PolledPairs(archive, GROUP, () -> false, settings(), problems);
  }

  private GroupFollower follower(PolledPairs pairs, long mostBytes) {
    return new GroupFollower(pairs, settings(), problems, mostBytes, Clock.systemUTC());
  }

  /** With 10 GiB of which 4 GiB are taken at a time, an earlier version never took the rest. */
  @Test
  void takesALongRangeStepByStepTheNewestFirst() throws Exception {
    Archive archive = archive();
    long logBytes = Files.size(archive.pairs(GROUP).get(0).logPath());
    long most = logBytes / 4;
    GroupFollower follower = follower(pairs(archive), most);
    List<LogSpan> made = new ArrayList<>();
    long to = logBytes;
    while (to > 0) {
      assertThat(follower.poll(most)).as("due below %d", to).isTrue();
      BackfillPlan plan = follower.due(new Coverage(made), most);
      assertThat(plan.ranges()).hasSize(1);
      BackfillPlan.Range range = plan.ranges().get(0);
      assertThat(range.toOffset()).isEqualTo(to);
      assertThat(range.bytes()).isBetween(1L, most);
      made.add(new LogSpan(range.pair().stamp(), range.fromOffset(), range.toOffset()));
      to = range.fromOffset();
    }
    assertThat(made).hasSizeBetween(4, 6);
    boolean unused = follower.poll(most);
    assertThat(follower.due(new Coverage(made), most).ranges()).isEmpty();
  }

  /** A segment of any size is taken as a whole. */
  @Test
  void takesAtLeastOneSegment() throws Exception {
    Archive archive = archive();
    GroupFollower follower = follower(pairs(archive), 1);
    assertThat(follower.poll(1)).isTrue();
    BackfillPlan plan = follower.due(new Coverage(List.of()), 1);
    Pair pair = archive.pairs(GROUP).get(0);
    assertThat(plan.ranges()).hasSize(1);
    assertThat(plan.ranges().get(0).fromOffset())
        .isEqualTo(pair.open().milestones().offset(SEGMENTS - 1));
    assertThat(plan.ranges().get(0).toOffset()).isEqualTo(Files.size(pair.logPath()));
  }

  /** A copy gets the times of its source when it is complete, one file after the other. */
  @Test
  void opensAPairAgainWhenItsLogGetsAnEarlierTime() throws Exception {
    Archive archive = archive();
    long most = 1 << 20;
    Pair pair = archive.pairs(GROUP).get(0);
    FileTime longAgo = Files.getLastModifiedTime(pair.logPath());
    Files.setLastModifiedTime(pair.logPath(), FileTime.from(Instant.now()));
    long lastSegment = pair.open().milestones().offset(SEGMENTS - 1);
    Coverage coverage = new Coverage(List.of(new LogSpan(pair.stamp(), 0, lastSegment)));
    PolledPairs pairs = pairs(archive);
    GroupFollower follower = follower(pairs, most);
    assertThat(follower.poll(most)).isTrue();
    assertThat(follower.due(coverage, most).ranges()).isEmpty();
    pairs.clearReplaced();
    assertThat(follower.poll(most)).isFalse();
    Files.setLastModifiedTime(pair.logPath(), longAgo);
    assertThat(follower.poll(most)).isTrue();
    List<BackfillPlan.Range> ranges = follower.due(coverage, most).ranges();
    assertThat(ranges).extracting(BackfillPlan.Range::fromOffset).containsExactly(lastSegment);
  }
}
