package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;

/** Tables in which another program wrote, and files that tables share with the store. */
final class ForeignChangeTest {

  @TempDir private Path directory;

  private LakeFixture fixture;

  @BeforeEach
  void tables() throws Exception {
    fixture = LakeFixture.small(directory, Seeds.one("ForeignChangeTest"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish tables");
  }

  @FunctionalInterface
  private interface Change {
    void run(Table table) throws Exception;
  }

  private void change(Change change) throws Exception {
    try (LakeCatalog catalog = fixture.catalog()) {
      LakeTable table = catalog.tables(fixture.groups().get(0)).get(0);
      change.run(table.table());
    }
  }

  private void assertRefused() throws Exception {
    change(
        table -> {
          int snapshots = snapshots(table);
          for (String command : List.of("publish", "drop --before 2200-01-01")) {
            KblakeRun run = fixture.run(("lake " + command + " -q tables").split(" "));
            assertThat(run.status()).as(command).isEqualTo(3);
            assertThat(run.err())
                .contains("another program changed rows of a table: table=" + table.name());
          }
          assertThat(fixture.run("lake", "verify", "-q", "tables").status()).isEqualTo(1);
          table.refresh();
          assertThat(snapshots(table)).isEqualTo(snapshots);
        });
  }

  private static int snapshots(Table table) {
    int count = 0;
    for (Object each : table.snapshots()) {
      count += each == null ? 0 : 1;
    }
    return count;
  }

  /** The snapshot before it is the last one with the rows of the archive. */
  @Test
  void rowsOfAnotherProgramAreNamedAndNoSnapshotIsForgotten() throws Exception {
    change(
        table -> {
          long last = table.currentSnapshot().snapshotId();
          DataFile file =
              DataFiles.builder(table.spec())
                  .withPath(table.location() + "/data/00000-1-other.parquet")
                  .withFileSizeInBytes(10)
                  .withRecordCount(1)
                  .build();
          table.newAppend().appendFile(file).commit();
          assertRefused();
          assertThat(fixture.run("lake", "publish", "tables").err())
              .contains("roll the table back to snapshot " + last + ", the last of kblake");
          table.manageSnapshots().rollbackTo(last).commit();
        });
    fixture.succeed("lake publish tables");
    fixture.succeed("lake drop --before 2200-01-01 tables");
    fixture.succeed("lake verify -q tables");
  }

  @Test
  void rowsThatAnotherProgramRemovedAreNoticed() throws Exception {
    change(table -> table.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit());
    assertRefused();
  }

  /** Snapshots of an older version may be behind it. */
  @Test
  void filesOfAnotherProgramBehindASnapshotOfKblakeAreNamed() throws Exception {
    change(
        table -> {
          DataFile file =
              DataFiles.builder(table.spec())
                  .withPath(table.location() + "/data/00000-1-other.parquet")
                  .withFileSizeInBytes(10)
                  .withRecordCount(1)
                  .build();
          table.newAppend().appendFile(file).set(LakeTable.VERSION, "1").commit();
        });
    assertRefused();
  }

  @Test
  void manifestsThatAnotherProgramRewroteDoNotMatter() throws Exception {
    change(table -> table.rewriteManifests().clusterBy(file -> "all").commit());
    fixture.succeed("lake publish tables");
    fixture.succeed("lake verify -q tables");
    fixture.succeed("lake drop --before 2200-01-01 tables");
  }

  /** They are the files of the store. What writes to one would change both. */
  @Test
  void sharedFilesAreReadOnly() throws Exception {
    int shared = 0;
    for (Path root : List.of(fixture.tables(), fixture.store())) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".parquet")).toList()) {
          if ((int) Files.getAttribute(file, "unix:nlink") > 1) {
            assertThat(Files.getPosixFilePermissions(file))
                .as(file.toString())
                .contains(PosixFilePermission.OWNER_READ)
                .doesNotContainAnyElementsOf(
                    Set.of(
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.GROUP_WRITE,
                        PosixFilePermission.OTHERS_WRITE));
            shared++;
          }
        }
      }
    }
    assertThat(shared).isPositive();
    fixture.mergeAll();
    fixture.succeed("verify -q --no-archive");
    fixture.discard(fixture.blocks());
    fixture.succeed("lake verify -q tables");
  }
}
