package org.kblake.hbase.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.cell.HFileRows;
import org.kblake.hbase.cluster.ClusterSettings;
import org.kblake.hbase.fixture.Answers;

/** Ctrl-C and kills of exports to files and of imports from them, as processes of their own. */
final class StoppedFilesTest {

  private static final int STOPPED = 130;
  private static final int KILLED = 137;

  @TempDir private Path directory;

  private static List<String> words(String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command, "hbase", "t"));
    words.addAll(List.of(more));
    return words;
  }

  private static List<String> export(String files) {
    List<String> words = words("export", "--files", files, "--stretch", "1m");
    words.addAll(List.of("--from", "2024-05-20T00:00", "--to", "2024-05-20T01:00"));
    return words;
  }

  private KblakeRun run(Path archive, List<String> words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .run(words.toArray(String[]::new));
  }

  private Path simulated() {
    Path archive = directory.resolve("archive");
    KblakeRun simulated =
        KblakeRun.in(directory).run("simulate", "--days", "0.04", archive.toString());
    assertThat(simulated.status()).as(simulated.err()).isZero();
    return archive;
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Returns the digest of all rows. Each file must be complete. */
  private static String digest(Path files) throws Exception {
    Configuration configuration = ClusterSettings.local();
    CellDigest digest = new CellDigest();
    for (org.apache.hadoop.fs.Path each :
        HFileRows.files(new org.apache.hadoop.fs.Path(files.toUri()), configuration)) {
      HFileRows.read(
          each, configuration, (row, value) -> digest.add(row, row.length, value, 0, value.length));
    }
    return digest.toString();
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 11 s of a processor")
  @Test
  void aStoppedExportIsCompletedByTheNext() throws Exception {
    Path archive = simulated();
    assertThat(run(archive, export("whole")).status()).isZero();
    Path family = directory.resolve("parts/e");
    int before = 0;
    for (String signal : List.of("INT", "KILL")) {
      int present = before;
      try (KblakeProcess process = KblakeProcess.start(directory, archive, export("parts"))) {
        int status = process.awaiting(() -> filesIn(family).size() > present).end(signal);
        assertThat(status).as(process.output()).isEqualTo(signal.equals("INT") ? STOPPED : KILLED);
        if (signal.equals("INT")) {
          assertThat(process.output())
              .containsPattern(
                  "stopped; [0-9,]+ events are done; the same command again continues there");
          assertThat(directory.resolve("parts/_writing")).doesNotExist();
        }
      }
      // Each file that is visible can be read to its end.
      assertThat(digest(directory.resolve("parts"))).isNotEmpty();
      assertThat(filesIn(family)).hasSizeLessThan(filesIn(directory.resolve("whole/e")).size());
      before = filesIn(family).size();
    }
    KblakeRun completed = run(archive, export("parts"));
    assertThat(completed.err()).containsPattern("[1-9][0-9]* stretches written, [1-9]");
    assertThat(completed.status()).isZero();
    assertThat(digest(directory.resolve("parts"))).isEqualTo(digest(directory.resolve("whole")));
    assertThat(directory.resolve("parts/_writing")).doesNotExist();
  }

  @Test
  void aStoppedImportLeavesNothing() throws Exception {
    Path archive = simulated();
    List<String> whole = words("export", "--files", "files", "--from", "2024", "--to", "2025");
    assertThat(run(archive, whole).status()).isZero();
    Path restored = directory.resolve("restored");
    Path work = directory.resolve("restored.import");
    List<String> words = words("import", "restored", "--files", "files");
    for (String signal : List.of("KILL", "INT")) {
      Path sorting = work.resolve("sorting/unsorted");
      Files.deleteIfExists(sorting);
      try (KblakeProcess process = KblakeProcess.start(directory, archive, words)) {
        int status = process.awaiting(() -> Files.exists(sorting)).end(signal);
        assertThat(restored).doesNotExist();
        assertThat(status).as(process.output()).isEqualTo(signal.equals("INT") ? STOPPED : KILLED);
        if (signal.equals("INT")) {
          assertThat(process.output())
              .contains("stopped; nothing is written: the same command begins again");
          assertThat(work).doesNotExist();
        }
      }
    }
    KblakeRun imported = run(archive, words);
    assertThat(imported.status()).as(imported.err()).isZero();
    assertThat(work).doesNotExist();
    assertThat(Answers.ofGroups(restored, RandomLogs.EVERYTHING))
        .isEqualTo(Answers.ofGroups(archive, RandomLogs.EVERYTHING));
  }
}
