package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;

/**
 * The limit of archive reads holds for all reads of a process together. Time passes only while a
 * read waits for the limit.
 */
final class IoLimitTest extends FollowedArchive {

  private static final long LIMIT = 500_000;

  /**
   * The limit with a margin: each of five threads may be stopped with a granted piece before the
   * grant is recorded.
   */
  private static final long MAX_IN_A_SECOND = LIMIT + 5 * LIMIT / 25;

  private static final int EVENTS = 4_000;

  private final WaitingTime time = new WaitingTime();

  private FollowSettings limited(Group asked) {
    FollowSettings eager = FollowServiceFixture.scrubbing();
    FollowSettings settings =
        new FollowSettings(
            List.of(),
            eager.poll(),
            eager.sealAge(),
            eager.sealBytes(),
            eager.sealEvents(),
            eager.recheck(),
            2,
            2 * eager.memoryBytes(),
            LIMIT,
            Duration.ofMillis(500),
            eager.profile(),
            null,
            new CacheSettings(
                0,
                0,
                CacheSettings.Eviction.LEAST_RECENTLY_USED,
                false,
                Mode.FOLLOW,
                Map.of(asked, Mode.NEVER)),
            directory.resolve("mirror"));
    FollowTimes times = FollowServiceFixture.TIMES;
    return settings.with(
        new FollowTimes(
            times.responseLimitNanos(), times.retryNanos(), times.listingNanos(), time));
  }

  @Test
  void holdsForAllReadsTogetherInEverySecond() throws Exception {
    Group asked = new Group("RF", "AnalogData");
    Grants grants = new Grants(time);
    // No byte of the growing pair counts as final, so it is read twice, for columns and for the
    // copy.
    Archive seen =
        Archive.open(
            live.root,
            ArchiveSettings.defaults().withSettleNanos(TimeUnit.MILLISECONDS.toNanos(100)),
            grants);
    try (LogWriter past = live.pair(asked, -100_000)) {
      live.segment(past, -100_000, EVENTS);
    }
    TestStores.closePairs(live.root);
    long pastBytes = live.archive.pairs(asked).get(0).open().logBytes();
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, EVENTS);
      live.segment(writer, 60, 1);
      FollowService following =
          live.start(seen, limited(asked), new UnforcedFiles(), Clock.systemUTC());
      long begin = time.nanos();
      long own = 2 * pastBytes;
      following.backfill(
          new BackfillRequest(List.of(asked), TimeRange.ALL, own), new TestStores.Quiet());
      double seconds = (time.nanos() - begin) / 1e9;
      assertThat(seconds).as("seconds for %d bytes", pastBytes).isGreaterThan(0.45);
      await(
          "all kinds of reads",
          () ->
              live.coveredBytes(GROUP) > 0
                  && following.counters().get(Count.SCRUBBED_BLOCKS) > 0
                  && following.counters().get(Count.MIRRORED_BYTES) > 0);
      long growing = Files.size(live.archive.pairs(GROUP).get(0).logPath());
      await("comparisons", () -> grants.bytes() > pastBytes + 5 * growing);
    }
    live.stop();
    assertThat(grants.mostInASecond()).isLessThanOrEqualTo(MAX_IN_A_SECOND);
    assertThat(live.problems).isEmpty();
  }

  /** A clock that passes only while a thread waits. */
  private static final class WaitingTime implements RateLimit.Time {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanos() {
      return nanos.get();
    }

    @Override
    public void sleep(long wanted) {
      nanos.accumulateAndGet(nanos.get() + wanted, Math::max);
    }
  }

  /** Records the granted reads and their times. */
  private static final class Grants implements FileAccess {
    private record Grant(long nanos, int bytes) {}

    private final RateLimit.Time time;
    private final List<Grant> all = new ArrayList<>();

    Grants(RateLimit.Time time) {
      this.time = time;
    }

    @Override
    public <T> T call(Path file, Call<T> call) throws IOException {
      return call.run();
    }

    @Override
    public boolean isBlocking() {
      return true;
    }

    @Override
    public synchronized int acquire(int bytes) {
      all.add(new Grant(time.nanos(), bytes));
      return bytes;
    }

    synchronized long bytes() {
      return all.stream().mapToLong(Grant::bytes).sum();
    }

    synchronized long mostInASecond() {
      long most = 0;
      long sum = 0;
      int first = 0;
      for (Grant grant : all) {
        sum += grant.bytes;
        while (grant.nanos - all.get(first).nanos >= TimeUnit.SECONDS.toNanos(1)) {
          sum -= all.get(first++).bytes;
        }
        most = Math.max(most, sum);
      }
      return most;
    }
  }
}
