package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.LogScanner;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelSelection;
import org.kblake.query.EventQuery;
import org.kblake.query.EventReader;

/** A closed log, which is mapped, becomes shorter while its events are read. */
final class TruncatedLogTest {

  private static final Group GROUP = Group.parse("RF/AnalogData");

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
  void readBytesSaysSo() throws IOException {
    try (LogScanner scanner = log.scan(0, log.logBytes(), null)) {
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
  void segmentDoesNotEndWell() throws IOException {
    try (LogScanner scanner = log.scan(0, log.logBytes(), null)) {
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

  /** The scanner stands on an event whose value was not looked at before. */
  @Test
  void answerSaysSo() throws IOException {
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
}
