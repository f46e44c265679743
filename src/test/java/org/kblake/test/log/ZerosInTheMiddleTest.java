package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
import org.kblake.query.HeldValues;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;

/**
 * A growing log has zeros in the place of two events of its second hour, and later bytes behind
 * them. The reason is a stale page of a network file system, or a writer that fills its file later.
 * All kinds of reads give the second hour up to the zeros and report it as pending. The other hours
 * are complete, from raw logs and from columns. After the bytes have been filled in, all events are
 * given.
 */
final class ZerosInTheMiddleTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final ChannelSelection ALL = ChannelSelection.all(GROUP);
  private static final Instant BEGIN = Instant.parse("2016-05-16T00:00:00Z");
  private static final int HOURS = 4;
  private static final int EVENTS = 10;

  /** The first event of the second hour that is zeros. */
  private static final int MISSING = 5;

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");
  private Path log = Path.of("");
  private byte[] written = {};

  /**
   * Writes the log. Values count up. Big-endian, only the first of these events ends in a zero
   * byte.
   */
  @BeforeEach
  void write() throws IOException {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    log = root.resolve("VA/CCG_20160516090000.log2");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    int from = 0;
    int to = 0;
    try (LogWriter writer =
        LogWriter.create(root, GROUP, "20160516090000", ByteOrder.BIG_ENDIAN, records)) {
      for (int hour = 0; hour < HOURS; hour++) {
        writer.milestone(nanos(hour, 0));
        for (int event = 0; event < EVENTS; event++) {
          from = hour == 1 && event == MISSING ? (int) writer.logBytes() : from;
          to = hour == 1 && event == MISSING + 2 ? (int) writer.logBytes() : to;
          writer.number(0, nanos(hour, 1 + 5 * event), 0, 0, value(hour, event));
        }
      }
    }
    written = Files.readAllBytes(log);
    byte[] shown = written.clone();
    Arrays.fill(shown, from, to, (byte) 0);
    Files.write(log, shown);
    TestStores.closePairs(root);
    Files.setLastModifiedTime(log, FileTime.from(Instant.now()));
  }

  private static long value(int hour, int event) {
    return (long) hour * EVENTS + event;
  }

  private static Instant time(int hour, int minute) {
    return BEGIN.plus(Duration.ofHours(hour)).plus(Duration.ofMinutes(minute));
  }

  private static long nanos(int hour, int minute) {
    return time(hour, minute).getEpochSecond() * 1_000_000_000L;
  }

  private static ArchiveSettings settings(TailRule tail) {
    return ArchiveSettings.defaults().withTail(tail);
  }

  private ArchiveReader open(TailRule tail, @Nullable Path columns) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(settings(tail));
    return (columns == null ? builder : builder.store(columns)).open();
  }

  private void backfill(TailRule tail, TimeRange range) throws Exception {
    TestStores.backfill(Archive.open(root, settings(tail)), store, range);
  }

  @ParameterizedTest
  @EnumSource(names = {"FINAL", "PROVISIONAL"})
  void segmentIsPendingAndOthersAreComplete(TailRule tail) throws Exception {
    List<String> raw;
    try (ArchiveReader reader = open(tail, null)) {
      raw = answers(reader);
    }
    backfill(tail, new TimeRange(nanos(2, 20), nanos(2, 21)));
    try (ArchiveReader reader = open(tail, store)) {
      assertThat(answers(reader)).as("the third hour is in columns").isEqualTo(raw);
    }
    backfill(tail, TimeRange.ALL);
    try (ArchiveReader reader = open(tail, store)) {
      assertThat(answers(reader)).as("the complete segments are in columns").isEqualTo(raw);
    }
    Files.write(log, written);
    TestStores.closePairs(root);
    assertComplete(tail);
    backfill(tail, TimeRange.ALL);
    assertComplete(tail);
    assertThat(TestStores.verify(Archive.open(root, settings(tail)), store)).isEmpty();
  }

  /** Reads everything in several ways and returns the answers. */
  private static List<String> answers(ArchiveReader reader) throws IOException {
    AnswerLines.Lines events = AnswerLines.read(reader, query(nanos(0, 0), nanos(HOURS, 0)));
    assertThat(values(events)).isEqualTo(expected());
    assertPending(events.coverage());
    List<String> answers = new ArrayList<>(events.events());
    answers.addAll(AnswerLines.lines(events.coverage()));

    AnswerLines.Lines later = AnswerLines.read(reader, query(nanos(3, 15), nanos(3, 30)));
    assertThat(values(later)).containsExactly(33L, 34L, 35L);
    assertThat(later.coverage().isComplete()).isTrue();
    answers.addAll(AnswerLines.lines(later.coverage()));

    AnswerLines.Lines last = AnswerLines.read(reader, query(nanos(0, 0), nanos(HOURS, 0)).last(3));
    assertThat(values(last)).containsExactly(37L, 38L, 39L);
    assertThat(last.coverage().isComplete()).isTrue();

    HeldValues known = reader.held(HeldQuery.of(ALL, time(2, 12)).allowIncomplete());
    assertThat(HeldLines.of(known).toString()).contains(AnswerLines.text(22));
    assertThat(known.coverage().isComplete()).isTrue();
    HeldValues doubtful = reader.held(HeldQuery.of(ALL, time(1, 59)).allowIncomplete());
    assertThat(doubtful.coverage().missing())
        .extracting(CoverageSpan::kind)
        .containsExactly(SpanKind.PENDING);
    answers.addAll(HeldLines.of(doubtful));

    GridLines.Lines grid =
        GridLines.read(
            reader,
            GridQuery.of(ALL, time(0, 40), time(3, 40), Duration.ofHours(1)).allowIncomplete());
    assertPending(grid.coverage());
    answers.addAll(grid.values());
    assertThat(grid.values().get(1)).contains(Long.toString(nanos(1, 1 + 5 * (MISSING - 1))));
    assertThat(grid.values().get(2)).contains(Long.toString(nanos(2, 36)));
    return answers;
  }

  /** Asserts that the second hour, widened by the disorder bound, is pending, and nothing else. */
  private static void assertPending(CoverageReport coverage) {
    assertThat(coverage.missing())
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.kind()).isEqualTo(SpanKind.PENDING);
              assertThat(span.range()).isEqualTo(new TimeRange(nanos(0, 50), nanos(2, 10) + 1));
            });
  }

  private static EventQuery query(long from, long to) {
    return EventQuery.of(ALL).between(new TimeRange(from, to)).allowIncomplete();
  }

  private static List<Long> expected() {
    return LongStream.range(0, (long) HOURS * EVENTS)
        .filter(value -> value < value(1, MISSING) || value >= value(2, 0))
        .boxed()
        .toList();
  }

  private static List<Long> values(AnswerLines.Lines lines) {
    return lines.events().stream()
        .map(line -> line.substring(line.lastIndexOf('\t') + 2))
        .map(bits -> (long) Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16)))
        .toList();
  }

  private void assertComplete(TailRule tail) throws IOException {
    try (ArchiveReader reader = open(tail, store)) {
      AnswerLines.Lines all = AnswerLines.read(reader, query(nanos(0, 0), nanos(HOURS, 0)));
      assertThat(values(all))
          .isEqualTo(LongStream.range(0, (long) HOURS * EVENTS).boxed().toList());
      assertThat(all.coverage().isComplete()).isTrue();
    }
  }
}
