package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** Scans of logs that are not mapped: those that grow, and those on a network file system. */
class BufferedScanTest {

  private static final Group GROUP = new Group("RF", "Buffered");
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;
  private static final int SEGMENTS = 60;
  private static final int EVENTS = 7000;

  @TempDir Path root;

  /** An access that counts the calls for logs. */
  private static final class CountingAccess implements FileAccess {
    private int calls;

    @Override
    public <T> T call(Path file, Call<T> call) throws IOException {
      calls += file.toString().endsWith(".log2") ? 1 : 0;
      return call.run();
    }
  }

  /**
   * Headers are walked over before events are served, so each segment is read twice. Most buffers
   * end within a segment. On a slow network file system without a cache that doubled the time.
   */
  @Test
  void aBufferThatEndsWithinASegmentIsNotReadAgain() throws IOException {
    RecordEntry record = new RecordEntry(0, "RF:BUFFERED", ValueType.DOUBLE, 1);
    try (LogWriter log =
        LogWriter.create(
            root,
            GROUP,
            "20160516000000",
            ByteOrder.BIG_ENDIAN,
            new RecordTable(List.of(record)))) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        long nanos = BEGIN_NANOS + segment * MINUTE_NANOS;
        log.milestone(nanos);
        for (int event = 1; event <= EVENTS; event++) {
          log.number(0, nanos + event, 0, 0, Double.doubleToRawLongBits(event));
        }
      }
    }
    CountingAccess access = new CountingAccess();
    PairLog log = Archive.open(root, ArchiveSettings.defaults(), access).pairs(GROUP).get(0).open();
    assertThat(log.fileState().mappable()).isFalse();
    BitSet wanted = new BitSet();
    wanted.set(0);
    access.calls = 0;
    int events = 0;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          events++;
        }
      }
    }
    assertThat(events).isEqualTo(SEGMENTS * EVENTS);
    // The header of a milestone of a growing log is read anew, each time that it is needed.
    int headers = 3 * SEGMENTS;
    long buffers = log.logBytes() / LogWindow.BUFFER_BYTES + 1;
    assertThat(buffers).isGreaterThan(10);
    assertThat(access.calls - headers)
        .as("reads of %d buffers", buffers)
        .isBetween(1, (int) (1.5 * buffers));
  }
}
