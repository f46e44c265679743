package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.RemoteFileSystem;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

/**
 * The service follows an archive with a store on a file system whose changes fail for a while: at
 * the start, and each time when a group comes to the archive. Answers are right meanwhile, and the
 * same service puts the group into columns when the errors have ended. A start may fail, and is
 * then repeated.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ErrorAtEveryChangeOfRunTest {

  private static final String EVENTS = "get -q * --from 2016-05-15 --to 2016-05-18 -g ";
  private static final String GROWING = "RF/AnalogData";
  private static final int GROUPS = 5;

  /** Most changes that the process makes between the beginning of errors and columns. */
  private static final int MAX_CHANGES = 60;

  private static final int MAX_STARTS = 20;

  @TempDir Path directory;

  private RemoteFileSystem files;

  @BeforeEach
  void mount() throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    Files.createDirectories(directory.resolve("disk/store"));
    Files.createDirectories(directory.resolve("sample"));
    try (Stream<Path> all = Files.list(directory.resolve("archive/VA"))) {
      for (Path file : all.toList()) {
        Files.move(file, directory.resolve("sample").resolve(file.getFileName()));
      }
    }
    FileTime now = FileTime.from(Instant.now());
    try (Stream<Path> all = Files.list(directory.resolve("archive/RF"))) {
      for (Path file : all.toList()) {
        Files.setLastModifiedTime(file, now);
      }
    }
    files = RemoteFileSystem.mountWritable(directory.resolve("disk"), directory.resolve("written"));
    Files.writeString(directory.resolve("raw.toml"), "archive = \"archive\"\nsettle = \"50ms\"\n");
    Files.writeString(
        directory.resolve("kblake.toml"),
        Files.readString(directory.resolve("raw.toml")) + "store = \"written/store\"\n");
  }

  @AfterEach
  void unmount() throws IOException {
    files.close();
  }

  private FollowServiceThread start() throws IOException {
    Archive archive =
        Archive.open(
            directory.resolve("archive"),
            ArchiveSettings.defaults().withSettleNanos(TimeUnit.MILLISECONDS.toNanos(50)));
    FollowServiceThread thread =
        new FollowServiceThread(
            archive,
            directory.resolve("written/store"),
            StoreFiles.LOCAL,
            FollowServiceFixture.eager(CacheSettings.EVERYTHING).with(FollowServiceFixture.TIMES));
    thread.start();
    return thread;
  }

  @ParameterizedTest
  @CsvSource({"CHANGE, EIO, 1", "CHANGE, EIO, 8", "ROOM, ENOSPC, 8"})
  void catchesUpAfterTheErrorsHaveEnded(Operations operations, String error, int failing)
      throws Exception {
    long seed = Seeds.one("catchesUpAfterTheErrorsHaveEnded");
    SplittableRandom random = new SplittableRandom(seed);
    long failed = 0;
    FollowServiceThread service = null;
    for (int n = 0; n < GROUPS; n++) {
      long k = 1L + random.nextInt(MAX_CHANGES);
      String what =
          error + " of " + failing + " from change " + k + " for group " + n + ", seed " + seed;
      files.fail(operations, error, k, k + failing - 1, "/");
      Group group = new Group("VA", "G" + n);
      add(group);
      long bytes = bytes(group);
      assertAnswers(what, group);
      if (service == null) {
        service = start();
      }
      for (int starts = 1;
          n == 0 && starts < MAX_STARTS && failsToStart(service, group, bytes);
          starts++) {
        service = start();
      }
      await("columns, " + what, () -> storedBytes(group) == bytes);
      failed += files.heal();
      assertAnswers(what, group);
    }
    assertThat(failed).as("failed changes, seed %s", seed).isPositive();
    Objects.requireNonNull(service).end();
    TestStores.closePairs(directory.resolve("archive"));
    sound("backfill -q");
    sound("verify");
    for (int n = 0; n < GROUPS; n++) {
      assertAnswers("at the end, seed " + seed, new Group("VA", "G" + n));
    }
    try (Stream<Path> all = Files.walk(directory.resolve("disk/store"))) {
      assertThat(all.filter(file -> file.toString().contains("unfinished"))).isEmpty();
    }
  }

  /** Waits until the service has columns or has ended by an error. Returns whether it has ended. */
  private boolean failsToStart(FollowServiceThread service, Group group, long bytes)
      throws Exception {
    await("columns or an error", () -> service.hasFailed() || storedBytes(group) == bytes);
    return service.hasFailed();
  }

  private static int n(Group group) {
    return Integer.parseInt(group.toString().replaceAll("\\D", ""));
  }

  /** Puts a closed copy of the sample into the archive, the indexes last. */
  private void add(Group group) throws IOException {
    for (String suffix : List.of(".log2", ".log1")) {
      try (Stream<Path> all = Files.list(directory.resolve("sample"))) {
        for (Path file : all.filter(each -> each.toString().endsWith(suffix)).toList()) {
          String name = file.getFileName().toString().replaceFirst("CCG", "G" + n(group));
          Files.copy(
              file,
              directory.resolve("archive/VA").resolve(name),
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    Files.writeString(
        directory.resolve("archive/SYS/KEKBLog.list"),
        "VA G" + n(group) + "\n",
        StandardOpenOption.APPEND);
  }

  private long bytes(Group group) throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.list(directory.resolve("archive/VA"))) {
      for (Path file : all.toList()) {
        String name = file.getFileName().toString();
        bytes += name.startsWith("G" + n(group)) && name.endsWith(".log2") ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  private long storedBytes(Group group) throws IOException {
    if (!Files.exists(directory.resolve("disk/store/kblake-store.properties"))) {
      return 0;
    }
    long bytes = 0;
    try (Store store = Store.open(directory.resolve("disk/store"), null)) {
      for (Block block : store.blocks(group, problem -> {})) {
        bytes += block.summary().rawBytes();
      }
    }
    return bytes;
  }

  /** Asserts that a new group and the growing one have the same answers with and without store. */
  private void assertAnswers(String what, Group group) {
    for (String each : List.of(group.toString(), GROWING)) {
      KblakeRun raw = run(EVENTS + each + " --config raw.toml");
      KblakeRun both = run(EVENTS + each);
      assertThat(both.status()).as("%s: %s", what, both.err()).isZero();
      assertThat(both.out().equals(raw.out()))
          .as("%s: %s %s %s", what, each, both.err(), raw.err())
          .isTrue();
    }
  }

  private KblakeRun run(String line) {
    return KblakeRun.in(directory).at(Instant.now()).run(line.split(" "));
  }

  private void sound(String line) {
    KblakeRun run = run(line);
    assertThat(run.status()).as("%s: %s", line, run).isZero();
  }
}
