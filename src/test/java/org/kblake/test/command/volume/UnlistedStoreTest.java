package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.FailingReads;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * Commands while a directory of the store cannot be listed. If it is a system's directory, only
 * that system is affected. If it is the root, every command fails. The superuser may list every
 * directory, so links stand for unreadable directories.
 */
final class UnlistedStoreTest {

  private static final Instant NEXT_MONTH = Instant.parse("2016-06-02T00:00:00Z");
  private static final Group RF = Group.parse("RF/AnalogData");

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private Path system = Path.of("");

  /** The link in the place of a system's directory. */
  enum Link {
    NOWHERE,
    TO_ITSELF
  }

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
    system = kblake.store().resolve("VA");
  }

  private void begin(Link link) throws IOException {
    Files.move(system, directory.resolve("moved"));
    Path target = link == Link.NOWHERE ? Path.of("/nowhere") : system.getFileName();
    Files.createSymbolicLink(system, target);
  }

  private void removeLink() throws IOException {
    Files.delete(system);
    Files.move(directory.resolve("moved"), system);
  }

  private void assertNamed(KblakeRun run) {
    assertThat(run.status()).as(run.err()).isEqualTo(3);
    assertThat(run.err()).contains("directory=" + system).doesNotContain("\tat ", "no such group");
    assertThat(run.err().lines().filter(line -> line.contains("cannot be listed"))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void otherGroupsArePutIntoColumnsAndMerged(Link link) throws Exception {
    assertThat(kblake.run("backfill", "--to", "2016-05-16T00:01").status()).isZero();
    assertThat(kblake.run("backfill", "--from", "2016-05-16T00:44").status()).isZero();
    begin(link);
    assertNamed(kblake.run("backfill"));
    assertNamed(kblake.runner().at(NEXT_MONTH).run("compact"));
    assertThat(kblake.run("verify", "-g", RF.toString()).status()).isZero();
    try (Store store = Store.open(kblake.store(), null)) {
      assertThat(store.blocks(RF, problem -> {})).hasSize(1);
      assertThat(store.listedGroups().groups()).containsExactly(RF);
    }
    removeLink();
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
    assertThat(kblake.getAll("*")).isEqualTo(kblake.getAll("--source", "raw", "*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "channels", "status", "sql", "files"})
  void otherGroupsAreAnswered(String command) throws Exception {
    kblake.backfill();
    begin(Link.TO_ITSELF);
    KblakeRun run = kblake.run(command.split(" "));
    assertNamed(run);
    assertThat(run.out()).isNotEmpty();
    KblakeRun named = kblake.run((command + " -g VA/CCG").split(" "));
    assertThat(named.status()).as(named.err()).isNotZero();
    assertThat(named.err()).contains(system.toString()).doesNotContain("no such group");
  }

  /** The archive has all events, so the answer is complete. */
  @Test
  void answersComeFromTheLogs() throws Exception {
    kblake.backfill();
    KblakeRun before = kblake.getAll("*");
    begin(Link.TO_ITSELF);
    KblakeRun run = kblake.getAll("*");
    assertThat(run.out()).isEqualTo(before.out());
  }

  /** The archive does not list the group, so only the store could name it. */
  @Test
  void groupThatOnlyTheStoreNamesIsNotReportedAsUnknown() throws Exception {
    kblake.backfill();
    begin(Link.TO_ITSELF);
    Files.delete(kblake.archive().resolve("SYS/KEKBLog.list"));
    Files.move(kblake.archive().resolve("VA"), directory.resolve("VA"));
    for (KblakeRun run :
        List.of(kblake.getAll("*"), kblake.getAll("-g", "VA/CCG", "*"), kblake.run("backfill"))) {
      assertThat(run.status()).as(run.err()).isEqualTo(3);
      assertThat(run.err()).contains(system.toString());
    }
  }

  @Test
  void backfillOfAllGroupsNamesTheSystem() throws Exception {
    kblake.backfill();
    begin(Link.TO_ITSELF);
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    RecordingListener listener = new RecordingListener();
    try (Store store =
        Store.openForWriting(kblake.store(), TestStores.identity(archive), new UnforcedFiles())) {
      new Backfill(archive, store, settings(), listener).run();
    }
    assertThat(listener.problems)
        .anyMatch(line -> line.startsWith("VA/*") && line.contains("cannot be listed"))
        .allMatch(line -> line.startsWith("VA/"));
  }

  /** The service has a budget, which counts the blocks of all groups. */
  @Test
  void otherGroupsAreFollowed() throws Exception {
    Path own = Files.createDirectories(directory.resolve("live"));
    FollowServiceFixture live = new FollowServiceFixture(own);
    Path unlisted = Files.createDirectories(live.storePath).resolve("AA");
    Store.openForWriting(live.storePath, TestStores.identity(live.archive)).close();
    Files.createSymbolicLink(unlisted, unlisted.getFileName());
    CacheSettings bounded =
        new CacheSettings(1 << 30, 0, Eviction.OLDEST, false, Mode.FOLLOW, Map.of());
    try (LogWriter writer = live.pair(FollowServiceFixture.GROUP, 0)) {
      live.segment(writer, 0, 10);
      live.segment(writer, 60, 10);
      live.start(FollowServiceFixture.eager(bounded));
      await(
          "columns and the problem",
          () -> live.coveredBytes(FollowServiceFixture.GROUP) > 0 && !live.problems.isEmpty());
    } finally {
      live.stop();
    }
    assertThat(live.problems)
        .singleElement()
        .asString()
        .contains("cannot be listed: directory=" + unlisted);
  }

  @Test
  void rootThatCannotBeListedIsNamed() throws Exception {
    kblake.backfill();
    FailingReads disk = new FailingReads(kblake.store());
    Path seen = new GuardedProvider(directory.resolve("nothing"), disk).path(kblake.store());
    try (Store store = Store.open(seen, null)) {
      disk.failAfter(0);
      assertThatThrownBy(store::listedGroups)
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll(
              "cannot be listed: directory=" + kblake.store(), FailingReads.REASON);
    }
  }

  private static BackfillSettings settings() {
    return new BackfillSettings(
        List.of(), TimeRange.ALL, 1, BackfillSettings.MIN_MEMORY_BYTES, 0, WriteProfile.STANDARD);
  }

  /** Records problems. */
  private static final class RecordingListener extends TestStores.Quiet {
    private final List<String> problems = new ArrayList<>();

    @Override
    public synchronized void problem(Group group, String message) {
      problems.add(group + ": " + message);
    }
  }
}
