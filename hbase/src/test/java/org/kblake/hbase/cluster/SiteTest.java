package org.kblake.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.hbase.fixture.Answers;
import org.kblake.hbase.fixture.Hdfs;
import org.kblake.hbase.fixture.MiniCluster;

/** The usual set-up of a site: HBase on HDFS, and a directory with the files of its clients. */
@Tag("cluster")
final class SiteTest {

  private static final int STOPPED = 130;

  @TempDir private static Path directory;

  private KblakeRun run(Path archive, String... words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .at(Instant.parse("2026-01-01T00:00:00Z"))
        .run(words);
  }

  private void requireVerified(Path archive, String table, String from, String to) {
    List<String> words = new ArrayList<>(List.of("export", "hbase", table, "--verify"));
    words.addAll(List.of("--from", from, "--to", to, "--hbase-config", "conf"));
    KblakeRun verified = run(archive, words.toArray(String[]::new));
    assertThat(verified.err())
        .contains(
            " events are equal, 0 are missing from the table, 0 are only in the table, 0 have");
    assertThat(verified.status()).isZero();
  }

  @Test
  void aTableOnHdfsIsExportedAndImported() throws Exception {
    Path archive = directory.resolve("archive");
    RandomLogs.write(archive, 1);
    Path conf = Files.createDirectory(directory.resolve("conf"));
    try (Hdfs hdfs = new Hdfs(Files.createDirectory(directory.resolve("hdfs")));
        MiniCluster cluster =
            new MiniCluster(Files.createDirectory(directory.resolve("cluster")), hdfs.uri())) {
      cluster.writeSite(conf);
      exportAndImport(archive, hdfs);
      stopAndGoOn();
      loadFiles(archive, hdfs);
    }
  }

  /** Without {@code --staging} the files go to HDFS, and HBase moves them from there. */
  private void exportAndImport(Path archive, Hdfs hdfs) throws Exception {
    KblakeRun exported =
        run(
            archive,
            "export",
            "hbase",
            "site",
            "--from",
            "2020-02-20",
            "--to",
            "2020-03-10",
            "--hbase-config",
            "conf");
    assertThat(exported.status()).as(exported.err()).isZero();
    try (FileSystem files = files(hdfs)) {
      assertThat(files.listStatus(new org.apache.hadoop.fs.Path("/tmp/kblake-staging"))).isEmpty();
    }
    requireVerified(archive, "site", "2020-02-20", "2020-03-10");
    KblakeRun imported =
        run(archive, "import", "hbase", "site", "restored", "--hbase-config", "conf");
    assertThat(imported.status()).as(imported.err()).isZero();
    assertThat(Answers.ofGroups(directory.resolve("restored"), RandomLogs.EVERYTHING))
        .isEqualTo(Answers.ofGroups(archive, RandomLogs.EVERYTHING));
  }

  private static FileSystem files(Hdfs hdfs) throws Exception {
    return FileSystem.newInstance(URI.create(hdfs.uri()), new Configuration());
  }

  /** Ctrl-C closes HDFS while files are written. The user learns of the stop, and not of this. */
  private void stopAndGoOn() throws Exception {
    Path simulated = directory.resolve("simulated");
    assertThat(run(simulated, "simulate", "--days", "0.1", simulated.toString()).status()).isZero();
    List<String> words =
        new ArrayList<>(List.of("export", "hbase", "stopped", "--from", "2024-05-20"));
    words.addAll(List.of("--to", "2024-05-21", "--stretch", "20m", "--hbase-config", "conf"));
    try (KblakeProcess process = KblakeProcess.start(directory, simulated, words)) {
      process.awaiting(() -> process.output().contains("export: ")).end("INT");
      assertThat(process.status()).as(process.output()).isEqualTo(STOPPED);
      assertThat(process.output())
          .contains(" events are done; the same command again continues there");
    }
    KblakeRun completed = run(simulated, words.toArray(String[]::new));
    assertThat(completed.status()).as(completed.err()).isZero();
    requireVerified(simulated, "stopped", "2024-05-20", "2024-05-21");
  }

  /** The way of docs/hbase.md without {@code kblake} on the cluster. */
  private void loadFiles(Path archive, Hdfs hdfs) throws Exception {
    assertThat(
            run(
                    archive,
                    "export",
                    "hbase",
                    "t",
                    "--from",
                    "2020-02-20",
                    "--to",
                    "2020-03-10",
                    "--files",
                    "hfiles")
                .status())
        .isZero();
    // A kill leaves a part of a file, which is not loaded.
    Files.write(
        Files.createDirectory(directory.resolve("hfiles/_writing")).resolve("part"), new byte[100]);
    org.apache.hadoop.fs.Path place = new org.apache.hadoop.fs.Path("/tmp/hfiles");
    try (FileSystem files = files(hdfs)) {
      files.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(directory.resolve("hfiles").toUri()), place);
    }
    ClusterSettings site =
        new ClusterSettings(null, directory.resolve("conf"), Duration.ofSeconds(60));
    try (Cluster opened = Cluster.open(site)) {
      ClusterTable table = opened.table("loaded");
      table.create(null, List.of());
      table.load(place);
    }
    requireVerified(archive, "loaded", "2020-02-20", "2020-03-10");
  }
}
