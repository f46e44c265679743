package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.volume.RemoteFileSystem.EVER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.volume.RemoteFileSystem;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

/**
 * Runs each command that changes a store many times. In each run another change of a file of the
 * store fails, or all later ones that need space. Answers are right meanwhile. Then the command is
 * repeated without errors, and the store is whole.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ErrorAtEveryChangeTest {

  private static final String EVENTS = "get -q VA* RF* --from 2016-05-15 --to 2016-05-18";
  private static final int MAX_SAMPLES = 12;
  private static final Instant NOW = Instant.parse("2016-06-20T00:00:00Z");
  private static final String HELD = "get -q VA* RF* --at 2016-05-16T00:39:00";

  @TempDir private Path directory;

  private RemoteFileSystem files;
  private Archive archive;
  private String events = "";
  private String held = "";
  private int stores;

  @BeforeEach
  void mount() throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    archive = Archive.open(directory.resolve("archive"), ArchiveSettings.defaults());
    Files.createDirectory(directory.resolve("disk"));
    files = RemoteFileSystem.mountWritable(directory.resolve("disk"), directory.resolve("stores"));
    events = sound("no store", kblake(), EVENTS);
    held = sound("no store", kblake(), HELD);
  }

  @AfterEach
  void unmount() throws IOException {
    files.close();
  }

  /** What the store has before the command. */
  enum Store {
    NONE,
    SMALL_BLOCKS,
    WHOLE
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, backfill --threads 1, CHANGE, EIO",
    "NONE, backfill --threads 2, ROOM, ENOSPC",
    "SMALL_BLOCKS, compact, CHANGE, EIO",
    "SMALL_BLOCKS, compact, ROOM, ENOSPC",
    "WHOLE, verify, CHANGE, EIO",
    "WHOLE, get -q VA* RF* --from 2016-05-15 --to 2016-05-18, CHANGE, EIO",
    "WHOLE, pin VA/CCG --for 30d, CHANGE, EIO"
  })
  void storeIsWholeAfterTheErrors(Store before, String line, Operations operations, String error)
      throws Exception {
    Path prepared = directory.resolve("prepared");
    switch (before) {
      case NONE -> {}
      case SMALL_BLOCKS -> TestStores.backfillInThreeSteps(archive, prepared, new UnforcedFiles());
      case WHOLE -> TestStores.backfill(archive, prepared);
    }
    files.fail(operations, error, Long.MAX_VALUE, 0, "/store");
    sound("no error", store(before, prepared), line);
    long changes = files.count();
    long step = 1 + changes / MAX_SAMPLES;
    long seed = Seeds.one("storeIsWholeAfterTheErrors");
    System.out.printf("%s: each %d. of %d changes (%s)%n", line, step, changes, error);
    assertThat(changes).as(line).isPositive();
    List<String> wrong = new ArrayList<>();
    for (long k = 1 + new SplittableRandom(seed).nextLong(step); k <= changes; k += step) {
      String what = line + " with " + error + " of change " + k + ", seed " + seed;
      KblakeRun.Builder kblake = store(before, prepared);
      files.fail(operations, error, k, operations == Operations.ROOM ? EVER : k, "/store");
      try {
        check(kblake, line, what);
      } catch (AssertionError e) {
        wrong.add(e.getMessage());
      }
      files.heal();
    }
    assertThat(wrong).isEmpty();
  }

  private KblakeRun.Builder store(Store before, Path prepared) throws IOException {
    stores++;
    if (before != Store.NONE) {
      TestStores.copy(prepared, disk());
    }
    return kblake().with("KBLAKE_STORE", "stores/store" + stores);
  }

  private Path disk() {
    return directory.resolve("disk/store" + stores);
  }

  private KblakeRun.Builder kblake() {
    return KblakeRun.in(directory).at(NOW).with("KBLAKE_ARCHIVE", "archive");
  }

  private void check(KblakeRun.Builder kblake, String line, String what) throws IOException {
    KblakeRun run = kblake.run(line.split(" "));
    assertThat(run.err()).as(what).doesNotContain("internal error").doesNotContain("Exception");
    assertThat(run.status())
        .as("%s: %s", what, run)
        .isIn(line.equals(EVENTS) ? List.of(0) : List.of(0, 1, 3));
    if (Files.isDirectory(disk())) {
      assertThat(sound(what, kblake, EVENTS).equals(events)).as(what).isTrue();
    }
    files.heal();
    sound(what, kblake, line);
    sound(what, kblake, "verify");
    assertThat(sound(what, kblake, EVENTS).equals(events)).as(what).isTrue();
    assertThat(sound(what, kblake, HELD)).as(what).isEqualTo(held);
    try (Stream<Path> all = Files.walk(disk())) {
      assertThat(all.filter(file -> file.toString().contains("unfinished"))).as(what).isEmpty();
    }
  }

  private static String sound(String what, KblakeRun.Builder kblake, String line) {
    KblakeRun run = kblake.run(line.split(" "));
    assertThat(run.status()).as("%s after %s: %s", line, what, run).isZero();
    return run.out();
  }
}
