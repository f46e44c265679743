package org.kblake.ingest.internal.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

final class PacedReadsTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final long NANOS = 1_463_324_400_000_000_000L;
  private static final long FAST = 1L << 30;
  private static final int SCANS = 64;

  @TempDir Path root;

  /** A process that follows many groups scans all day, and the JVM rarely collects its heap. */
  @Test
  void scansOfAThreadShareTheirMemory() throws IOException {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(0, "VALCCG:PRESSURE", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(root, GROUP, "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      writer.milestone(NANOS);
      writer.number(0, NANOS, 0, 0, Double.doubleToRawLongBits(1.5));
    }
    Archive archive =
        PacedAccess.of(Archive.open(root, ArchiveSettings.defaults()), new RateLimit(FAST));
    PairLog log = archive.pairs(GROUP).get(0).open();
    fetch(log);
    long before = directBytes();
    for (int i = 0; i < SCANS; i++) {
      fetch(log);
    }
    assertThat(directBytes() - before).isLessThan(SCANS * RateLimit.MAX_GRANT_BYTES / 2L);
  }

  private static void fetch(PairLog log) throws IOException {
    try (PacedReads reads = new PacedReads(log, 0)) {
      reads.fetch(log.logBytes());
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
