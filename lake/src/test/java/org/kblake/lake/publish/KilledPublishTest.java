package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ReachableFileUtil;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.DyingFiles;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.fixture.TableRows;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.RowFile;

/** A publisher that is killed leaves each table as before or after, and nothing for good. */
final class KilledPublishTest {

  private static final int KILLS = Seeds.cases(4, 12);

  private static final String PUBLISH =
      "lake publish --property io-impl=" + DyingFiles.class.getName() + " tables";

  @TempDir private Path directory;

  @AfterEach
  void live() {
    DyingFiles.dieAfter(Integer.MAX_VALUE);
  }

  @Test
  void killedAtAnyStepTheTableIsAsBeforeOrAfter() throws Exception {
    long seed = Seeds.one("killedAtAnyStepTheTableIsAsBeforeOrAfter");
    LakeFixture fixture = LakeFixture.inSteps(directory, seed, 6);
    fixture.succeed("lake publish tables");
    Map<String, List<String>> before = rows(fixture);
    fixture.mergeAll();
    fixture.save();
    int steps = 1 << 20;
    DyingFiles.dieAfter(steps);
    fixture.succeed(PUBLISH);
    int needed = steps - DyingFiles.stepsLeft();
    assertThat(needed).isGreaterThan(KILLS);
    SplittableRandom random = new SplittableRandom(seed);
    for (int kill = 0; kill < KILLS; kill++) {
      fixture.restore();
      int survived = random.nextInt(needed);
      DyingFiles.dieAfter(survived);
      fixture.run(PUBLISH.split(" "));
      assertThat(DyingFiles.isDead()).as("killed after %s of %s steps", survived, needed).isTrue();
      DyingFiles.dieAfter(Integer.MAX_VALUE);
      assertThat(rows(fixture)).as("after %s steps", survived).isEqualTo(before);
      fixture.succeed("lake publish tables");
      assertThat(rows(fixture)).isEqualTo(before);
      assertNothingIsLeft(fixture, survived);
      fixture.succeed("lake verify -q tables");
    }
  }

  private static Map<String, List<String>> rows(LakeFixture fixture) throws IOException {
    Map<String, List<String>> rows = new TreeMap<>();
    try (LakeCatalog catalog = fixture.catalog()) {
      for (Group group : catalog.groups()) {
        for (LakeTable table : catalog.tables(group)) {
          rows.put(table.toString(), TableRows.of(table.table(), null));
        }
      }
      for (LakeTable table : catalog.siteTables()) {
        List<String> lines = new ArrayList<>();
        for (DataFile file : table.liveFiles()) {
          RowFile.read(table, file.location()).forEach(row -> lines.add(row.toString()));
        }
        rows.put(table.toString(), lines);
      }
    }
    return rows;
  }

  /** Each file of a location is one that a table needs. */
  private static void assertNothingIsLeft(LakeFixture fixture, int survived) throws IOException {
    Set<String> needed = new HashSet<>(Set.of("kblake-publisher"));
    try (LakeCatalog catalog = fixture.catalog()) {
      List<LakeTable> tables = new ArrayList<>(catalog.siteTables());
      for (Group group : catalog.groups()) {
        tables.addAll(catalog.tables(group));
      }
      for (LakeTable table : tables) {
        Set<String> paths = new HashSet<>();
        for (String file : table.neededFiles()) {
          paths.add(file);
          paths.add(file + ".json");
        }
        paths.addAll(ReachableFileUtil.metadataFileLocations(table.table(), false));
        paths.add(ReachableFileUtil.versionHintLocation(table.table()));
        paths.addAll(ReachableFileUtil.manifestListLocations(table.table()));
        for (Snapshot snapshot : table.table().snapshots()) {
          for (ManifestFile manifest : snapshot.allManifests(table.io())) {
            paths.add(manifest.path());
          }
        }
        paths.forEach(path -> needed.add(path.substring(path.lastIndexOf('/') + 1)));
      }
    }
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .as("after %s steps", survived)
          .isSubsetOf(needed);
    }
  }
}
