package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.parquet.ParquetWriter;
import org.kblake.format.table.EventTable;
import org.kblake.format.table.WideTable;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.test.fixture.TestStores;

/**
 * A table of few rows of all channels of a site, such as that of one abort, takes memory for its
 * cells, and not for thousands of rows of each column.
 */
final class ManyColumnsTest {

  private static final int CHANNELS = 20_000;
  private static final Group GROUP = new Group("VA", "CCG");
  private static final Instant START = Instant.parse("2024-05-20T00:00:00Z");
  private static final long START_NANOS = START.getEpochSecond() * 1_000_000_000L;

  /** A vector that is not limited takes 32 KiB, and the buffers of a page 4 KiB each. */
  private static final long MAX_BYTES = 2048L * CHANNELS;

  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    RecordTable records =
        new RecordTable(
            IntStream.range(0, CHANNELS)
                .mapToObj(i -> new RecordEntry(i, "CH" + i, ValueType.DOUBLE, 1))
                .toList());
    try (LogWriter writer =
        LogWriter.create(directory, GROUP, "20240520090000", ByteOrder.LITTLE_ENDIAN, records)) {
      writer.milestone(START_NANOS);
      for (int i = 0; i < CHANNELS; i++) {
        writer.number(i, START_NANOS + i, 0, 0, Double.doubleToRawLongBits(i));
      }
      writer.milestone(START_NANOS + 60_000_000_000L);
    }
    TestStores.closePairs(directory);
  }

  @Test
  void tablesOfEventsTakeMemoryForTheirCells() throws IOException {
    Map<Long, String> now = Map.of(0L, "");
    List<Long> events = List.of(START_NANOS + 1_000_000_000L);
    try (ArchiveReader reader = ArchiveReader.builder().archive(directory).open();
        GridReader grid = reader.grid(GridQuery.at(ChannelSelection.all(GROUP), events));
        RootAllocator memory = new RootAllocator();
        EventTable table =
            new EventTable(grid.infos(), now, Duration.ofDays(1).toNanos(), memory)) {
      assertThat(table.cells()).isEqualTo(CHANNELS);
      assertThat(table.fill(grid, events, 1)).isZero();
      assertThat(memory.getPeakMemoryAllocation()).isLessThan(MAX_BYTES);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      try (ParquetWriter writer =
          ParquetWriter.ofTable(OutputStream.nullOutputStream(), table.vectors())) {
        writer.write();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2 * MAX_BYTES);
        writer.finish();
      }
    }
  }

  @Test
  void tablesOfPointsTakeMemoryForTheirCells() throws IOException {
    GridQuery query =
        GridQuery.of(
            ChannelSelection.all(GROUP),
            START.plusSeconds(1),
            START.plusSeconds(5),
            Duration.ofSeconds(1));
    try (ArchiveReader reader = ArchiveReader.builder().archive(directory).open();
        GridReader grid = reader.grid(query);
        RootAllocator memory = new RootAllocator();
        WideTable table = WideTable.of(grid.infos(), memory)) {
      assertThat(table.fill(grid, 5)).isTrue();
      assertThat(memory.getPeakMemoryAllocation()).isLessThan(MAX_BYTES);
    }
  }
}
