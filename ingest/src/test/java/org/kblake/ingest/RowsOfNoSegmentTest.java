package org.kblake.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.LogScanner;
import org.kblake.core.log.PairLog;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.core.simulate.RandomArchive;
import org.kblake.core.store.Block;
import org.kblake.core.store.BlockWriter;
import org.kblake.core.store.Pace;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoreIdentity;
import org.kblake.core.store.parquet.WriteProfile;

/**
 * A block that has a row of no segment of it, as blocks may have that were made before a segment
 * was taken back which could not be read to its end: it gives its log back, and yet it is wrong.
 */
final class RowsOfNoSegmentTest {

  private static final Group GROUP = RandomArchive.SMALL_GROUP;
  private static final int SEGMENTS = 2;
  private static final long SEED = 4;

  @TempDir Path directory;

  private Archive archive;

  @BeforeEach
  void writeArchive() throws IOException {
    Path root = directory.resolve("archive");
    RandomArchive.writeSmall(root, SEED);
    archive =
        Archive.open(
            root,
            ArchiveSettings.defaults()
                .withZone(RandomArchive.ZONE)
                .withDisorderBoundNanos(RandomArchive.DISORDER_BOUND_NANOS));
  }

  private Store store() throws IOException {
    return Store.openForWriting(
        directory.resolve("store"),
        StoreIdentity.of(
            archive.root(),
            archive.settings().zone().getId(),
            archive.settings().disorderBoundNanos(),
            "kekblog",
            "standard"));
  }

  /** Makes a block of the first segments of the first pair, and a row of the one behind them. */
  private void makeBlock(Store store) throws Exception {
    PairLog log = archive.pairs(GROUP).get(0).open();
    ExecutorService encoders = Executors.newSingleThreadExecutor();
    ScatteredRows rows = new ScatteredRows(new RowMemory(64 << 20, directory));
    try (BlockWriter writer = store.write(GROUP, WriteProfile.STANDARD);
        LogScanner scanner = log.scan(0, log.logBytes(), null, true)) {
      BlockRecorder recorder = new BlockRecorder(GROUP, rows, writer.patch());
      recorder.pair(log, 0);
      for (int i = 0; i < SEGMENTS; i++) {
        assertThat(scanner.nextSegment()).isTrue();
        recorder.segment(scanner);
      }
      rows.add(number(recorder.series()), 1, 0, EventState.VALUE_CODE, 0, 0, true, SEGMENTS, 0, 0);
      new RowEncoding(encoders, new Semaphore(1), 1, WriteProfile.STANDARD)
          .write(rows, recorder.series(), writer);
      writer.commit(recorder.facts(), recorder.segments(), recorder.pairs(), recorder.damage(), 1);
    } finally {
      encoders.shutdownNow();
    }
  }

  private static int number(List<Series> all) {
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).waveform() && all.get(i).type() != ValueType.STRING) {
        return i;
      }
    }
    throw new AssertionError("no series of numbers: " + all);
  }

  @Test
  void isFoundNotMergedAndMadeAgain() throws Exception {
    try (Store store = store()) {
      makeBlock(store);
      Heard heard = new Heard();
      backfill(store, heard);
      List<Block> blocks = store.blocks(GROUP, problem -> {});
      assertThat(blocks).hasSizeGreaterThan(1);

      Instant later = Instant.parse("2030-01-01T00:00:00Z");
      new Compactor(
              archive,
              store,
              new CompactionPlan(RandomArchive.ZONE, CompactionPlan.DEFAULT_MOST_RAW_BYTES),
              new CompactionSettings(
                  1, BackfillSettings.LEAST_MEMORY_BYTES, WriteProfile.STANDARD, Pace.FREE),
              heard)
          .run(GROUP, later);
      assertThat(heard.problems)
          .singleElement()
          .asString()
          .startsWith("block is damaged: file=" + blocks.get(0))
          .contains("verify --discard and backfill make it again");

      heard.problems.clear();
      assertThat(verify(store, false, heard).failed()).isEqualTo(1);
      assertThat(heard.problems)
          .singleElement()
          .asString()
          .contains("found=", "events in ", " those of its segments");

      assertThat(verify(store, true, heard).discarded()).isEqualTo(1);
      backfill(store, heard);
      assertThat(verify(store, false, heard).failed()).isZero();
      assertThat(store.blocks(GROUP, problem -> {}).get(0).facts().from().offset()).isZero();
    }
  }

  private void backfill(Store store, BackfillListener listener) throws Exception {
    new Backfill(
            archive,
            store,
            new BackfillSettings(
                List.of(),
                TimeRange.ALL,
                1,
                BackfillSettings.LEAST_MEMORY_BYTES,
                0,
                WriteProfile.STANDARD),
            listener)
        .run();
  }

  private Verify.Summary verify(Store store, boolean discard, Verify.Listener listener)
      throws Exception {
    return new Verify(
            archive,
            store,
            archive.settings().layouts(),
            BackfillSettings.LEAST_MEMORY_BYTES,
            discard,
            listener)
        .run(List.of(GROUP));
  }

  /** Hears what is wrong. */
  private static final class Heard
      implements BackfillListener, Verify.Listener, Compactor.Listener {
    private final List<String> problems = new ArrayList<>();

    @Override
    public void planned(long rawBytes) {}

    @Override
    public void scanned(Group group, long rawBytes, long events) {}

    @Override
    public void committed(Block block, long storedBytes) {}

    @Override
    public void committed(List<Block> merged, long mergedBytes, Block block, long storedBytes) {}

    @Override
    public void proved(Group group, long rawBytes) {}

    @Override
    public void sound(Block block, boolean againstLog) {}

    @Override
    public void note(Group group, String message) {}

    @Override
    public void failed(Group group, String message) {
      problems.add(message);
    }

    @Override
    public void problem(Group group, String message) {
      problems.add(message);
    }
  }
}
