package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** A closed log, which is mapped, is truncated while its events are read. */
final class TruncatedLogTest {

  private static final Group GROUP = Group.parse("RF/AnalogData");
  private static final Group LONG_VALUES = Group.parse("VA/CCG");

  /** The elements of a value that takes more than a page of the operating system. */
  private static final int ELEMENTS = 1_000;

  private static final int EVENTS = 2_000;
  private static final int MAX_HEADER_BYTES = 64;

  private static final int PAGE_BYTES = 4096;

  @TempDir Path directory;

  private Archive archive;
  private PairLog log;

  @BeforeEach
  void copyArchive() throws IOException {
    archive =
        Archive.open(
            TestStores.sample("mixed", directory.resolve("archive")), ArchiveSettings.defaults());
    log = archive.pairs(GROUP).get(0).open();
  }

  private void truncate() throws IOException {
    try (FileChannel channel = FileChannel.open(log.pair().logPath(), StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  @Test
  void readBytesReportsIt() throws IOException {
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      assertThat(scanner.nextSegment()).isTrue();
      truncate();
      byte[] bytes = new byte[1 << 20];
      assertThatThrownBy(
              () -> scanner.readBytes(0, 4096, piece -> piece.get(bytes, 0, piece.remaining())))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("pair is unavailable: group=" + GROUP);
    }
  }

  @Test
  void endOfTheSegmentIsAnError() throws IOException {
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      assertThat(scanner.nextSegment()).isTrue();
      assertThat(scanner.next()).isTrue();
      truncate();
      assertThatThrownBy(
              () -> {
                while (scanner.next()) {
                  assertThat(scanner.eventBytes()).isPositive();
                }
              })
          .isInstanceOf(UnavailableException.class);
    }
  }

  /** The scanner is at an event whose value has not been read yet. */
  @Test
  void answerReportsIt() throws IOException {
    List<String> lines = new ArrayList<>();
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive.root()).open();
        BufferAllocator allocator = new RootAllocator();
        EventReader events =
            reader.read(
                EventQuery.of(ChannelSelection.glob("*"))
                    .between(
                        Instant.parse("2016-05-15T00:00:00Z"),
                        Instant.parse("2016-05-18T00:00:00Z"))
                    .batches(1, 1 << 20)
                    .allowIncomplete(),
                allocator)) {
      assertThat(events.loadNextBatch()).isTrue();
      truncate();
      while (events.loadNextBatch()) {
        AnswerLines.add(events, lines);
      }
      assertThat(AnswerLines.lines(events.coverage()).toString()).contains("UNAVAILABLE");
    }
  }

  /**
   * The header and the first elements of the value exist, and the rest is missing. On JDK 25,
   * {@link LogScanner#copyBits} or {@link LogScanner#text} throws the error while it copies the
   * elements. JDK 17 throws it at the next return from the system, when the segment ends.
   */
  @ParameterizedTest
  @EnumSource(names = {"DOUBLE", "STRING"})
  void answerReportsThatTheRestOfAValueIsMissing(ValueType type) throws IOException {
    long wholePages = writeLongValue(type);
    List<String> lines = new ArrayList<>();
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive.root()).open();
        BufferAllocator allocator = new RootAllocator();
        EventReader events =
            reader.read(
                EventQuery.of(ChannelSelection.all(LONG_VALUES))
                    .between(TimeRange.ALL)
                    .batches(1, 1 << 20)
                    .allowIncomplete(),
                allocator)) {
      assertThat(events.loadNextBatch()).isTrue();
      try (FileChannel channel = FileChannel.open(log.pair().logPath(), StandardOpenOption.WRITE)) {
        channel.truncate(wholePages);
      }
      while (events.loadNextBatch()) {
        AnswerLines.add(events, lines);
      }
      assertThat(AnswerLines.lines(events.coverage()).toString()).contains("UNAVAILABLE");
    }
  }

  /**
   * Writes events of one number and of many elements in turn, so that each read covers one event.
   *
   * @return the end of the page in which the elements of the last event begin
   */
  private long writeLongValue(ValueType type) throws IOException {
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(1, "A", ValueType.DOUBLE, 1),
                new RecordEntry(2, "B", type, ELEMENTS)));
    Path root = directory.resolve("long");
    long nanos = Instant.parse("2016-05-15T15:00:00Z").getEpochSecond() * 1_000_000_000L;
    long last = 0;
    try (LogWriter writer =
        LogWriter.create(root, LONG_VALUES, "20160516000000", ByteOrder.LITTLE_ENDIAN, records)) {
      writer.milestone(nanos);
      byte[] text = "on".repeat(ELEMENTS).getBytes(StandardCharsets.UTF_8);
      int[] starts = IntStream.rangeClosed(0, ELEMENTS).map(i -> 2 * i).toArray();
      for (int event = 0; event < EVENTS; event += 2) {
        writer.number(0, nanos + event, 0, 0, 0);
        last = writer.logBytes();
        if (type == ValueType.STRING) {
          writer.texts(1, nanos + event + 1, 0, 0, text, starts, 0, ELEMENTS);
        } else {
          writer.numbers(1, nanos + event + 1, 0, 0, new long[ELEMENTS], 0, ELEMENTS);
        }
      }
    }
    TestStores.closePairs(root);
    archive = Archive.open(root, ArchiveSettings.defaults());
    log = archive.pairs(LONG_VALUES).get(0).open();
    return ((last + MAX_HEADER_BYTES) / PAGE_BYTES + 1) * PAGE_BYTES;
  }
}
