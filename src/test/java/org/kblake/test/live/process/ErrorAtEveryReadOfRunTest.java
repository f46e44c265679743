package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.volume.RemoteFileSystem.EVER;
import static org.kblake.test.fixture.volume.RemoteFileSystem.EVERYWHERE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.RemoteCommands;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

/**
 * Starts the service many times over a file system that is not local. In each run another read
 * fails, or all reads from that one on for a while. After the errors have ended, the service puts
 * all events into columns, and the store is correct.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ErrorAtEveryReadOfRunTest {

  private static final String[] ALL_EVENTS = {
    "get", "-q", "VA*", "RF*", "--from", "2016-05-15", "--to", "2016-05-18"
  };

  /**
   * The number of tried operations of kinds that each poll repeats: errors of many reads, and of
   * reads of attributes. Of other kinds each operation is tried.
   */
  private static final int SAMPLES = 15;

  @TempDir Path directory;

  private RemoteCommands kblake;
  private Archive archive;

  @BeforeEach
  void mount() throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    kblake = new RemoteCommands(directory, Cache.DIRECT);
    archive =
        Archive.open(
            kblake.remote(),
            ArchiveSettings.defaults().withSettleNanos(TimeUnit.MILLISECONDS.toNanos(50)));
  }

  @AfterEach
  void unmount() throws IOException {
    kblake.close();
  }

  /**
   * Starts the service. The pairs of one group may still grow, so blocks of them are compared with
   * their logs.
   */
  private FollowServiceThread start() throws IOException {
    FileTime now = FileTime.from(Instant.now());
    try (Stream<Path> files = Files.list(kblake.backing().resolve("VA"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.setLastModifiedTime(file, now);
      }
    }
    kblake.beginStore();
    Files.createDirectories(kblake.store());
    FollowServiceThread thread =
        new FollowServiceThread(archive, kblake.store(), FollowServiceFixture.eager());
    thread.start();
    return thread;
  }

  private long storedBytes() throws IOException {
    return Files.exists(kblake.store().resolve("kblake-store.properties"))
        ? kblake.storedBytes("")
        : 0;
  }

  /** The contents of the columns without errors, and the number of reads. */
  private record Truth(long bytes, long reads, List<String> events) {}

  private Truth truth(Operations operations, Cache cache) throws Exception {
    List<String> events = kblake.truth(ALL_EVENTS).out().lines().toList();
    kblake.mountAgain(cache);
    kblake.files().fail(operations, "EIO", Long.MAX_VALUE, EVER, EVERYWHERE);
    FollowServiceThread thread = start();
    // The last segment of the newest pair is not covered, because it may grow.
    long all = kblake.logBytes(EVERYWHERE);
    await("columns", () -> storedBytes() > all / 2);
    long[] last = {0};
    await(
        "no more columns",
        () -> {
          long before = last[0];
          last[0] = storedBytes();
          TimeUnit.SECONDS.sleep(1);
          return before == last[0];
        });
    long reads = kblake.files().count();
    thread.end();
    return new Truth(last[0], reads, events);
  }

  /** With a cache, a single error has no effect: the kernel repeats a failed read-ahead once. */
  @ParameterizedTest
  @CsvSource({
    "READ, EIO, 1, DIRECT",
    "READ, EIO, 2, CACHED",
    "READ, ESTALE, 30, DIRECT",
    "ANY, EIO, 1, DIRECT",
    "ANY, ESTALE, 30, CACHED"
  })
  void catchesUpAfterTheErrorsHaveEnded(
      Operations operations, String error, int failing, Cache cache) throws Exception {
    Truth truth = truth(operations, cache);
    long seed = Seeds.one("catchesUpAfterTheErrorsHaveEnded");
    boolean all = operations == Operations.READ && failing <= 2 || truth.reads <= SAMPLES;
    LongStream numbers =
        all
            ? LongStream.rangeClosed(1, truth.reads)
            : new SplittableRandom(seed).longs(SAMPLES, 1, truth.reads + 1);
    System.out.printf(
        "%s of %d operations (%s, %d, %s)%n",
        all ? "all" : SAMPLES, truth.reads, operations, failing, cache);
    List<String> wrong = new ArrayList<>();
    for (long number : new TreeSet<>(numbers.boxed().toList())) {
      if (cache == Cache.CACHED) {
        kblake.mountAgain(cache);
      }
      String what = error + " of " + failing + " from operation " + number + ", seed " + seed;
      kblake.files().fail(operations, error, number, number + failing - 1, EVERYWHERE);
      FollowServiceThread thread = start();
      try {
        await("columns, " + what, () -> storedBytes() == truth.bytes);
        kblake.files().heal();
        thread.end();
        TestStores.closePairs(kblake.backing());
        if (cache == Cache.CACHED) {
          // Otherwise the kernel would report the old times of files for a second.
          kblake.mountAgain(cache);
        }
        assertSound(what, "verify");
        assertSound(what, "compact");
        assertSound(what, "verify");
        KblakeRun both = kblake.run(ALL_EVENTS);
        assertThat(both.status()).as("%s: %s", what, both.err()).isZero();
        assertThat(both.out().lines().toList().equals(truth.events)).as(what).isTrue();
      } catch (AssertionError e) {
        wrong.add(e.getMessage());
        thread.end();
      }
    }
    assertThat(wrong).isEmpty();
  }

  private void assertSound(String what, String command) {
    KblakeRun run = kblake.run(command);
    assertThat(run.status()).as("%s after %s: %s", command, what, run.err()).isZero();
    assertThat(run.err()).as("%s after %s", command, what).isEmpty();
  }
}
