package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.CatalogSettings;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.RowFile;
import org.kblake.lake.table.SiteTable;
import org.kblake.lake.table.UnforcedLocalFiles;

/** Tables of many snapshots stay small. */
final class ManySnapshotsTest {

  private static final int GROUPS = 31;
  private static final int MAX_METADATA = 21;

  @TempDir private Path directory;

  private final Map<Group, DataFile> live = new HashMap<>();

  /** Commits a file of a group in place of the one before, as publishing the coverage does. */
  private void commit(LakeTable table, PublishLock lock, Group group, int number) throws Exception {
    MarkedChange.run(
        table,
        lock,
        planned -> {
          DataName name =
              new DataName(
                  new LogPosition("20240520000000", 0),
                  new LogPosition("20240520000000", number + 1),
                  "00000000",
                  "test");
          Record row = GenericRecord.create(SiteTable.COVERAGE.schema());
          row.setField("group", group.toString());
          row.setField("from", 0L);
          row.setField("to", number + 1L);
          row.setField("kind", "in columns");
          String path = table.dataPath(name);
          DataFile file = RowFile.write(table, path, group, into -> into.add(row));
          Map<String, String> summary = Map.of("kblake.version", "test", "kblake.archive", "/test");
          DataFile before = live.put(group, file);
          table.commit(
              planned, before == null ? List.of() : List.of(before), List.of(file), false, summary);
        });
  }

  private static long bytes(Path tree) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static List<Path> metadata(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table.resolve("metadata"))) {
      return files.filter(file -> file.toString().endsWith(".metadata.json")).toList();
    }
  }

  private static int snapshots(LakeTable table) {
    List<Long> ids = new ArrayList<>();
    table.table().snapshots().forEach(snapshot -> ids.add(snapshot.snapshotId()));
    return ids.size();
  }

  /** The long form takes about a minute of computing, so more on a busy machine. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 20 s of a processor")
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void aTableOfManySnapshotsHasLessThanTwentyMebibytes() throws Exception {
    // So many commits would take minutes if they were forced to the disk.
    Map<String, String> unforced = Map.of("fs.file.impl", UnforcedLocalFiles.class.getName());
    String location = directory.resolve("tables").toString();
    try (LakeCatalog catalog =
            LakeCatalog.open(
                new CatalogSettings("hadoop", location, Map.of(), unforced), null, line -> {});
        PublishLock lock = PublishLock.take(catalog, null)) {
      LakeTable table = catalog.create(SiteTable.COVERAGE, "/test", lock);
      int commits = 1000;
      for (int i = 0; i < commits; i++) {
        commit(table, lock, Group.parse("VA/G" + i % GROUPS), i);
        TableDrop.bound(table, lock, LakeFixture.NOW);
      }
      assertThat(table.liveFiles()).hasSize(GROUPS);
      assertThat(snapshots(table)).isBetween(KeptSnapshots.NEWEST, 150);
    }
    assertThat(bytes(directory)).isLessThan(20 << 20);
    assertThat(metadata(directory.resolve("tables/kblake/coverage"))).hasSize(MAX_METADATA);
  }

  /** The table is of a version that kept all metadata. A snapshot has a name. */
  @Test
  void publishingForgetsOldSnapshotsAndDroppingRemovesOldMetadata() throws Exception {
    long seed = Seeds.one("publishingForgetsOldSnapshotsAndDroppingRemovesOldMetadata");
    LakeFixture fixture = LakeFixture.inSteps(directory, seed, 4);
    fixture.succeed("lake publish tables");
    Path place = fixture.tables().resolve("kblake/coverage");
    long named;
    try (LakeCatalog catalog = fixture.catalog();
        PublishLock lock = PublishLock.take(catalog, null)) {
      LakeTable table = Objects.requireNonNull(catalog.find(SiteTable.COVERAGE));
      named = Objects.requireNonNull(table.snapshot());
      table.table().manageSnapshots().createTag("paper", named).commit();
      for (int i = 0; i < KeptSnapshots.NEWEST + KeptSnapshots.BATCH; i++) {
        commit(table, lock, Group.parse("VA/OTHER"), i);
      }
      for (int i = 0; i < 30; i++) {
        UpdateProperties earlier = table.table().updateProperties();
        earlier.remove(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED);
        earlier.set(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, Integer.toString(i + 2));
        earlier.commit();
      }
    }
    assertThat(metadata(place)).hasSizeGreaterThan(MAX_METADATA);
    fixture.mergeAll();
    fixture.succeed("lake publish tables");
    try (LakeCatalog catalog = fixture.catalog()) {
      LakeTable table = Objects.requireNonNull(catalog.find(SiteTable.COVERAGE));
      assertThat(snapshots(table)).isEqualTo(KeptSnapshots.NEWEST + 1);
      assertThat(table.table().snapshot(named)).isNotNull();
      assertThat(table.table().properties())
          .containsEntry(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");
    }
    assertThat(metadata(place)).hasSize(MAX_METADATA);
    Path lost = Files.writeString(place.resolve("metadata/v999-lost.avro"), "");
    fixture.succeed("lake drop --before 2001-01-01 tables");
    assertThat(lost).doesNotExist();
    fixture.succeed("lake verify -q -g " + fixture.groups().get(0) + " tables");
  }

  @Test
  void theNewestTheYoungAndTheLastOfEachDayAreKept() {
    long now = LakeFixture.NOW.toEpochMilli();
    List<KeptSnapshots.Made> all = new ArrayList<>();
    long every = TimeUnit.MINUTES.toMillis(10);
    for (int i = 144 * 200; i > 0; i--) {
      all.add(new KeptSnapshots.Made(i, now - i * every));
    }
    Set<Long> forgotten = KeptSnapshots.forgotten(all, Set.of(20_000L), LakeFixture.NOW);
    List<Long> kept = new ArrayList<>();
    all.forEach(each -> kept.add(each.id()));
    kept.removeAll(forgotten);
    Set<Long> wanted = new HashSet<>(Set.of(20_000L));
    for (long i = 1; i <= KeptSnapshots.NEWEST; i++) {
      wanted.add(i);
    }
    for (long day = 0; day < 90; day++) {
      wanted.add(day * 144 + 1);
    }
    assertThat(kept).containsExactlyInAnyOrderElementsOf(wanted);
    List<KeptSnapshots.Made> young = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      young.add(new KeptSnapshots.Made(i, now - 1000 + i));
    }
    assertThat(KeptSnapshots.forgotten(young, Set.of(), Instant.ofEpochMilli(now))).isEmpty();
  }
}
