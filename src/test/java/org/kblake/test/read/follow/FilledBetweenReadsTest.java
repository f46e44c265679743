package org.kblake.test.read.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.EventFollower;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.test.fixture.volume.ActionBetweenReads;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * A writer reserves space on a local disk, writes the index, and fills in the events of a segment
 * between two reads of a reader. The test repeats this for each read. Bytes that were read before
 * they were written are no damage, and no event is missing without a word.
 */
final class FilledBetweenReadsTest {

  private static final Group GROUP = new Group("BM", "DCCT");
  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int SEGMENTS = 3;
  private static final int EVENTS = 5;

  private static final List<Long> ALL = LongStream.range(0, SEGMENTS * EVENTS).boxed().toList();

  @TempDir private Path directory;

  private Path log = Path.of("");
  private byte[] whole = {};

  /** The second event of the last but one segment. Zeros are there until it is filled in. */
  private int unwrittenOffset;

  private long unwrittenNanos;

  /** A question to the archive, whose events are filled in while it is answered. */
  @FunctionalInterface
  private interface Question {
    void ask(ArchiveReader reader, String when) throws Exception;
  }

  @Test
  void followersReturnEveryEvent() throws Exception {
    FollowQuery query =
        FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH).polling(Duration.ofMillis(10));
    atEachRead(
        (reader, when) -> {
          try (EventFollower follower = reader.follow(query)) {
            List<Long> values = new ArrayList<>();
            read(follower, values);
            overwrite(log, whole);
            read(follower, values);
            assertThat(follower.notes()).as(when).isEmpty();
            assertThat(values).as(when).isEqualTo(ALL);
          }
        });
  }

  /** The events of the segment are not written yet, or in the answer. */
  @Test
  void rangesNameWhatIsNotWritten() throws Exception {
    EventQuery query =
        EventQuery.of(ChannelSelection.all(GROUP)).between(TimeRange.ALL).allowIncomplete();
    atEachRead(
        (reader, when) -> {
          try (EventCursor cursor = reader.cursor(query)) {
            List<Long> values = new ArrayList<>();
            while (cursor.next()) {
              add(cursor.columns(), cursor.from(), cursor.to(), values);
            }
            CoverageReport coverage = cursor.coverage();
            assertThat(coverage.spans()).as(when).noneMatch(this::isDamaged);
            if (!values.equals(ALL)) {
              assertThat(coverage.spans()).as(when).anyMatch(this::isPending);
              assertThat(ALL).as(when).containsSubsequence(values);
            }
          }
        });
  }

  private boolean isDamaged(CoverageSpan span) {
    return span.kind() == SpanKind.DAMAGED;
  }

  private boolean isPending(CoverageSpan span) {
    return span.kind() == SpanKind.PENDING && span.range().contains(unwrittenNanos);
  }

  /**
   * Asks again and again. The events are filled in before the first read, the second, and so on.
   */
  private void atEachRead(Question question) throws Exception {
    write();
    whole = Files.readAllBytes(log);
    byte[] reserved = whole.clone();
    Arrays.fill(reserved, unwrittenOffset, whole.length, (byte) 0);
    long reads = 0;
    for (boolean isMade = true; isMade; reads++) {
      overwrite(log, reserved);
      ActionBetweenReads between = new ActionBetweenReads();
      between.after(reads, () -> overwrite(log, whole));
      Path root = new GuardedProvider(directory, between).path(directory);
      try (ArchiveReader reader =
          ArchiveReader.builder()
              .archive(root)
              .settings(ArchiveSettings.defaults().withTail(TailRule.FINAL))
              .open()) {
        question.ask(reader, "written after " + reads + " reads");
      }
      isMade = between.isMade();
    }
    assertThat(reads).isGreaterThan(10);
  }

  private static void read(EventFollower follower, List<Long> values) throws Exception {
    while (follower.next(Duration.ofMillis(30))) {
      add(follower.columns(), follower.from(), follower.to(), values);
    }
  }

  private static void add(EventColumns columns, int from, int to, List<Long> values) {
    for (int row = from; row < to; row++) {
      values.add(columns.values[row]);
    }
  }

  private void write() throws IOException {
    log = directory.resolve("BM/DCCT_20160516000000.log2");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    try (LogWriter writer =
        LogWriter.create(directory, GROUP, "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      long nanos = BEGIN_NANOS;
      for (int value = 0; value < SEGMENTS * EVENTS; value++) {
        if (value % EVENTS == 0) {
          writer.milestone(nanos);
        }
        nanos += SECOND_NANOS;
        writer.number(0, nanos, 0, 0, value);
        if (value == (SEGMENTS - 2) * EVENTS) {
          unwrittenOffset = Math.toIntExact(writer.logBytes());
          unwrittenNanos = nanos + SECOND_NANOS;
        }
      }
    }
  }

  /** Replaces the bytes in place. */
  private static void overwrite(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), 0);
    }
  }
}
