package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/**
 * A growing log with zeros at the beginning of its second segment. A writer that reserves space and
 * fills it later makes such a log. Backfill stops at the zeros. The next backfill stores the events
 * written there later.
 */
final class UnwrittenBytesTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final long BEGIN_NANOS = 1_463_356_800_000_000_000L;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  @Test
  void backfillStopsAtUnwrittenBytes() throws Exception {
    Path root = directory.resolve("archive");
    Path store = directory.resolve("store");
    long[] offsets = new long[4];
    Path log = root.resolve("VA/CCG_20160516090000.log2");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    try (LogWriter writer =
        LogWriter.create(root, GROUP, "20160516090000", ByteOrder.LITTLE_ENDIAN, records)) {
      for (int minute = 0; minute < 4; minute++) {
        writer.milestone(BEGIN_NANOS + minute * MINUTE_NANOS);
        offsets[minute] = writer.logBytes();
        for (int i = 0; i < 10; i++) {
          long nanos = BEGIN_NANOS + minute * MINUTE_NANOS + i * 1_000_000_000L;
          writer.number(0, nanos, 0, 0, minute * 10 + i);
        }
      }
    }
    byte[] whole = Files.readAllBytes(log);
    byte[] early = whole.clone();
    Arrays.fill(early, (int) offsets[1], (int) offsets[1] + 30, (byte) 0);
    Files.write(log, early);
    TestStores.closePairs(root);
    Files.setLastModifiedTime(log, FileTime.from(Instant.now()));

    TestStores.backfill(Archive.open(root, SETTINGS), store);
    Files.write(log, whole);
    TestStores.closePairs(root);

    List<String> raw = read(root, null);
    assertThat(raw).hasSize(40);
    assertThat(read(root, store)).isEqualTo(raw);
    TestStores.backfill(Archive.open(root, SETTINGS), store);
    assertThat(read(root, store)).isEqualTo(raw);
    assertThat(TestStores.verify(Archive.open(root, SETTINGS), store)).isEmpty();
  }

  private static List<String> read(Path root, @Nullable Path store) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    try (ArchiveReader reader = (store == null ? builder : builder.store(store)).open()) {
      return AnswerLines.read(
              reader, EventQuery.of(ChannelSelection.all(GROUP)).between(TimeRange.ALL))
          .events();
    }
  }
}
