package org.kblake.query.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.value;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.question.Source;

/** The descriptions of all pairs of a block are read at once. */
final class RecordTableCacheTest {

  @TempDir private Path directory;

  @Test
  void readsABlockOnce() throws Exception {
    SmallArchive archive = new SmallArchive(directory).pair(0, 2).pair(120, 3).pair(300, 1);
    archive.backfill(TimeRange.ALL);
    List<StoredSpan> spans = spans(archive);
    RecordTableCache cache = new RecordTableCache(archive.settings().layouts());
    assertThat(cache.records(spans.get(0)).ordinalOfName("B")).isEqualTo(1);
    Files.delete(archive.blocks().get(0).resolve("block.kb"));
    assertThat(cache.of(spans.get(1)).closedAtOffset())
        .isGreaterThan(cache.of(spans.get(2)).closedAtOffset());
    assertThat(cache.records(spans.get(2))).isSameAs(cache.records(spans.get(0)));
  }

  @Test
  void pairsWithOtherChannelsHaveOtherTables() throws Exception {
    SmallArchive archive = new SmallArchive(directory).pair(0, 2);
    try (LogWriter writer = archive.begin(120, "C")) {
      writer.milestone(at(120));
      value(writer, 0, 121, 1);
    }
    archive.close(120).backfill(TimeRange.ALL);
    List<StoredSpan> spans = spans(archive);
    RecordTableCache cache = new RecordTableCache(archive.settings().layouts());
    assertThat(cache.records(spans.get(0)).ordinalOfName("C")).isNegative();
    assertThat(cache.records(spans.get(1)).ordinalOfName("C")).isZero();
  }

  /** Returns the only span of each pair. */
  private static List<StoredSpan> spans(SmallArchive archive) throws Exception {
    return archive.catalog().of(GROUP, Source.AUTO, TimeRange.ALL).pairs().stream()
        .map(slot -> slot.stored().get(0))
        .toList();
  }
}
