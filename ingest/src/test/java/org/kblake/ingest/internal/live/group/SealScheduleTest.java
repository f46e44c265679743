package org.kblake.ingest.internal.live.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.pair.PairFixture;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;

/**
 * The times at which the segments of {@link PairFixture} are due: two complete ones and, while the
 * pair grows, an incomplete last one. They end a minute and two minutes after the pair's beginning.
 */
final class SealScheduleTest {

  private static final Duration SEAL_AGE = Duration.ofMinutes(10);
  private static final Coverage NOTHING = new Coverage(List.of());
  private static final Instant BEGIN = Instant.ofEpochSecond(0, PairFixture.BEGIN_NANOS);
  private static final long NOW = 1_000_000_000_000L;

  @TempDir private Path root;

  private PairFixture fixture = new PairFixture(Path.of("unset"));

  @BeforeEach
  void write() throws IOException {
    fixture = new PairFixture(root).write();
    fixture.settings(ArchiveSettings.defaults().withTail(TailRule.FINAL));
  }

  private static SealSchedule schedule(long sealBytes, Duration sinceBegin) {
    FollowSettings settings =
        new FollowSettings(
            List.of(),
            Duration.ofSeconds(1),
            SEAL_AGE,
            sealBytes,
            0,
            Duration.ofMinutes(5),
            1,
            BackfillSettings.MIN_MEMORY_BYTES,
            0,
            Duration.ZERO,
            new WriteProfile(Codec.LZ4, false),
            null,
            CacheSettings.EVERYTHING,
            null);
    Clock clock = Clock.fixed(BEGIN.plus(sinceBegin), ZoneOffset.UTC);
    return new SealSchedule(PairFixture.GROUP, settings, clock);
  }

  private static boolean isDue(SealSchedule schedule, PairLog log, Coverage coverage) {
    return schedule.isDue(new PairProgress(log.pair()), log, coverage, NOW);
  }

  private Coverage upTo(int milestone) {
    return new Coverage(
        List.of(new LogSpan(PairFixture.STAMP, 0, fixture.milestones.get(milestone))));
  }

  /** Groups wait up to a quarter longer than the age, so that not all are due at the same time. */
  @Test
  void segmentIsDueWhenItEndedLongEnoughAgo() throws IOException {
    PairLog log = fixture.open();
    Duration end = Duration.ofMinutes(1);
    assertThat(isDue(schedule(1 << 20, end.plus(SEAL_AGE).minusNanos(1)), log, NOTHING)).isFalse();
    Duration most = SEAL_AGE.multipliedBy(5).dividedBy(4);
    assertThat(isDue(schedule(1 << 20, end.plus(most)), log, NOTHING)).isTrue();
  }

  /** The first segment is in a block, so the end of the second one counts. */
  @Test
  void ageIsThatOfTheFirstSegmentOutsideBlocks() throws IOException {
    PairLog log = fixture.open();
    Duration end = Duration.ofMinutes(2);
    assertThat(isDue(schedule(1 << 20, end.plus(SEAL_AGE).minusNanos(1)), log, upTo(1))).isFalse();
    Duration most = SEAL_AGE.multipliedBy(5).dividedBy(4);
    assertThat(isDue(schedule(1 << 20, end.plus(most)), log, upTo(1))).isTrue();
  }

  @Test
  void segmentsAreDueAtOnceWhenTheyHaveEnoughBytes() throws IOException {
    PairLog log = fixture.open();
    long whole = fixture.milestones.get(2);
    assertThat(isDue(schedule(whole, Duration.ofMinutes(3)), log, NOTHING)).isTrue();
    assertThat(isDue(schedule(whole + 1, Duration.ofMinutes(3)), log, NOTHING)).isFalse();
  }

  @Test
  void lastSegmentOfAPairThatGrowsIsNotDue() throws IOException {
    PairLog log = fixture.open();
    assertThat(isDue(schedule(1, Duration.ofDays(1)), log, upTo(2))).isFalse();
    assertThat(isDue(schedule(1, Duration.ofDays(1)), fixture.close().open(), upTo(2))).isTrue();
  }

  /** The next block needs more log than is written. Age counts only from that size on. */
  @Test
  void segmentsOfASilentGroupAreGathered() throws IOException {
    SealSchedule schedule = schedule(1 << 20, Duration.ofDays(1));
    schedule.setSize(new SealSize(fixture.milestones.get(2) + 1));
    PairLog log = fixture.open();
    PairProgress pair = new PairProgress(log.pair());
    assertThat(schedule.isDue(pair, log, NOTHING, NOW)).isFalse();
    assertThat(pair.gathers()).isTrue();
    schedule.setSize(new SealSize(fixture.milestones.get(2)));
    assertThat(schedule.isDue(pair, log, NOTHING, NOW)).isTrue();
    assertThat(pair.gathers()).isFalse();
    // A closed pair does not grow.
    schedule.setSize(new SealSize(1 << 20));
    PairLog closed = fixture.close().open();
    assertThat(isDue(schedule, closed, NOTHING)).isTrue();
  }

  @Test
  void closedPairInBlocksIsComplete() throws IOException {
    PairLog log = fixture.close().open();
    PairProgress pair = new PairProgress(log.pair());
    SealSchedule schedule = schedule(1, Duration.ofDays(1));
    assertThat(schedule.isDue(pair, log, upTo(2), NOW)).isTrue();
    assertThat(pair.complete()).isFalse();
    Coverage all = new Coverage(List.of(new LogSpan(PairFixture.STAMP, 0, log.logBytes())));
    assertThat(schedule.isDue(pair, log, all, NOW)).isFalse();
    assertThat(pair.complete()).isTrue();
  }

  /** The pair is opened again at the earliest time at which a change is possible. */
  @Test
  void pairThatIsNotDueIsNotOpenedBeforeItsTime() throws IOException {
    PairLog log = fixture.open();
    PairProgress pair = new PairProgress(log.pair());
    Duration early = Duration.ofMinutes(2);
    assertThat(schedule(1 << 20, early).isDue(pair, log, NOTHING, NOW)).isFalse();
    assertThat(pair.needsOpening(NOW)).isFalse();
    assertThat(pair.needsOpening(NOW + Duration.ofMinutes(8).toNanos())).isFalse();
    assertThat(pair.needsOpening(NOW + Duration.ofMinutes(14).toNanos())).isTrue();
  }
}
