package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.RowEncoding;
import org.kblake.ingest.internal.rows.RowSource;
import org.kblake.ingest.internal.rows.Series;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;

/** The disk becomes full while a row group is encoded. */
final class FailedEncodingTest {

  private static final String REASON = "No space left on device";

  /** Two series of different types, so that each is a row group of its own. */
  private static final List<Series> SERIES =
      List.of(new Series("A", ValueType.DOUBLE, false), new Series("B", ValueType.LONG, false));

  @TempDir Path directory;

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final Thread writing = Thread.currentThread();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final AtomicBoolean failed = new AtomicBoolean();
  private final AtomicBoolean returned = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();

  /** The caller of the encoding gives the memory of the rows back. */
  @Test
  void noThreadReadsRowsAfterAFullDisk() throws Exception {
    Archive archive =
        Archive.open(
            TestStores.sample("mixed", directory.resolve("archive")), ArchiveSettings.defaults());
    RowEncoding encoding = new RowEncoding(threads, new Semaphore(2), 2, WriteProfile.STANDARD);
    try (Store store =
            Store.openForWriting(
                directory.resolve("store"), TestStores.identity(archive), new FullOfColumns());
        BlockWriter block = store.write(Group.parse("RF/AnalogData"), WriteProfile.STANDARD)) {
      assertThatThrownBy(() -> encoding.write(new Rows(), SERIES, block)).hasMessage(REASON);
      boolean endedBefore = ended.get();
      returned.set(true);
      assertThat(endedBefore).isTrue();
    } finally {
      returned.set(true);
      threads.shutdownNow();
    }
  }

  private final class FullOfColumns extends UnforcedFiles {
    @Override
    public Output create(Path file) throws IOException {
      if (file.toString().endsWith(".parquet")) {
        failed.set(true);
        throw new IOException(REASON);
      }
      return super.create(file);
    }
  }

  /**
   * One row of each series. The first one is written while the second one is read. The second one
   * is read until the writing thread has returned, or waits.
   */
  private final class Rows implements RowSource {
    @Override
    public long rows(int series) {
      return 1;
    }

    @Override
    public long bytes(int series) {
      return Long.BYTES;
    }

    @Override
    public long longestRow(int series) {
      return Long.BYTES;
    }

    @Override
    public int together(List<List<RowRange>> rowGroups, int from) {
      return 1;
    }

    @Override
    public RowSource.Rows open(List<List<RowRange>> rowGroups) {
      return new RowSource.Rows() {
        @Override
        public void feed(List<RowRange> rowGroup, EventColumns batch, Sink sink)
            throws IOException {
          sink.series(rowGroup.get(0).series());
          batch.count = 1;
          sink.rows(batch);
          if (rowGroup.get(0).series() == first()) {
            await();
          } else {
            readOn();
          }
        }

        @Override
        public void close() {}
      };
    }

    /** Returns the series that is written first. */
    private int first() {
      return SERIES.get(0).compareTo(SERIES.get(1)) < 0 ? 0 : 1;
    }

    private void await() throws IOException {
      try {
        begun.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    private void readOn() {
      begun.countDown();
      while (!failed.get() || !returned.get() && writing.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      ended.set(true);
    }
  }
}
