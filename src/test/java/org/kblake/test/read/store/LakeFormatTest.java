package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.test.fixture.TestStores;

/**
 * Apache Iceberg in Spark reads neither annotated integers nor strays in RLE. Stores of the profile
 * lake that were made before have both, and readers of format 1 read nothing else.
 */
final class LakeFormatTest {

  private static final ParquetReadOptions OPTIONS =
      ParquetReadOptions.builder(new PlainParquetConfiguration()).build();

  @TempDir Path directory;

  @Test
  void aNewLakeStoreNeedsAReaderOfFormatTwo() throws Exception {
    Path root = TestStores.sample("tiny-le", directory.resolve("archive"));
    Path store = directory.resolve("store");
    backfill(root, store);
    StoreIdentity identity = StoreIdentity.read(store);
    assertThat(identity.formatVersion()).isEqualTo(2);
    assertThat(identity.oldestReader()).isEqualTo(2);
    for (ParquetMetadata footer : footers(store)) {
      assertThat(footer.getFileMetaData().getSchema().getName()).startsWith("event_");
      assertThat(annotations(footer).values()).containsOnlyNulls();
      assertThat(encodings(footer, "stray")).contains(Encoding.PLAIN);
    }
    assertThat(TestStores.verify(Archive.open(root, ArchiveSettings.defaults()), store)).isEmpty();
  }

  @Test
  void aStandardStoreStaysReadableForReadersOfFormatOne() throws Exception {
    Path root = TestStores.sample("tiny-le", directory.resolve("archive"));
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    assertThat(StoreIdentity.read(store).oldestReader()).isEqualTo(1);
  }

  @Test
  void blocksAddedToALakeStoreOfFormatOneHaveItsForm() throws Exception {
    Path root = TestStores.sample("tiny-le", directory.resolve("archive"));
    Path store = TestStores.kept("v1/tiny-le", root, directory.resolve("store"));
    List<Map<String, String>> before = annotationsOfAll(store);
    try (Store opened = Store.openForWriting(store, StoreIdentity.read(store))) {
      for (var group : opened.groups()) {
        for (var block : opened.blocks(group, problem -> {})) {
          opened.discard(block);
        }
      }
    }
    backfill(root, store);
    assertThat(StoreIdentity.read(store).formatVersion()).isEqualTo(1);
    assertThat(annotationsOfAll(store)).isNotEmpty().allMatch(before::contains);
    for (ParquetMetadata footer : footers(store)) {
      assertThat(footer.getFileMetaData().getSchema().getName()).isEqualTo("event");
      assertThat(encodings(footer, "stray")).doesNotContain(Encoding.PLAIN);
    }
    assertThat(TestStores.verify(Archive.open(root, ArchiveSettings.defaults()), store)).isEmpty();
  }

  private static void backfill(Path root, Path directory) throws Exception {
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    StoreIdentity identity =
        StoreIdentity.of(
            root,
            archive.settings().zone().getId(),
            archive.settings().disorderBoundNanos(),
            "kekblog",
            "lake");
    try (Store store = Store.openForWriting(directory, identity)) {
      BackfillSettings settings =
          new BackfillSettings(
              List.of(),
              TimeRange.ALL,
              2,
              BackfillSettings.MIN_MEMORY_BYTES,
              0,
              new WriteProfile(Codec.ZSTD, true));
      new Backfill(archive, store, settings, new TestStores.Quiet()).run();
    }
  }

  private static List<Map<String, String>> annotationsOfAll(Path store) throws IOException {
    return footers(store).stream().map(LakeFormatTest::annotations).distinct().toList();
  }

  /** Returns the annotations of the columns of integers; null for none. */
  private static Map<String, String> annotations(ParquetMetadata footer) {
    Map<String, String> all = new HashMap<>();
    for (Type column : footer.getFileMetaData().getSchema().getFields()) {
      if (column.isPrimitive() && !column.getName().equals("channel")) {
        var annotation = column.getLogicalTypeAnnotation();
        boolean text = annotation != null && annotation.toString().equals("STRING");
        all.put(column.getName(), annotation == null || text ? null : annotation.toString());
      }
    }
    return all;
  }

  private static List<Encoding> encodings(ParquetMetadata footer, String column) {
    return footer.getBlocks().stream()
        .map(BlockMetaData::getColumns)
        .flatMap(List::stream)
        .filter(chunk -> chunk.getPath().toDotString().equals(column))
        .map(ColumnChunkMetaData::getEncodings)
        .flatMap(Set::stream)
        .toList();
  }

  private static List<ParquetMetadata> footers(Path store) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(store)) {
      files =
          all.filter(file -> file.toString().endsWith(".parquet"))
              .filter(file -> !file.endsWith("rollup.parquet"))
              .filter(file -> !file.startsWith(store.resolve("trash")))
              .toList();
    }
    List<ParquetMetadata> footers = new ArrayList<>();
    for (Path file : files) {
      try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), OPTIONS)) {
        footers.add(reader.getFooter());
      }
    }
    return footers;
  }
}
