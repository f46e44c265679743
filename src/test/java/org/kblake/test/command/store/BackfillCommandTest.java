package org.kblake.test.command.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.TestStores;

/** Tests {@code kblake backfill} through its command line. */
final class BackfillCommandTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  @Test
  void summaryGoesToStandardOutput() {
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsPattern("(?m)^events +27159$")
        .containsPattern("(?m)^raw bytes +\\d+ \\(924 KiB\\)$")
        .containsPattern("(?m)^stored bytes +\\d+")
        .containsPattern("(?m)^bytes per event +\\d+\\.\\d+$")
        .containsPattern("(?m)^MiB/s +\\d+\\.\\d+$")
        .endsWith(
            "verdict           924 KiB of log are in 2 new blocks; kblake verify proves them\n");
  }

  /** Copies only show whether logs became shorter. A link to itself is as bad as a wrong disk. */
  @Test
  void aMirrorThatCannotBeReadEndsNothing() throws Exception {
    assertThat(kblake.run("backfill", "--to", "2016-05-16T12:00").status()).isZero();
    Path mirror = directory.resolve("mirror");
    Mirror.make(kblake.store(), mirror);
    Path group = Files.createDirectory(mirror.resolve("VA")).resolve("CCG");
    Files.createSymbolicLink(group, group);
    for (String command : List.of("backfill", "verify")) {
      KblakeRun run = kblake.run(command);
      assertThat(run.status()).as("%s", run).isEqualTo(3);
      assertThat(run.out()).as("%s", run).contains("verdict ");
      assertThat(run.err())
          .as("%s", run)
          .contains("incomplete", "the mirror cannot be read: directory=" + mirror + ", found ")
          .contains(group.toString())
          .hasLineCount(1);
    }
  }

  @Test
  void secondRunFindsNothingToDo() {
    long rawBytes = fact(kblake.run("backfill"), "raw bytes");
    KblakeRun again = kblake.run("backfill");
    assertThat(again.status()).isZero();
    assertThat(fact(again, "events")).isZero();
    assertThat(fact(again, "in store before")).isEqualTo(rawBytes);
    assertThat(again.out())
        .containsPattern("(?m)^bytes per event +-$")
        .contains("verdict           nothing to do: ");
  }

  @Test
  void groupAndRangeChooseWholeSegments() {
    KblakeRun run =
        kblake.run(
            "backfill", "-g", "VA/CCG", "--from", "2016-05-16T00:20", "--to", "201605160021");
    assertThat(run.status()).isZero();
    assertThat(fact(run, "events")).isBetween(1L, 8_000L);
    assertThat(kblake.run("files").out()).contains("/VA/CCG/").doesNotContain("/RF/");
    KblakeRun rest = kblake.run("backfill");
    assertThat(fact(rest, "events") + fact(run, "events")).isEqualTo(CommandFixture.MIXED_EVENTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "gzip", "zstd"})
  void everyCodecGivesTheSameLogs(String codec) {
    assertThat(kblake.run("backfill", "--codec", codec).status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  /** A reader of all files would find two types of the time column. */
  @Test
  void profileOfAStoreCannotBeChanged() {
    assertThat(kblake.run("backfill", "-g", "VA/CCG", "--profile", "lake").status()).isZero();
    KblakeRun other = kblake.run("backfill", "--profile", "standard");
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err())
        .startsWith("kblake backfill: store has another profile: ")
        .contains("its profile=lake, requested=standard")
        .hasLineCount(1);
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--threads 0",
        "--memory 1M",
        "--memory much",
        "--io-limit 0",
        "--codec snappy",
        "--profile warehouse",
        "--from 2016-05-17 --to 2016-05-16",
        "--from soon",
        "-g VA",
        "everything"
      })
  void wrongUsageIsStatusTwoInOneLine(String args) {
    KblakeRun run = kblake.run(Stream.of(("backfill " + args).split(" ")).toArray(String[]::new));
    assertThat(run.status()).as(args).isEqualTo(2);
    assertThat(run.err()).as(args).startsWith("kblake backfill: ").hasLineCount(1);
    assertThat(kblake.store()).doesNotExist();
  }

  @Test
  void unknownGroupIsNamedWithTheNearest() {
    KblakeRun run = kblake.run("backfill", "-g", "VA/CGG");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("kblake backfill: no such group in the archive: VA/CGG; did you mean VA/CCG?\n");
    assertThat(kblake.store()).doesNotExist();
  }

  @Test
  void archiveThatIsMissingOrNoDirectoryIsAnError() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "no archive");
    for (Path root : List.of(directory.resolve("none"), file)) {
      KblakeRun run = kblake.run("backfill", "--archive", root.toString());
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .startsWith("kblake backfill: archive is unavailable: root=" + root)
          .hasLineCount(1);
    }
  }

  @Test
  void archiveWithoutGroupsIsAnError() throws IOException {
    Path empty = Files.createDirectories(directory.resolve("empty/SYS"));
    Files.writeString(empty.resolve("KEKBLog.list"), "\n\n");
    KblakeRun run = kblake.run("backfill", "--archive", "empty");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("kblake backfill: archive has no groups: root=");
    assertThat(kblake.store()).doesNotExist();
  }

  @Test
  void pairOnAnOfflineVolumeIsNamedAndTheRestIsDone() throws IOException {
    Path log = kblake.archive().resolve("VA/CCG_20160516000000.log2");
    Files.delete(log);
    Files.createSymbolicLink(log, Path.of("/volume/offline/log2"));
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith(
            "kblake backfill: incomplete: pair is unavailable: group=VA/CCG,"
                + " period=20160516000000-20160516002717")
        .contains(log.toString())
        .hasLineCount(1);
    assertThat(fact(run, "events")).isBetween(20_000L, CommandFixture.MIXED_EVENTS - 1);
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void damageIsNamedAndTheRestIsDone() throws IOException {
    Path log = kblake.archive().resolve("VA/CCG_20160516000000.log2");
    // The length of the first milestone: no event of its segment can be decoded.
    CommandFixture.flip(log, 0);
    KblakeRun run = kblake.run("-q", "backfill");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains(log.toString());
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void storeOfAnotherArchiveOrZoneIsRefused() {
    assertThat(kblake.run("backfill").status()).isZero();
    KblakeRun archive =
        kblake.run("backfill", "--archive", TestArchives.sample("tiny-le").toString());
    assertThat(archive.status()).isEqualTo(1);
    assertThat(archive.err()).contains("store belongs to another archive").hasLineCount(1);
    KblakeRun zone = kblake.run("backfill", "--zone", "UTC");
    assertThat(zone.status()).isEqualTo(1);
    assertThat(zone.err())
        .contains("zone of the store=Asia/Tokyo, requested=UTC", "use --out-zone UTC")
        .doesNotContain("kblake-store.properties")
        .hasLineCount(1);
  }

  @Test
  void storeOfAnotherVersionIsRefused() throws IOException {
    assertThat(kblake.run("backfill", "-g", "VA/CCG").status()).isZero();
    Path identity = kblake.store().resolve("kblake-store.properties");
    String text = Files.readString(identity);
    Files.writeString(identity, text.replace("oldest-reader=1", "oldest-reader=99"));
    for (String command : List.of("backfill", "verify", "files", "sql")) {
      KblakeRun run = kblake.run(command);
      assertThat(run.status()).as(command).isEqualTo(1);
      assertThat(run.err()).as(command).contains("store needs a newer kblake").hasLineCount(1);
    }
    Files.writeString(identity, "format=one\n");
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("store identity is damaged").hasLineCount(1);
  }

  /** Does what the message advises. Then the store can be used again. */
  @Test
  void damagedIdentityIsReplacedByThatOfANewStore() throws IOException {
    assertThat(kblake.run("backfill").status()).isZero();
    Path identity = kblake.store().resolve("kblake-store.properties");
    Files.writeString(identity, "");
    KblakeRun run = kblake.run("status");
    assertThat(run.err())
        .contains("store identity is damaged: file=" + identity)
        .contains("; restore it from a copy, or from a new store of the same archive");
    assertThat(kblake.run("backfill", "--to", "1990", "--store", "new").status()).isZero();
    Files.copy(
        directory.resolve("new/kblake-store.properties"),
        identity,
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(kblake.run("verify").status()).isZero();
  }

  /** The block is the only copy of these events. In the trash it would be deleted in the end. */
  @ParameterizedTest
  @ValueSource(strings = {"double.parquet", "chunks.kb", "block.kb"})
  void damagedBlockIsKeptIfItsLogIsMissing(String file) throws IOException {
    assertThat(kblake.run("backfill").status()).isZero();
    Path block = CommandFixture.block(kblake.store().resolve("VA/CCG"));
    Path cut = block.resolve(file);
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 50));
    Files.delete(kblake.archive().resolve("VA/CCG_20160516000000.log2"));
    Files.delete(kblake.archive().resolve("VA/CCG_20160516000000.log1"));
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains(cut.toString()).contains("; it is kept, because its log");
    assertThat(cut).exists();
    assertThat(kblake.store().resolve("trash")).doesNotExist();
  }

  @Test
  void storeInsideTheArchiveIsRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), kblake.archive());
    for (Path inside : List.of(kblake.archive().resolve("VA/columns"), link.resolve("new/store"))) {
      KblakeRun run = kblake.run("backfill", "--store", inside.toString());
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .startsWith("kblake backfill: store is inside the archive, where kblake never writes")
          .hasLineCount(1);
    }
    KblakeRun output =
        kblake.run("get", "*", "--source", "raw", "-o", link.resolve("answer.csv").toString());
    assertThat(output.status()).isEqualTo(1);
    assertThat(output.err()).contains("is inside the archive").hasLineCount(1);
    try (Stream<Path> files = Files.walk(kblake.archive())) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.matches(".*(columns|new|csv)"));
    }
  }

  @Test
  void directoryThatIsNoStoreIsLeftAlone() throws IOException {
    Files.createDirectories(kblake.store());
    Files.writeString(kblake.store().resolve("thesis.tex"), "");
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("directory is not empty and not a store").hasLineCount(1);
    assertThat(kblake.store()).isDirectoryContaining("glob:**thesis.tex");
  }

  @Test
  void secondWriterIsRefusedAndTheLockIsNamed() throws IOException {
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    try (Store held = TestStores.storeForWriting(archive, kblake.store())) {
      KblakeRun run = kblake.run("backfill");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .startsWith(
              "kblake backfill: another process has locked this store: store=" + held.directory())
          .contains("holder=")
          .hasLineCount(1);
    }
  }

  @Test
  void dryRunLeavesNoStore() {
    KblakeRun run = kblake.run("backfill", "--dry-run");
    assertThat(run.status()).isZero();
    assertThat(run.out()).containsPattern("(?m)^expected seconds +\\d+\\.\\d+$");
    assertThat(fact(run, "expected bytes")).isPositive();
    assertThat(kblake.store()).doesNotExist();
  }

  @Test
  void dryRunCountsStoredBytes() {
    long done = fact(kblake.run("backfill", "-g", "VA/CCG"), "raw bytes");
    KblakeRun run = kblake.run("backfill", "--dry-run");
    assertThat(fact(run, "in store before")).isEqualTo(done);
    assertThat(fact(run, "raw bytes")).isEqualTo(fact(kblake.run("backfill"), "raw bytes"));
    assertThat(fact(kblake.run("backfill", "--dry-run"), "expected bytes")).isZero();
  }

  /**
   * The archive has more than twice as much log as the sample takes, so most of the size is an
   * estimate.
   */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 9 s of a processor")
  @Test
  void dryRunEstimatesTheSizeOfTheStore() throws Exception {
    Path root = directory.resolve("simulated");
    SimulationSettings settings =
        SimulationSettings.of(Preset.RF_YEAR, root)
            .groups(Set.of(Group.parse("RF/AnalogData")))
            .days(0.45);
    Simulation.run(settings, SimulationListener.NONE);
    KblakeRun estimate = kblake.run("backfill", "--dry-run", "--archive", root.toString());
    KblakeRun done = kblake.run("backfill", "--archive", root.toString());
    assertThat(done.status()).as(done.err()).isZero();
    assertThat(fact(estimate, "sampled bytes")).isLessThan(fact(done, "raw bytes") / 2);
    double stored = fact(done, "stored bytes");
    assertThat((double) fact(estimate, "expected bytes")).isCloseTo(stored, within(stored * 0.15));
  }
}
