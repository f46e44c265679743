package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.FileTreeState;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.test.fixture.TestStores;

/** Stores, tables and clocks that are not as they should be. */
final class TroubleTest {

  @TempDir private Path directory;

  private LakeFixture fixture;

  @BeforeEach
  void archive() throws Exception {
    fixture = LakeFixture.small(directory, Seeds.one("TroubleTest"));
    fixture.backfill("");
  }

  /** Makes another store, two blocks of which have events. */
  private void archiveInSeveralBlocks() throws Exception {
    for (long seed = Seeds.one("several blocks"); ; seed++) {
      fixture = LakeFixture.small(directory.resolve("seed" + seed), seed);
      fixture.backfillOtherwise();
      if (fixture.blocks().stream().filter(TroubleTest::hasEvents).count() > 1) {
        return;
      }
    }
  }

  private static boolean hasEvents(Block block) {
    return block.summary().events() > 0;
  }

  private List<Path> metadata() throws IOException {
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      return files.filter(file -> file.toString().endsWith(".metadata.json")).toList();
    }
  }

  /** The tables lack events that the log had. Only its copy in the mirror shows it. */
  @Test
  void aLogThatIsShorterThanItsCopyIsReported() throws Exception {
    Archive archive = fixture.archive();
    for (Pair pair : archive.pairs(fixture.blocks().get(0).group())) {
      long bytes = Files.size(pair.logPath());
      if (bytes > 0) {
        TestStores.mirror(fixture.store(), directory.resolve("mirror"), pair);
        try (FileChannel log = FileChannel.open(pair.logPath(), StandardOpenOption.WRITE)) {
          log.truncate(bytes - 1);
        }
      }
    }
    TestStores.closePairs(archive.root());
    KblakeRun run = fixture.run("lake", "publish", "-q", "tables");
    assertThat(run.status()).as("%s", run).isEqualTo(3);
    assertThat(run.err()).contains("incomplete", "shorter than its copy in the mirror");
  }

  @Test
  void aMirrorThatCannotBeReadPreventsNothing() throws Exception {
    Group bad = fixture.blocks().get(0).group();
    Path mirror = directory.resolve("mirror");
    Mirror.make(fixture.store(), mirror);
    Path copies = mirror.resolve(bad.system()).resolve(bad.name());
    Files.createDirectory(mirror.resolve(bad.system()));
    Files.createSymbolicLink(copies, copies);
    KblakeRun run = fixture.run("lake", "publish", "-q", "tables");
    assertThat(run.status()).as("%s", run).isEqualTo(3);
    assertThat(run.err())
        .contains("incomplete", "the mirror cannot be read: directory=" + mirror + ", found ")
        .hasLineCount(1);
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
  }

  /** Iceberg would fail with an internal error. */
  @Test
  void aClockThatWasSetBackIsReported() throws Exception {
    archiveInSeveralBlocks();
    fixture.discard(fixture.blocks());
    fixture.backfill("");
    fixture.succeed("lake publish tables");
    for (Path file : metadata()) {
      String text = Files.readString(file);
      // Three hundred years later.
      Files.writeString(
          file, text.replaceAll("(timestamp-ms\"|last-updated-ms\")(\\s*:\\s*)1", "$1$211"));
    }
    fixture.discard(fixture.blocks());
    fixture.backfillOtherwise();
    KblakeRun run = fixture.run("lake", "publish", "-q", "tables");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("the clock of this host is behind the last snapshot of a table");
  }

  /** Clocks of two hosts differ a little. */
  @Test
  void aClockThatIsSomeSecondsBehindDoesNotMatter() throws Exception {
    archiveInSeveralBlocks();
    List<Block> others = new ArrayList<>(fixture.blocks());
    others.remove(others.stream().filter(TroubleTest::hasEvents).findFirst().orElseThrow());
    fixture.discard(others);
    fixture.succeed("lake publish tables");
    for (Path file : metadata()) {
      Files.writeString(
          file,
          Pattern.compile("(timestamp-ms\"|last-updated-ms\")(\\s*:\\s*)(\\d+)")
              .matcher(Files.readString(file))
              .replaceAll(
                  found ->
                      found.group(1) + found.group(2) + (Long.parseLong(found.group(3)) + 40_000)));
    }
    fixture.backfill("");
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +[1-9]");
    fixture.succeed("lake verify -q tables");
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
    assertThat(fixture.succeed("lake drop --before 2200-01-01 tables"))
        .containsPattern("snapshots +[1-9]");
  }

  /** Half of a file, as a disk or a copy may leave it. Other tables are not concerned. */
  @Test
  void aTableThatIsHalfWrittenIsReportedAndChangedByNobody() throws Exception {
    fixture.succeed("lake publish tables");
    fixture.save();
    for (String half : new String[] {"v2.metadata.json", "snap-"}) {
      Path damaged;
      try (Stream<Path> files = Files.walk(fixture.tables())) {
        damaged =
            files
                .filter(file -> String.valueOf(file.getFileName()).startsWith(half))
                .findFirst()
                .orElseThrow();
      }
      byte[] bytes = Files.readAllBytes(damaged);
      Files.write(damaged, Arrays.copyOf(bytes, bytes.length / 2));
      Files.writeString(damaged.resolveSibling("../data/unfinished"), "publish");
      Set<Path> before = files();
      for (String command : List.of("publish", "drop --before 2200-01-01", "verify")) {
        KblakeRun run = fixture.run(("lake " + command + " -q tables").split(" "));
        assertThat(run.status()).as("%s %s", half, command).isIn(1, 3);
        assertThat(run.err()).as("%s %s", half, command).hasLineCount(1);
      }
      assertThat(files()).isEqualTo(before);
      fixture.restore();
      fixture.succeed("lake verify -q tables");
    }
  }

  private Set<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      return files.collect(Collectors.toSet());
    }
  }

  @Test
  void tablesOfAnotherArchiveAreLeftAlone() throws Exception {
    fixture.succeed("lake publish tables");
    for (Path file : metadata()) {
      Files.writeString(
          file, Files.readString(file).replace("\"" + directory + "/archive\"", "\"/elsewhere\""));
    }
    assertIsOfAnotherArchive();
    // As an older version left it.
    LakeFixture.delete(fixture.tables().resolve("kblake"));
    assertIsOfAnotherArchive();
  }

  private void assertIsOfAnotherArchive() {
    String before = FileTreeState.of(fixture.tables());
    for (String command : List.of("publish", "verify")) {
      KblakeRun run = fixture.run("lake", command, "-q", "tables");
      assertThat(run.status()).as(command).isEqualTo(1);
      assertThat(run.err())
          .contains("location belongs to another archive", "its archive=/elsewhere", "name another")
          .hasLineCount(1);
    }
    assertThat(withoutLock(FileTreeState.of(fixture.tables()))).isEqualTo(withoutLock(before));
  }

  private static String withoutLock(String state) {
    return state.replaceAll("(?m)^(kblake-publisher)? .*\\n", "");
  }

  /** No table of the first archive has a name of the second one. */
  @Test
  void twoArchivesDoNotMix() throws Exception {
    fixture.succeed("lake publish tables");
    LakeFixture other = LakeFixture.of(directory.resolve("other"), Seeds.one("another archive"));
    other.backfill("");
    String before = withoutLock(FileTreeState.of(fixture.tables()));
    List<String> lines = new ArrayList<>(List.of("lake publish -q ", "lake verify -q "));
    other.groups().forEach(group -> lines.add("lake publish -q -g " + group + " "));
    for (String line : lines) {
      KblakeRun run = other.run((line + fixture.tables()).split(" "));
      assertThat(run.status()).as(line).isEqualTo(1);
      assertThat(run.err()).as(line).contains("location belongs to another archive");
    }
    assertThat(withoutLock(FileTreeState.of(fixture.tables()))).isEqualTo(before);
  }

  /** Its data files would go to the directory before. */
  @Test
  void movedTablesAreReported() throws Exception {
    fixture.succeed("lake publish tables");
    Files.move(fixture.tables(), directory.resolve("moved"));
    for (String command : List.of("publish -q", "verify", "drop --before 2200-01-01", "sql")) {
      KblakeRun run = fixture.run(("lake " + command + " moved").split(" "));
      assertThat(run.status()).as(command).isEqualTo(1);
      assertThat(run.err())
          .as(command)
          .contains("table was moved: table=", "move it back, or publish to")
          .hasLineCount(1);
    }
    Files.move(directory.resolve("moved"), fixture.tables());
    Files.createSymbolicLink(directory.resolve("link"), fixture.tables());
    assertThat(fixture.succeed("lake publish link")).containsPattern("snapshots +0\n");
  }

  /**
   * A kill between a commit and the file that names its version. The file is replaced, so that
   * nobody reads one that is half written.
   */
  @Test
  void theNextPublishNamesThePresentVersion() throws Exception {
    fixture.succeed("lake publish tables");
    List<Path> present =
        metadata().stream().filter(file -> file.endsWith("v2.metadata.json")).toList();
    assertThat(present).isNotEmpty();
    List<InputStream> opened = new ArrayList<>();
    for (Path file : present) {
      Path hint = file.resolveSibling("version-hint.text");
      assertThat(hint).hasContent("2");
      Files.writeString(hint, "1");
      Files.writeString(file.resolveSibling("../data/unfinished"), "publish");
      opened.add(Files.newInputStream(hint));
    }
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
    for (Path file : present) {
      assertThat(file.resolveSibling("version-hint.text")).hasContent("2");
    }
    for (InputStream before : opened) {
      try (before) {
        assertThat(before).hasContent("1");
      }
    }
  }

  /** A kill while the table is made. */
  @Test
  void metadataOfATableThatWasNotMadeAreRemoved() throws Exception {
    fixture.succeed("lake publish tables");
    List<Path> made = metadata();
    for (Path file : made) {
      if (file.endsWith("v2.metadata.json")) {
        try (Stream<Path> files = Files.list(file.getParent())) {
          for (Path each : files.toList()) {
            Files.delete(each);
          }
        }
        Files.writeString(file.resolveSibling("uuid.metadata.json"), "");
      }
    }
    fixture.succeed("lake publish tables");
    assertThat(metadata()).hasSameElementsAs(made);
  }

  @Test
  void aDamagedBlockDoesNotPreventOthers() throws Exception {
    List<Block> blocks = fixture.blocks();
    Block damaged = blocks.get(0);
    try (Stream<Path> files = Files.list(damaged.directory())) {
      Path file =
          files
              .filter(each -> each.toString().endsWith(".parquet"))
              .filter(each -> !each.endsWith("rollup.parquet"))
              .findFirst()
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length - 20] ^= 1;
      Files.delete(file);
      Files.write(file, bytes);
    }
    KblakeRun run = fixture.run("lake", "publish", "-q", "tables");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains("block is damaged: file=" + damaged.directory(), "it is not published")
        .hasLineCount(1);
    for (Group group : fixture.groups()) {
      if (!group.equals(damaged.group())) {
        assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
      }
    }
  }

  @Test
  void aStoreWithoutBlocksMakesNoTables() throws Exception {
    fixture.discard(fixture.blocks());
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
    assertThat(fixture.succeed("lake publish -g " + fixture.groups().get(0) + " tables"))
        .containsPattern("snapshots +0\n");
    assertThat(metadata()).isEmpty();
  }

  @Test
  void aMissingStoreIsAnErrorInOneLine() {
    KblakeRun run = fixture.run("lake", "publish", "--store", "nowhere", "tables");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("kblake lake publish: not a store").hasLineCount(1);
  }
}
