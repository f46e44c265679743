package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.transcode.BackfillPlan;
import org.kblake.ingest.internal.transcode.TranscodeListener;
import org.kblake.ingest.internal.transcode.Transcoder;
import org.kblake.test.fixture.TestStores;

/** Repeated work does not increase direct memory, whether the heap is collected or not. */
final class DirectMemoryTest {

  private static final Group GROUP = Group.parse("RF/AnalogData");
  private static final int ROUNDS = 40;
  private static final long MAX_GROWTH = 4 << 20;

  @TempDir Path directory;

  private Archive archive;

  @BeforeEach
  void copyArchive() throws IOException {
    archive =
        Archive.open(
            TestStores.sample("mixed", directory.resolve("archive")), ArchiveSettings.defaults());
  }

  private static long bytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** A log that may grow is not mapped. */
  @Test
  void scansOfGrowingLogsReuseMemory() throws IOException {
    FileTime later = FileTime.from(Instant.now().plusSeconds(3_600));
    try (Stream<Path> files = Files.walk(archive.root())) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.setLastModifiedTime(file, later);
      }
    }
    PairLog log = archive.pairs(GROUP).get(0).open();
    scan(log);
    long before = bytes();
    for (int i = 0; i < ROUNDS; i++) {
      scan(log);
    }
    assertThat(bytes() - before).isLessThan(MAX_GROWTH);
  }

  private static void scan(PairLog log) throws IOException {
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      assertThat(scanner.nextSegment()).isTrue();
    }
  }

  /** Reading settings again makes a new transcoder. */
  @Test
  void transcodersReuseMemoryOfEarlierOnes() throws Exception {
    try (Store store = TestStores.storeForWriting(archive, directory.resolve("store"))) {
      transcode(store);
      long before = bytes();
      for (int i = 0; i < ROUNDS / 4; i++) {
        transcode(store);
      }
      assertThat(bytes() - before).isLessThan(MAX_GROWTH);
    }
  }

  private void transcode(Store store) throws Exception {
    BackfillPlan plan =
        BackfillPlan.of(
            archive,
            GROUP,
            false,
            TimeRange.ALL,
            Block.coverage(List.of()),
            new PairSnapshots(),
            problem -> {});
    try (Transcoder transcoder =
        new Transcoder(store, WriteProfile.STANDARD, new Transcoder.Limits(1, 1, 16 << 20))) {
      transcoder.transcode(plan, new Quiet());
    }
    for (Block block : store.blocks(GROUP, problem -> {})) {
      store.discard(block);
    }
  }

  private static final class Quiet implements TranscodeListener {
    @Override
    public void scanned(Group group, long rawBytes, long events) {}

    @Override
    public void committed(Block block) {}

    @Override
    public void pending(Group group, String message) {}

    @Override
    public void problem(Group group, String message) {}
  }
}
