package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.Provenance;
import org.kblake.test.fixture.TestStores;

/** Tables have the events of the archive, bit for bit, at every snapshot. */
final class PublishTest {

  @TempDir private Path directory;

  @Test
  void rowsAreTheEventsOfTheArchive() throws Exception {
    Seeds.each(
        "rowsAreTheEventsOfTheArchive",
        1,
        seed -> {
          LakeFixture fixture = LakeFixture.of(directory.resolve("all" + seed), seed);
          for (String profile : List.of("standard", "lake")) {
            String store = "--store " + profile + " ";
            fixture.backfill("--profile " + profile + " " + store);
            fixture.succeed("lake publish " + store + "tables-" + profile);
            for (Group group : fixture.groups()) {
              assertThat(fixture.rows("tables-" + profile, group)).isEqualTo(fixture.events(group));
            }
          }
        });
  }

  /** The steps of a store over time: sealing, merging, evicting, writing evicted blocks again. */
  @Test
  void eachSnapshotKeepsItsRows() throws Exception {
    Seeds.each(
        "eachSnapshotKeepsItsRows",
        1,
        seed -> {
          LakeFixture fixture = LakeFixture.of(directory.resolve("steps" + seed), seed);
          TestStores.backfillInSteps(
              fixture.archive(), fixture.store(), 6, new SplittableRandom(seed));
          List<Block> all = fixture.blocks();
          Map<String, List<String>> kept = new HashMap<>();
          publishAndCompare(fixture, all, kept);
          fixture.mergeAll();
          publishAndCompare(fixture, all, kept);
          Block evicted = fixture.blocks().get(0);
          fixture.discard(List.of(evicted));
          publishAndCompare(fixture, all, kept);
          TestStores.backfill(fixture.archive(), fixture.store());
          publishAndCompare(fixture, all, kept);
        });
  }

  private static void publishAndCompare(
      LakeFixture fixture, List<Block> all, Map<String, List<String>> kept) throws IOException {
    fixture.succeed("lake publish tables");
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group, all));
    }
    Map<String, List<String>> now = fixture.rowsOfSnapshots();
    assertThat(now).containsAllEntriesOf(kept);
    kept.putAll(now);
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
    assertThat(fixture.rowsOfSnapshots()).isEqualTo(now);
  }

  /** One file for each block. Its provenance tells the block, and the bytes of the log. */
  @Test
  void filesOfAStandardStoreAreWrittenAgainAndTellTheirOrigin() throws Exception {
    LakeFixture fixture =
        LakeFixture.inSteps(
            directory, Seeds.one("filesOfAStandardStoreAreWrittenAgainAndTellTheirOrigin"), 4);
    fixture.succeed("lake publish tables");
    Map<String, Block> blocks = new HashMap<>();
    fixture
        .blocks()
        .forEach(block -> blocks.put(String.valueOf(block.directory().getFileName()), block));
    int files = 0;
    try (LakeCatalog catalog = fixture.catalog()) {
      for (LakeTable table : catalog.tables(fixture.groups().get(0))) {
        assertThat(table.table().spec().isUnpartitioned()).isTrue();
        Set<String> known = new HashSet<>();
        for (DataFile file : table.liveFiles()) {
          Path path = Path.of(URI.create(file.location()).getPath());
          Provenance provenance = table.provenance(file.location());
          Block block = Objects.requireNonNull(blocks.get(provenance.block()));
          assertThat(known.add(provenance.block())).isTrue();
          assertThat(provenance.rewritten()).isTrue();
          assertThat(provenance.archive()).isEqualTo(fixture.directory() + "/archive");
          assertThat(provenance.group()).isEqualTo(block.group().toString());
          assertThat(provenance.logSpans()).isEqualTo(block.spans());
          assertThat((Integer) Files.getAttribute(path, "unix:nlink")).isEqualTo(1);
          try (FileByteSource bytes = new FileByteSource(path)) {
            Map<String, String> pairs = new HashMap<>();
            FileFooter.read(bytes)
                .metaData()
                .getKey_value_metadata()
                .forEach(pair -> pairs.put(pair.getKey(), pair.getValue()));
            assertThat(pairs)
                .containsEntry("kblake.archive", provenance.archive())
                .containsEntry("kblake.block", provenance.block())
                .containsEntry("kblake.source.sha256", provenance.source().sha256())
                .containsEntry(
                    "kblake.stretches",
                    block.spans().stream()
                        .map(s -> s.stamp() + ":" + s.fromOffset() + "-" + s.toOffset())
                        .collect(Collectors.joining(" ")));
          }
          files++;
        }
      }
    }
    assertThat(files).isGreaterThan(1);
  }

  /** Not all engines read LZ4. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 4 s of a processor")
  @Test
  void filesOfAnotherCompressionAreWrittenAgainOnRequest() throws Exception {
    LakeFixture fixture = LakeFixture.of(directory, Seeds.one("tablesOwnTheirFiles"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish --codec zstd tables");
    int files = 0;
    try (LakeCatalog catalog = fixture.catalog()) {
      for (Group group : catalog.groups()) {
        for (LakeTable table : catalog.tables(group)) {
          for (DataFile file : table.liveFiles()) {
            Path path = Path.of(URI.create(file.location()).getPath());
            try (FileByteSource bytes = new FileByteSource(path)) {
              for (RowGroup rows : FileFooter.read(bytes).metaData().getRow_groups()) {
                assertThat(rows.getColumns())
                    .extracting(column -> column.getMeta_data().getCodec())
                    .isSubsetOf(CompressionCodec.ZSTD, CompressionCodec.UNCOMPRESSED)
                    .contains(CompressionCodec.ZSTD);
              }
            }
            files++;
          }
        }
      }
    }
    assertThat(files).isPositive();
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
    fixture.succeed("lake verify -q tables");
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
  }

  /** Engines that do not find columns by name need the ids that the table has. */
  @Test
  void columnsHaveTheIdsOfTheTableOnRequest() throws Exception {
    LakeFixture fixture = LakeFixture.of(directory, Seeds.one("columnsHaveIds"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish --field-ids tables");
    int files = 0;
    try (LakeCatalog catalog = fixture.catalog()) {
      for (Group group : catalog.groups()) {
        for (LakeTable table : catalog.tables(group)) {
          for (DataFile file : table.liveFiles()) {
            Path path = Path.of(URI.create(file.location()).getPath());
            try (FileByteSource bytes = new FileByteSource(path)) {
              for (SchemaElement element : FileFooter.read(bytes).metaData().getSchema()) {
                String name = element.getName();
                if (!name.startsWith("event") && !name.equals("list")) {
                  String column = name.equals("element") ? "value.element" : name;
                  assertThat(element.getField_id())
                      .isEqualTo(table.table().schema().findField(column).fieldId());
                }
              }
            }
            files++;
          }
        }
      }
    }
    assertThat(files).isPositive();
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
    fixture.succeed("lake verify -q tables");
    assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
  }

  /** An engine would find no file of an evicted block if paths led into the store. */
  @Test
  void tablesOwnTheirFiles() throws Exception {
    LakeFixture fixture = LakeFixture.of(directory, Seeds.one("tablesOwnTheirFiles"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish tables");
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      List<Path> data =
          files
              .filter(file -> file.toString().endsWith(".parquet"))
              .filter(file -> !file.startsWith(fixture.tables().resolve("kblake")))
              .toList();
      assertThat(data).isNotEmpty();
      for (Path file : data) {
        assertThat((Integer) Files.getAttribute(file, "unix:nlink")).as("%s", file).isEqualTo(2);
      }
    }
    try (Stream<Path> files = Files.walk(fixture.store())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
  }
}
