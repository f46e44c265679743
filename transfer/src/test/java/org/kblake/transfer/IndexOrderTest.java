package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.ValueType;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;

/** A builder has no entry of an index before the bytes of the log to which it points. */
@Timeout(60)
@SuppressWarnings("try") // collectors and builders work while they are open
class IndexOrderTest {

  private static final String LOG = "VA/CCG_20260101000000.log2";
  private static final String INDEX = "VA/CCG_20260101000000.log1";
  private static final ReferenceLayout LAYOUT = ReferenceLayout.INSTANCE;

  @TempDir Path directory;

  private final Ends ends = new Ends();

  @Test
  void entriesOfAWriterThatIsAheadWaitForTheLog() throws Exception {
    Path source = directory.resolve("source");
    Files.createDirectories(source.resolve("VA"));
    Path target = Files.createDirectory(directory.resolve("target"));
    RecordTable records = new RecordTable(List.of(new RecordEntry(1, "A", ValueType.DOUBLE, 1)));
    byte[] header = LAYOUT.encodeIndex(records, ByteOrder.BIG_ENDIAN);
    Files.write(source.resolve(INDEX), header);
    Files.write(source.resolve(LOG), new byte[50]);
    append(source, INDEX, entry(0));
    append(source, INDEX, entry(40));
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      int whole = LAYOUT.milestoneEntryBytes();
      ends.await("first entry", () -> size(target, INDEX) == header.length + whole);
      append(source, LOG, new byte[3]);
      ends.await("log", () -> size(target, LOG) == 53);
      assertThat(size(target, INDEX)).isEqualTo(header.length + whole);
      append(source, LOG, new byte[3]);
      ends.await("second entry", () -> size(target, INDEX) == header.length + 2L * whole);
      assertThat(size(target, LOG)).isEqualTo(56);
      // Behind the log again, and cut. Once another pair follows, the index is sent as it is.
      append(source, INDEX, entry(1_000));
      append(source, INDEX, new byte[5]);
      append(source, LOG, new byte[1]);
      ends.await("log", () -> size(target, LOG) == 57);
      assertThat(size(target, INDEX)).isEqualTo(header.length + 2L * whole);
      Files.write(source.resolve(LOG.replace("01000000", "01000001")), new byte[8]);
      ends.await("index", () -> size(target, INDEX) == header.length + 3L * whole + 5);
      ends.await("next", () -> size(target, LOG.replace("01000000", "01000001")) == 8);
    }
    assertThat(Files.mismatch(source.resolve(INDEX), target.resolve(INDEX))).isNegative();
  }

  private static byte[] entry(long offset) {
    ByteBuffer entry = ByteBuffer.allocate(LAYOUT.milestoneEntryBytes());
    LAYOUT.putMilestoneEntry(entry, 0, 1_767_225_600_000_000_000L, offset);
    return entry.array();
  }

  private static void append(Path root, String file, byte[] bytes) throws IOException {
    Files.write(root.resolve(file), bytes, StandardOpenOption.APPEND);
  }

  private static long size(Path root, String file) throws IOException {
    Path path = root.resolve(file);
    return Files.exists(path) ? Files.size(path) : 0;
  }
}
