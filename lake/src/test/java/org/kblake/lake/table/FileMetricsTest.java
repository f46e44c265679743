package org.kblake.lake.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.parquet.ParquetUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;

/** Manifests state what Iceberg's own reader of footers finds. */
final class FileMetricsTest {

  @TempDir private Path directory;

  @Test
  void countsAndBoundsAreThoseOfTheLibrary() throws Exception {
    LakeFixture fixture =
        LakeFixture.of(directory, Seeds.one("countsAndBoundsAreThoseOfTheLibrary"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish tables");
    int compared = 0;
    try (LakeCatalog catalog = fixture.catalog()) {
      for (Group group : catalog.groups()) {
        for (LakeTable each : catalog.tables(group)) {
          Table table = each.table();
          try (CloseableIterable<FileScanTask> tasks =
              table.newScan().includeColumnStats().planFiles()) {
            for (FileScanTask task : tasks) {
              compare(table, task.file());
              compared++;
            }
          }
        }
      }
    }
    assertThat(compared).isPositive();
  }

  private static void compare(Table table, DataFile file) {
    Metrics expected =
        ParquetUtil.fileMetrics(
            table.io().newInputFile(file.location()),
            MetricsConfig.forTable(table),
            MappingUtil.create(table.schema()));
    assertThat(file.recordCount()).isEqualTo(expected.recordCount());
    int list = EventColumn.count() + 1;
    int value = TableSchema.id(EventColumn.VALUE);
    for (int id = 1; id < list; id++) {
      assertThat(file.lowerBounds().get(id)).isEqualTo(expected.lowerBounds().get(id));
      assertThat(file.upperBounds().get(id)).isEqualTo(expected.upperBounds().get(id));
      if (id != value || expected.valueCounts().containsKey(value)) {
        assertThat(file.valueCounts()).containsEntry(id, expected.valueCounts().get(id));
        assertThat(file.nullValueCounts()).containsEntry(id, expected.nullValueCounts().get(id));
      }
    }
    assertThat(file.lowerBounds()).containsKeys(1, 2);
    assertThat(file.splitOffsets()).isNotEmpty().isSorted();
  }

  /** A query of one channel, or of a time, reads only files that may have it. */
  @Test
  void filesAreFoundByChannelAndTime() throws Exception {
    LakeFixture fixture = LakeFixture.of(directory, Seeds.one("filesAreFoundByChannelAndTime"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish tables");
    try (LakeCatalog catalog = fixture.catalog()) {
      for (Group group : catalog.groups()) {
        for (LakeTable table : catalog.tables(group)) {
          for (var none :
              List.of(
                  Expressions.greaterThan("channel", "\uffff"),
                  Expressions.lessThan("time", Long.MIN_VALUE + 1))) {
            try (CloseableIterable<FileScanTask> tasks =
                table.table().newScan().filter(none).planFiles()) {
              assertThat(tasks).isEmpty();
            }
          }
        }
      }
    }
  }
}
