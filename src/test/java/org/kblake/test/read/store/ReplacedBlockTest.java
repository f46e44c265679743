package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/**
 * A block that is evicted and made again has the same name, and may contain another pair. A reader
 * must not use data that it kept of the first block.
 */
final class ReplacedBlockTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int EVENTS = 100;

  @TempDir private Path directory;

  /** Writes an archive of one pair and its columns. */
  private Path store(String name, String channel) throws Exception {
    Path root = Files.createDirectories(directory.resolve(name));
    long beginNanos = START.getEpochSecond() * SECOND_NANOS;
    PairName pair = PairName.at(GROUP.name(), beginNanos, ArchiveSettings.defaults().zone());
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            pair.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, channel, ValueType.LONG, 1))))) {
      writer.milestone(beginNanos);
      for (int i = 1; i <= EVENTS; i++) {
        writer.number(0, beginNanos + i * SECOND_NANOS, 0, 0, i);
      }
    }
    TestStores.closePairs(root);
    Path store = directory.resolve(name + "-store");
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    return store;
  }

  private static List<String> channels(ArchiveReader reader) throws IOException {
    EventQuery query =
        EventQuery.of(ChannelSelection.all(GROUP))
            .between(START, START.plus(Duration.ofSeconds(EVENTS)))
            .from(Source.STORE);
    return reader.channels(query).stream().map(each -> each.channel().name()).toList();
  }

  @Test
  void recordsAreThoseOfTheCurrentBlock() throws Exception {
    Path store = store("first", "BMHDCCT:CURRENT");
    Path block = CommandFixture.block(store);
    Path other = CommandFixture.block(store("other", "BMLDCCT:CURRENT"));
    assertThat(other.getFileName()).isEqualTo(block.getFileName());
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(directory.resolve("first")).store(store).open()) {
      assertThat(channels(reader)).containsExactly("BMHDCCT:CURRENT");
      assertThat(channels(reader)).containsExactly("BMHDCCT:CURRENT");
      Files.move(block, directory.resolve("evicted"));
      Files.move(other, block);
      assertThat(channels(reader)).containsExactly("BMLDCCT:CURRENT");
    }
  }
}
