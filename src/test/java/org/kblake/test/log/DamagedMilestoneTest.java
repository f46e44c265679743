package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** The log and the index give very different times for a milestone. */
final class DamagedMilestoneTest {

  private static final Group GROUP = new Group("BM", "DCCT");
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long BEGIN_NANOS = 1_463_356_800_000_000_000L;

  @TempDir Path directory;

  /**
   * The block has the span of the segment according to the log. A read of the raw log skips the
   * segment by the same span.
   */
  @Test
  void rawLogAndColumnsReadItForTheSameRanges() throws Exception {
    Path root = directory.resolve("archive");
    Path store = directory.resolve("store");
    String stamp =
        PairName.at(GROUP.name(), BEGIN_NANOS, ArchiveSettings.defaults().zone()).stamp();
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            stamp,
            ByteOrder.BIG_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1))))) {
      for (int hour = 0; hour < 4; hour++) {
        writer.milestone(BEGIN_NANOS + hour * HOUR_NANOS);
        writer.number(0, BEGIN_NANOS + hour * HOUR_NANOS + 1, 0, 0, hour);
      }
    }
    try (RandomAccessFile log =
        new RandomAccessFile(root.resolve("BM/DCCT_" + stamp + ".log2").toFile(), "rw")) {
      log.seek(8);
      int seconds = log.readInt();
      log.seek(8);
      log.writeInt(seconds ^ 1 << 20); // twelve days
    }
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    try (ArchiveReader raw = ArchiveReader.builder().archive(root).open();
        ArchiveReader stored = ArchiveReader.builder().archive(root).store(store).open()) {
      for (int hour = -30; hour < 10; hour++) {
        long from = BEGIN_NANOS + hour * HOUR_NANOS;
        EventQuery query =
            EventQuery.of(ChannelSelection.names("A"))
                .between(new TimeRange(from, from + HOUR_NANOS))
                .allowIncomplete();
        AnswerLines.Lines expected = AnswerLines.read(raw, query);
        AnswerLines.Lines answer = AnswerLines.read(stored, query);
        assertThat(answer.events()).as("hour %s", hour).isEqualTo(expected.events());
        assertThat(AnswerLines.lines(answer.coverage()))
            .as("hour %s", hour)
            .isEqualTo(AnswerLines.lines(expected.coverage()));
      }
    }
  }
}
