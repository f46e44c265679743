package org.kblake.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.hbase.fixture.Answers;
import org.kblake.hbase.fixture.MiniCluster;

/**
 * Exports to a table and imports from it are stopped or killed, or lose servers of HBase. A user
 * learns of it in time, and the repetition completes.
 */
@Tag("cluster")
final class LostServersTest {

  private static final long TIMEOUT_SECONDS = 10;
  private static final int STOPPED = 130;
  private static final int KILLED = 137;

  @TempDir private static Path shared;

  private static Path archive = Path.of("");
  private static MiniCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = new MiniCluster(Files.createDirectory(shared.resolve("cluster")));
    archive = shared.resolve("archive");
    KblakeRun simulated = KblakeRun.in(shared).run("simulate", "--days", "0.2", archive.toString());
    assertThat(simulated.status()).as(simulated.err()).isZero();
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  private List<String> export(String table, String... more) {
    List<String> words = new ArrayList<>(List.of("export", "hbase", table));
    words.addAll(List.of("--from", "2024-05-20T00:00", "--to", "2024-05-20T05:00"));
    words.addAll(List.of("--stretch", "1h", "--regions", "4"));
    words.addAll(List.of("--staging", directory.resolve("staging").toString()));
    words.addAll(List.of("--zookeeper", cluster.hosts(), "--timeout", TIMEOUT_SECONDS + "s"));
    words.addAll(List.of(more));
    return words;
  }

  private List<String> restore(String table) {
    List<String> words = new ArrayList<>(List.of("import", "hbase", table, "restored"));
    words.addAll(List.of("--zookeeper", cluster.hosts(), "--timeout", TIMEOUT_SECONDS + "s"));
    return words;
  }

  private KblakeRun run(List<String> words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .run(words.toArray(String[]::new));
  }

  private void requireVerified(String table) {
    KblakeRun verified = run(export(table, "--verify"));
    assertThat(verified.err())
        .contains(
            " events are equal, 0 are missing from the table, 0 are only in the table, 0 have");
    assertThat(verified.status()).isZero();
  }

  private static boolean has(String table) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.tableExists(TableName.valueOf(table));
    }
  }

  /** Waits until at least a batch is in the table. */
  private KblakeProcess startExport(String table) throws Exception {
    return KblakeProcess.start(directory, archive, export(table))
        .awaiting(() -> has(table) && cluster.hasRows(table));
  }

  @Test
  void stoppedExportsAndImportsAreCompletedByTheNext() throws Exception {
    for (String signal : List.of("INT", "KILL")) {
      try (KblakeProcess process = startExport("stopped")) {
        int status = process.end(signal);
        assertThat(status).as(process.output()).isEqualTo(signal.equals("INT") ? STOPPED : KILLED);
        if (signal.equals("INT")) {
          assertThat(process.output())
              .contains(" events are done; the same command again continues there");
        }
      }
    }
    KblakeRun completed = run(export("stopped"));
    assertThat(completed.status()).as(completed.err()).isZero();
    requireVerified("stopped");
    assertThat(directory.resolve("staging")).isEmptyDirectory();

    Path sorting = directory.resolve("restored.import/sorting/unsorted");
    for (String signal : List.of("INT", "KILL")) {
      try (KblakeProcess process =
          KblakeProcess.start(directory, archive, restore("stopped"))
              .awaiting(() -> Files.exists(sorting))) {
        int status = process.end(signal);
        assertThat(status).as(process.output()).isEqualTo(signal.equals("INT") ? STOPPED : KILLED);
        assertThat(directory.resolve("restored")).as(signal + process.output()).doesNotExist();
      }
    }
    requireSame("stopped");
  }

  private void requireSame(String table) throws IOException {
    KblakeRun imported = run(restore(table));
    assertThat(imported.status()).as(imported.err()).isZero();
    assertThat(directory.resolve("restored.import")).doesNotExist();
    assertThat(Answers.ofGroups(directory.resolve("restored"), RandomLogs.EVERYTHING))
        .isEqualTo(Answers.ofGroups(archive, RandomLogs.EVERYTHING));
  }

  /** HBase moves the regions of a server that died. The export waits for it. */
  @Test
  void aServerThatDiesIsOutlived() throws Exception {
    try (KblakeProcess process = startExport("moved")) {
      cluster.killServerOf("moved");
      assertThat(process.status()).as(process.output()).isZero();
    }
    requireVerified("moved");
  }

  @Test
  void aClusterThatEndsIsReportedInTime() throws Exception {
    try (KblakeProcess process = startExport("ended")) {
      requireReported(process, "export", "the same command again continues there");
    }
    cluster.startAgain();
    KblakeRun completed = run(export("ended"));
    assertThat(completed.status()).as(completed.err()).isZero();
    requireVerified("ended");
    Path sorting = directory.resolve("restored.import/sorting/unsorted");
    try (KblakeProcess process =
        KblakeProcess.start(directory, archive, restore("ended"))
            .awaiting(() -> Files.exists(sorting))) {
      requireReported(process, "import", "nothing is written: the same command begins again");
    }
    assertThat(directory.resolve("restored")).doesNotExist();
    cluster.startAgain();
    requireSame("ended");
  }

  private static void requireReported(KblakeProcess process, String command, String advice)
      throws Exception {
    cluster.shutDown();
    long begin = System.nanoTime();
    assertThat(process.status()).as(process.output()).isEqualTo(1);
    // The limit counts from the call that was not answered. A second one may follow.
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(3 * TIMEOUT_SECONDS));
    List<String> errors =
        process.output().lines().filter(line -> !line.startsWith(command + ": ")).toList();
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0))
        .startsWith("kblake " + command + " hbase: HBase is away: ")
        .contains(" ended failed: ")
        .endsWith("; " + advice);
  }
}
