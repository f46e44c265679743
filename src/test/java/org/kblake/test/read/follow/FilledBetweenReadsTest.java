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
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;
import org.kblake.test.fixture.volume.ActionBetweenReads;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * A writer reserves space on a local disk, writes the index, and fills in the events of a segment
 * between two reads of a follower. The test repeats this for each read. No event is missing, and
 * bytes that were read before they were written are no damage.
 */
final class FilledBetweenReadsTest {

  private static final Group GROUP = new Group("BM", "DCCT");
  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int SEGMENTS = 3;
  private static final int EVENTS = 5;

  @TempDir Path directory;

  @Test
  void followersReturnEveryEvent() throws Exception {
    Path log = directory.resolve("BM/DCCT_20160516000000.log2");
    long from = write();
    byte[] whole = Files.readAllBytes(log);
    byte[] reserved = whole.clone();
    Arrays.fill(reserved, (int) from, whole.length, (byte) 0);
    boolean isMade = true;
    for (long reads = 0; isMade; reads++) {
      overwrite(log, reserved);
      ActionBetweenReads between = new ActionBetweenReads();
      between.after(reads, () -> overwrite(log, whole));
      Path root = new GuardedProvider(directory, between).path(directory);
      try (ArchiveReader reader =
              ArchiveReader.builder()
                  .archive(root)
                  .settings(ArchiveSettings.defaults().withTail(TailRule.FINAL))
                  .open();
          EventFollower follower =
              reader.follow(
                  FollowQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH)
                      .polling(Duration.ofMillis(10)))) {
        List<Long> values = new ArrayList<>();
        read(follower, values);
        isMade = between.isMade();
        overwrite(log, whole);
        read(follower, values);
        assertThat(follower.notes()).as("written after %d reads", reads).isEmpty();
        assertThat(values)
            .as("written after %d reads", reads)
            .containsExactlyElementsOf(LongStream.range(0, SEGMENTS * EVENTS).boxed().toList());
      }
    }
  }

  private static void read(EventFollower follower, List<Long> values) throws Exception {
    while (follower.next(Duration.ofMillis(30))) {
      for (int row = follower.from(); row < follower.to(); row++) {
        values.add(follower.columns().values[row]);
      }
    }
  }

  /** Writes an archive. Returns the offset of the second event of the last but one segment. */
  private long write() throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    long offset = 0;
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
          offset = writer.logBytes();
        }
      }
    }
    return offset;
  }

  /** Replaces the bytes in place. */
  private static void overwrite(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), 0);
    }
  }
}
