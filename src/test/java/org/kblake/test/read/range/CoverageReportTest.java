package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
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
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** Coverage reports in cases where earlier versions reported too much or too little. */
final class CoverageReportTest {

  private static final Group GROUP = new Group("VA", "CCG");

  /** The pair's stamp: 2016-05-16 09:00 in Tokyo. */
  private static final long BEGIN = 1_463_356_800_000_000_000L;

  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long BOUND = 10 * MINUTE;
  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private Path root() {
    return directory.resolve("archive");
  }

  private Path log() {
    return root().resolve("VA/CCG_20160516090000.log2");
  }

  /** Writes milestones at minutes from the stamp, each with an event ten seconds later. */
  private void write(long... minutes) throws IOException {
    writePair("20160516090000", minutes);
  }

  private void writePair(String stamp, long... minutes) throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    try (LogWriter writer = LogWriter.create(root(), GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
      for (long minute : minutes) {
        writer.milestone(BEGIN + minute * MINUTE);
        writer.number(0, BEGIN + minute * MINUTE + 10 * SECOND, 0, 0, 7);
      }
    }
    TestStores.closePairs(root());
  }

  private void backfill(long fromMinute, long toMinute) throws Exception {
    TimeRange range = new TimeRange(BEGIN + fromMinute * MINUTE, BEGIN + toMinute * MINUTE);
    TestStores.backfill(Archive.open(root(), SETTINGS), directory.resolve("store"), range);
  }

  private CoverageReport read(long fromNanos, long toNanos, long events) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root()).settings(SETTINGS);
    if (Files.exists(directory.resolve("store"))) {
      builder = builder.store(directory.resolve("store"));
    }
    try (ArchiveReader reader = builder.open()) {
      AnswerLines.Lines lines =
          AnswerLines.read(
              reader,
              EventQuery.of(ChannelSelection.all(GROUP))
                  .between(new TimeRange(fromNanos, toNanos))
                  .allowIncomplete());
      assertThat(lines.events()).hasSize((int) events);
      return lines.coverage();
    }
  }

  private static void assertMissing(CoverageReport report, SpanKind kind) {
    assertThat(report.missing()).extracting(span -> span.kind()).containsExactly(kind);
  }

  /** A damaged event can have any time of its segment's span, its last instant included. */
  @Test
  void damageReachesOverTheLastInstantOfTheSpan() throws Exception {
    write(0, 1);
    byte[] bytes = Files.readAllBytes(log());
    int milestone = 16 + 28;
    bytes[milestone + 17] = 9;
    Files.write(log(), bytes);
    TestStores.closePairs(root());
    long last = BEGIN + MINUTE + BOUND;
    assertMissing(read(last, last + 1, 0), SpanKind.DAMAGED);
    assertThat(read(last + 1, last + 2, 0).isComplete()).isTrue();
  }

  /** kblog has begun a pair and its index, and the log has no byte yet. This is not silence. */
  @Test
  void growingPairWithoutAnEventIsPendingFromItsBeginOn() throws Exception {
    write(0);
    Files.write(log(), new byte[0]);
    Files.setLastModifiedTime(log(), FileTime.from(Instant.now()));
    assertThat(read(BEGIN - 1, BEGIN + MINUTE, 0).spans())
        .extracting(span -> span.kind())
        .containsExactly(SpanKind.NOT_RECORDED, SpanKind.PENDING);
  }

  /** Columns begin behind a clock that was set back, so earlier than the stamp of the pair. */
  @Test
  void timesBeforeColumnsOfAMissingPairAreUnavailableIfTheClockWasSetBack() throws Exception {
    write(0, -30, 60);
    backfill(30, 31);
    Files.delete(log());
    assertMissing(read(BEGIN, BEGIN + MINUTE, 0), SpanKind.UNAVAILABLE);
    assertMissing(read(BEGIN - 30 * MINUTE, BEGIN - 29 * MINUTE, 1), SpanKind.UNAVAILABLE);
    assertThat(read(BEGIN + 30 * MINUTE, BEGIN + 31 * MINUTE, 0).isComplete()).isTrue();
  }

  /**
   * Columns end at a milestone at which the clock was set back. The span behind them begins at the
   * earlier time.
   */
  @Test
  void timesBehindColumnsOfAMissingPairAreUnavailableFromTheEarlierTimeOn() throws Exception {
    write(0, -30, -20, -19);
    backfill(5, 6);
    Files.delete(log());
    assertMissing(read(BEGIN - 30 * MINUTE, BEGIN - 29 * MINUTE, 0), SpanKind.UNAVAILABLE);
  }

  /**
   * The read covers the end of one pair, but not the first milestone of the next. kblog was
   * running.
   */
  @Test
  void shortSilenceBetweenTwoPairsIsCoveredIfTheNextPairIsNotRead() throws Exception {
    write(0, 60);
    writePair("20160516113000", 150);
    long from = BEGIN + 100 * MINUTE;
    assertThat(read(from, from + MINUTE, 0).spans())
        .extracting(span -> span.kind())
        .containsExactly(SpanKind.ANSWERED);
    backfill(0, 200);
    assertThat(read(from, from + MINUTE, 0).spans())
        .extracting(span -> span.kind())
        .containsExactly(SpanKind.ANSWERED);
  }
}
