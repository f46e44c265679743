package org.kblake.hbase.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.hbase.cell.HFileRows;
import org.kblake.hbase.cluster.ClusterSettings;
import org.kblake.hbase.fixture.Answers;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;

/** Events that were written to files of HBase are read back bit for bit, and become logs again. */
final class FilesRoundTripTest {

  private static final int ARCHIVES = 8;

  private static final List<String> COMPRESSIONS = List.of("none", "gz", "snappy", "lz4", "zstd");

  @TempDir Path directory;

  private KblakeRun kblake(Path archive, String... words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .at(Instant.parse("2026-01-01T00:00:00Z"))
        .leavingAlone(archive)
        .run(words);
  }

  private KblakeRun export(Path archive, String files, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "export",
                "hbase",
                "t",
                "--from",
                "2020-02-20",
                "--to",
                "2020-03-10",
                "--files",
                files));
    words.addAll(List.of(more));
    return kblake(archive, words.toArray(String[]::new));
  }

  @Test
  void importedArchivesHaveTheSameEventsInTheSameOrder() throws Exception {
    Seeds.each("files of HBase", ARCHIVES, this::check);
  }

  private void check(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path archive = directory.resolve("archive" + seed);
    RandomLogs.write(archive, seed);
    String files = "files" + seed;
    KblakeRun exported =
        export(
            archive,
            files,
            "--compression",
            COMPRESSIONS.get(random.nextInt(COMPRESSIONS.size())),
            "--stretch",
            (1 + random.nextInt(60)) + "h",
            "--memory",
            random.nextBoolean() ? "50k" : "1M");
    assertThat(exported.status()).as(exported.err()).isZero();
    requireSameRows(archive, directory.resolve(files));

    Path restored = directory.resolve("restored" + seed);
    KblakeRun imported =
        kblake(archive, "import", "hbase", "t", restored.toString(), "--files", files);
    assertThat(imported.status()).as(imported.err()).isZero();
    Map<Group, List<String>> expected = Answers.ofGroups(archive, RandomLogs.EVERYTHING);
    assertThat(Answers.ofGroups(restored, RandomLogs.EVERYTHING)).isEqualTo(expected);
    // Any range, without strays.
    for (int i = 0; i < 5; i++) {
      long from = RandomLogs.BEGIN_NANOS + random.nextLong(-1L << 40, 1L << 46);
      TimeRange range = new TimeRange(from, from + random.nextLong(1L << 44));
      assertThat(withoutStrays(Answers.ofGroups(restored, range)))
          .isEqualTo(withoutStrays(Answers.ofGroups(archive, range)));
    }
  }

  private static Map<Group, List<String>> withoutStrays(Map<Group, List<String>> answers) {
    Map<Group, List<String>> usual = new TreeMap<>();
    answers.forEach(
        (group, lines) ->
            usual.put(group, lines.stream().filter(line -> !line.contains(" 1 ")).toList()));
    return usual;
  }

  /** HBase's own reader returns as many rows as the archive has events, sorted, each once. */
  private static void requireSameRows(Path archive, Path files) throws Exception {
    Configuration configuration = ClusterSettings.local();
    Map<String, String> rows = new TreeMap<>();
    for (org.apache.hadoop.fs.Path each :
        HFileRows.files(new org.apache.hadoop.fs.Path(files.toUri()), configuration)) {
      byte[][] last = {new byte[0]};
      HFileRows.read(
          each,
          configuration,
          (row, value) -> {
            assertThat(Bytes.compareTo(last[0], row)).isNegative();
            last[0] = row;
            EventKey key = EventKey.of(row);
            assertThat(key.row()).isEqualTo(row);
            assertThat(EventValue.of(value, row).elements()).isNotNegative();
            String cell = rows.put(Bytes.toStringBinary(row), Bytes.toStringBinary(value));
            assertThat(cell).isIn(null, Bytes.toStringBinary(value));
          });
    }
    long events =
        Answers.ofGroups(archive, RandomLogs.EVERYTHING).values().stream()
            .mapToLong(List::size)
            .sum();
    assertThat(rows).hasSize((int) events);
  }

  @Test
  void aSecondExportWritesOnlyWhatIsNew() throws Exception {
    Path archive = directory.resolve("archive");
    RandomLogs.write(archive, 1);
    assertThat(export(archive, "files").status()).isZero();
    Path files = directory.resolve("files");
    Map<String, Long> before = modified(files);
    KblakeRun again = export(archive, "files");
    assertThat(again.err()).contains("; 0 stretches written, ");
    assertThat(modified(files)).isEqualTo(before);
    // A run that was killed between a file and its note leaves no note.
    Path note = files(files.resolve("_stretches")).get(0);
    Files.delete(note);
    assertThat(export(archive, "files").err()).contains("; 1 stretches written, ");
    assertThat(modified(files).keySet()).isEqualTo(before.keySet());
    requireSameRows(archive, files);
  }

  private static Map<String, Long> modified(Path root) throws IOException {
    Map<String, Long> modified = new TreeMap<>();
    for (Path each : files(root)) {
      modified.put(root.relativize(each).toString(), Files.getLastModifiedTime(each).toMillis());
    }
    return modified;
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void anIncompleteExportSaysSo() throws Exception {
    Path archive = directory.resolve("archive");
    RandomLogs.write(archive, 2);
    Path log = archive.resolve("VA/CCG_20200229000000.log2");
    byte[] bytes = Files.readAllBytes(log);
    Arrays.fill(bytes, bytes.length / 3, bytes.length / 3 + 40, (byte) 0x7F);
    Files.write(log, bytes);
    Files.setLastModifiedTime(log, FileTime.from(Instant.parse("2020-04-01T00:00:00Z")));
    KblakeRun exported = export(archive, "files");
    assertThat(exported.status()).isEqualTo(3);
    assertThat(exported.err()).contains("kblake export hbase: incomplete: ").contains("VA/CCG");
  }

  /** The store shows only that a log became shorter. */
  @Test
  void rawLogsAreExportedWithoutAStoreOfTheirSettings() throws Exception {
    Path archive = directory.resolve("archive");
    RandomLogs.write(archive, 4);
    Path store = directory.resolve("store");
    assertThat(kblake(archive, "backfill", "-q", "--store", "store").status()).isIn(0, 3);
    Mirror.make(store, directory.resolve("mirror"));
    String[] raw = {"--store", "store", "--source", "raw", "--zone", "UTC"};
    KblakeRun exported = export(archive, "files", raw);
    assertThat(exported.status()).as(exported.err()).isZero();
    assertThat(exported.err()).doesNotContain("store");
    Files.writeString(store.resolve("kblake-store.properties"), "wrong");
    KblakeRun damaged = export(archive, "others", raw);
    assertThat(damaged.status()).as(damaged.err()).isZero();
    assertThat(damaged.err()).contains("store cannot be used, raw logs are read: ");
  }

  @Test
  void helpFitsATerminal() {
    for (String command : List.of("export", "import")) {
      KblakeRun help = kblake(directory, command, "hbase", "--help");
      assertThat(help.status()).isZero();
      assertThat(help.out().lines()).hasSizeGreaterThan(20).allMatch(line -> line.length() <= 80);
    }
  }

  @Test
  void mistakesAreOneLine() throws Exception {
    Path archive = directory.resolve("archive");
    RandomLogs.write(archive, 3);
    assertThat(export(archive, "files", "NO:SUCH").err())
        .startsWith("kblake export hbase: no such channel: NO:SUCH")
        .hasLineCount(1);
    assertThat(directory.resolve("files")).doesNotExist();
    assertThat(kblake(archive, "export", "hbase", "t", "--from", "2020-02-28").err())
        .contains("name the cluster: --hbase-config DIR or --zookeeper HOSTS");
    assertThat(kblake(archive, "export", "hbase", "t", "--files", "f").err())
        .contains("give --from");
    assertThat(kblake(archive, "import", "hbase", "t", archive.toString(), "--files", "f").err())
        .startsWith("kblake import hbase: not empty: " + archive)
        .hasLineCount(1);
    assertThat(kblake(archive, "import", "hbase", "t", "new", "--files", "none").err())
        .startsWith("kblake import hbase: no files of kblake export hbase --files: ")
        .endsWith("/none\n");
    assertThat(export(archive, "files", "--regions", "3").err()).contains("leave out --regions");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(directory.resolve("new.import")).doesNotExist();
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(export(archive, "file/below").err())
        .startsWith("kblake export hbase: ")
        .contains(file.toString())
        .hasLineCount(1);
  }
}
