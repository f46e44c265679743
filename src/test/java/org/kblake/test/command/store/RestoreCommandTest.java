package org.kblake.test.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake restore} writes pairs byte for byte, or refuses them by name. */
final class RestoreCommandTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  @Test
  void wholePairsAreRestoredWithTheirModificationTimes() throws IOException {
    kblake.run("backfill");
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "-g", "RF/AnalogData", "--into", "new");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    List<Path> restored = files(directory.resolve("new"));
    assertThat(run.out().lines().map(Path::of)).containsExactlyInAnyOrderElementsOf(restored);
    assertThat(restored).hasSize(10);
    for (Path file : restored) {
      Path original = kblake.archive().resolve(directory.resolve("new").relativize(file));
      assertThat(file).hasSameBinaryContentAs(original);
      assertThat(Files.getLastModifiedTime(file)).isEqualTo(Files.getLastModifiedTime(original));
    }
  }

  @Test
  void archiveIsNotNeeded() throws IOException {
    kblake.run("backfill");
    Files.move(kblake.archive(), directory.resolve("gone"));
    KblakeRun run =
        KblakeRun.in(directory).run("--store", "store", "restore", "-g", "VA/CCG", "--into", "new");
    assertThat(run.status()).isZero();
    assertThat(directory.resolve("new/VA/CCG_20160516000000.log2"))
        .hasSameBinaryContentAs(directory.resolve("gone/VA/CCG_20160516000000.log2"));
  }

  @Test
  void growingPairIsRefusedByName() throws IOException {
    FileTime now = FileTime.from(Instant.now());
    Files.setLastModifiedTime(kblake.archive().resolve("VA/CCG_20160516002717.log2"), now);
    kblake.run("backfill");
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", "new");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out()).contains("CCG_20160516000000.log2").doesNotContain("20160516002717");
    assertThat(run.err())
        .startsWith("kblake restore: incomplete: VA/CCG: not restored: pair=20160516002717, ")
        .hasLineCount(1);
    assertThat(files(directory.resolve("new"))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"double.parquet", "patch.kb", "chunks.kb", "block.kb"})
  void damagedBlockDoesNotPreventRestoringOtherPairs(String damaged) throws IOException {
    assertThat(kblake.run("backfill", "--to", "2016-05-16T00:05").status()).isZero();
    Path first = CommandFixture.block(kblake.store().resolve("RF")).resolve(damaged);
    assertThat(kblake.run("backfill").status()).isZero();
    Files.write(first, Arrays.copyOf(Files.readAllBytes(first), (int) Files.size(first) / 2));
    KblakeRun run = kblake.run("restore", "-g", "RF/AnalogData", "--into", "new");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith(
            "kblake restore: incomplete: RF/AnalogData: not restored: pair=20160516000000, ")
        .contains(damaged)
        .hasLineCount(1);
    List<Path> restored = files(directory.resolve("new"));
    assertThat(restored).hasSize(4);
    for (Path file : restored) {
      Path original = kblake.archive().resolve(directory.resolve("new").relativize(file));
      assertThat(file).hasSameBinaryContentAs(original);
    }
  }

  /** Pairs whose files changed a moment ago may still change. */
  @Test
  void noRestorablePairIsStatusOne() throws IOException {
    FileTime now = FileTime.from(Instant.now());
    for (Path file : files(kblake.archive().resolve("VA"))) {
      Files.setLastModifiedTime(file, now);
    }
    kblake.run("backfill");
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", "new");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("VA/CCG: not restored: pair=20160516000000, ");
    assertThat(files(directory.resolve("new"))).isEmpty();
  }

  /**
   * Property 6 of docs/architecture.md holds even if a user names the archive as target through a
   * link.
   */
  @Test
  void archiveAndStoreAreRefusedAsTargets() throws IOException {
    kblake.run("backfill");
    Files.createSymbolicLink(directory.resolve("link"), kblake.archive());
    for (String into : List.of("archive", "archive/new", "link", "link/new/er", "store/x")) {
      KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", into);
      assertThat(run.status()).as(into).isEqualTo(1);
      assertThat(run.err()).as(into).contains("--into is inside the ").hasLineCount(1);
    }
  }

  /** Another user may have planted a link, or the new tree was copied as links. */
  @ParameterizedTest
  @ValueSource(strings = {"VA", "VA/CCG_20160516000000.log1", "VA/CCG_20160516000000.log2"})
  void linksBelowTheTargetAreNotFollowed(String name) throws IOException {
    kblake.run("backfill");
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Path link = directory.resolve("new").resolve(name);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(
        link, name.equals("VA") ? elsewhere : elsewhere.resolve(link.getFileName()));
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", "new");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(link.toString()).hasLineCount(1);
    assertThat(elsewhere).isEmptyDirectory();
    assertThat(files(directory.resolve("new"))).allMatch(Files::isSymbolicLink);
  }

  /** The target itself is the user's word. A leftover of a killed run is replaced. */
  @Test
  void theTargetMayBeALinkAndLeftoversAreNotFollowed() throws IOException {
    kblake.run("backfill");
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Path mine = Files.writeString(directory.resolve("mine"), "mine");
    Path system = Files.createDirectories(elsewhere.resolve("VA"));
    for (String ending : List.of("log1", "log2")) {
      Files.createSymbolicLink(system.resolve("unfinished-CCG_20160516000000." + ending), mine);
    }
    Files.createSymbolicLink(directory.resolve("link"), elsewhere);
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", "link");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(mine).hasContent("mine");
    Path log = system.resolve("CCG_20160516000000.log2");
    assertThat(log)
        .hasSameBinaryContentAs(kblake.archive().resolve("VA/CCG_20160516000000.log2"))
        .matches(file -> !Files.isSymbolicLink(file));
  }

  /** The store names the place where the archive was. */
  @Test
  void movedArchiveIsRefusedAsTarget() throws IOException {
    kblake.run("backfill");
    Files.move(kblake.archive(), directory.resolve("moved"));
    assertThat(kblake.run("verify", "--archive", "moved").status()).isZero();
    KblakeRun run =
        kblake.run("restore", "-g", "VA/CCG", "--archive", "moved", "--into", "moved/new");
    assertThat(run.err()).contains("--into is inside the archive").hasLineCount(1);
    assertThat(directory.resolve("moved/new")).doesNotExist();
  }

  @Test
  void existingFilesAreNotOverwritten() throws IOException {
    kblake.run("backfill");
    Path file =
        Files.createDirectories(directory.resolve("new/VA")).resolve("CCG_20160516000000.log1");
    Files.writeString(file, "mine");
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", "new");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(file + ": already exists").hasLineCount(1);
    assertThat(file).hasContent("mine");
    assertThat(files(directory.resolve("new"))).containsExactly(file);
  }

  @Test
  void damagedBlockGivesNoFile() throws IOException {
    kblake.run("backfill");
    Path columns = CommandFixture.find(kblake.store().resolve("VA/CCG"), "double.parquet");
    CommandFixture.flip(columns, Files.size(columns) / 2);
    KblakeRun run = kblake.run("restore", "-g", "VA/CCG", "--into", "new");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("double.parquet").hasLineCount(2);
    assertThat(files(directory.resolve("new")))
        .noneMatch(file -> file.getFileName().toString().startsWith("CCG"));
  }

  @Test
  void wrongUsageIsStatusTwo() {
    kblake.run("backfill", "-g", "VA/CCG");
    for (String args : List.of("restore", "restore -g VA/CCG", "restore --into new")) {
      KblakeRun run = kblake.run(args.split(" "));
      assertThat(run.status()).as(args).isEqualTo(2);
      assertThat(run.err()).as(args).startsWith("kblake restore: Missing required option");
    }
    assertThat(kblake.run("restore", "-g", "VA/CGG", "--into", "new").err())
        .isEqualTo("kblake restore: no such group in the store: VA/CGG; did you mean VA/CCG?\n");
  }

  private static List<Path> files(Path root) throws IOException {
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
