package org.kblake.test.ingest.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.Compaction;
import org.kblake.ingest.internal.compact.CompactionSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.volume.KilledWriterFiles;
import org.kblake.test.fixture.volume.RecordingFiles;

/**
 * After any error or kill during a compaction, either the old blocks or the new one are in use. No
 * event is lost or doubled, and the next compaction completes the work.
 */
class CompactionFailuresTest {

  private static final long SEED = 20261121;
  private static final int POWER_CUTS = Seeds.cases(6, 16);
  private static final int KILLS = Seeds.cases(5, 10);
  private static final int INTERRUPTS = Seeds.cases(6, 16);
  private static final Group GROUP = Group.parse("RF/AnalogData");

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");

  @BeforeEach
  void makeBlocks() throws Exception {
    root = TestStores.sample("mixed", directory.resolve("archive"));
    store = Files.createDirectories(directory.resolve("store"));
  }

  private Archive archive() throws IOException {
    return Archive.open(
        root, ArchiveSettings.defaults().withDisorderBoundNanos(TimeUnit.SECONDS.toNanos(1)));
  }

  private void backfill() throws Exception {
    TestStores.backfillInSteps(archive(), store, 12, new SplittableRandom(SEED));
  }

  private static List<Block> blocks(Store store) throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (Block block : store.blocks(GROUP, problem -> {})) {
      if (blocks.isEmpty() || adjoins(blocks.get(blocks.size() - 1), block)) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  private static boolean adjoins(Block before, Block block) {
    return before.summary().to().equals(block.summary().from())
        || block.summary().from().offset() == 0;
  }

  private static long rawBytes(Path store) throws IOException {
    try (Store opened = Store.open(store, null)) {
      return opened.blocks(GROUP, problem -> {}).stream()
          .mapToLong(block -> block.summary().rawBytes())
          .sum();
    }
  }

  private static long unfinished(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(file -> file.getFileName().toString().startsWith("unfinished")).count();
    }
  }

  /** Completes the merge of a store that was left, and verifies the result. */
  private void finish(Path left, long rawBytes, String where) throws Exception {
    try (Store opened = TestStores.storeForWriting(archive(), left)) {
      assertThat(unfinished(left)).as(where).isZero();
      assertThat(rawBytes(left)).as(where).isEqualTo(rawBytes);
      opened.discardSuperseded(GROUP);
      List<Block> blocks = blocks(opened);
      if (blocks.size() > 1) {
        TestStores.compact(archive(), opened, blocks);
      }
      assertThat(opened.blocks(GROUP, problem -> {})).as(where).hasSize(1);
      try (Stream<Path> names = Files.list(left.resolve("RF/AnalogData"))) {
        assertThat(names).as(where).hasSize(1);
      }
    }
    assertThat(rawBytes(left)).as(where).isEqualTo(rawBytes);
    assertThat(TestStores.verify(archive(), left)).as(where).isEmpty();
  }

  @Test
  void survivesAPowerCutAtAnyStep() throws Exception {
    RecordingFiles recording = new RecordingFiles(store);
    TestStores.backfillInThreeSteps(archive(), store, recording);
    int begin = recording.steps();
    long rawBytes = rawBytes(store);
    try (Store opened = Store.openForWriting(store, TestStores.identity(archive()), recording)) {
      List<Block> blocks = blocks(opened);
      assertThat(blocks).hasSizeGreaterThan(1);
      TestStores.compact(archive(), opened, blocks);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < POWER_CUTS; i++) {
      // Cuts are more frequent among the last steps, which are those of the commit and the trash.
      int steps = recording.steps() - begin;
      int back = random.nextInt(i % 2 == 0 ? steps + 1 : Math.min(steps, 20));
      Path left = directory.resolve("left-" + i);
      recording.powerCut(recording.steps() - back, random.nextBoolean(), left);
      finish(left, rawBytes, "seed " + SEED + ", cut " + i + ", " + back + " steps from the end");
    }
  }

  @Test
  void survivesAKillAtAnyStep() throws Exception {
    backfill();
    long rawBytes = rawBytes(store);
    int steps = stepsUntilDone(directory.resolve("whole"));
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < KILLS; i++) {
      int life = i % 2 == 0 ? random.nextInt(steps) : steps - 1 - random.nextInt(20);
      Path left = directory.resolve("killed-" + i);
      copy(store, left);
      KilledWriterFiles files = new KilledWriterFiles(life);
      assertThatThrownBy(() -> compact(left, files, Pace.FREE))
          .hasStackTraceContaining(KilledWriterFiles.KILLED);
      finish(left, rawBytes, "seed " + SEED + ", kill " + i + " after step " + life);
    }
  }

  private int stepsUntilDone(Path copy) throws Exception {
    copy(store, copy);
    KilledWriterFiles files = new KilledWriterFiles(Integer.MAX_VALUE);
    compact(copy, files, Pace.FREE);
    return files.steps();
  }

  private void compact(Path into, StoreFiles files, Pace pace) throws Exception {
    try (Store opened = Store.openForWriting(into, TestStores.identity(archive()), files)) {
      compaction(opened, pace).run(blocks(opened), WriteProfile.STANDARD);
    }
  }

  private Compaction compaction(Store opened, Pace pace) throws IOException {
    return new Compaction(
        opened,
        archive().settings().layouts(),
        new CompactionSettings(2, BackfillSettings.MIN_MEMORY_BYTES, WriteProfile.STANDARD, pace),
        Compaction.Listener.NONE);
  }

  /**
   * Another thread takes a block out of use when the merged block gets its name. The merged block
   * must not have the events of a block that this thread took out of use.
   */
  @Test
  void mergedBlockHasNoEventsOfABlockThatWasTakenOutOfUse() throws Exception {
    backfill();
    AtomicReference<Thread> other = new AtomicReference<>();
    StoreFiles files =
        new UnforcedFiles() {
          @Override
          public void rename(Path from, Path to) throws IOException {
            Thread discarding = other.getAndSet(null);
            if (discarding != null) {
              discarding.start();
              while (discarding.isAlive() && discarding.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
            }
            super.rename(from, to);
          }
        };
    try (Store opened = Store.openForWriting(store, TestStores.identity(archive()), files)) {
      List<Block> blocks = blocks(opened);
      assertThat(blocks).hasSizeGreaterThan(1);
      FutureTask<Boolean> discard = new FutureTask<>(() -> opened.discard(blocks.get(0)));
      other.set(new Thread(discard, "discarding"));
      TestStores.compact(archive(), opened, blocks);
      assertThat(discard.get()).isFalse();
    }
  }

  @Test
  void interruptLeavesNothingUnfinished() throws Exception {
    backfill();
    long rawBytes = rawBytes(store);
    AtomicInteger asked = new AtomicInteger();
    Path copy = directory.resolve("copy");
    copy(store, copy);
    compact(copy, StoreFiles.LOCAL, bytes -> asked.incrementAndGet());
    SplittableRandom random = new SplittableRandom(SEED);
    Thread compacting = Thread.currentThread();
    for (int i = 0; i < INTERRUPTS; i++) {
      int at = random.nextInt(asked.get());
      String where = "seed " + SEED + ", interrupt at " + at;
      AtomicInteger now = new AtomicInteger();
      Path stopped = directory.resolve("stopped-" + i);
      copy(store, stopped);
      Pace interrupting =
          bytes -> {
            if (now.getAndIncrement() == at) {
              compacting.interrupt();
            }
          };
      try (Store opened = TestStores.storeForWriting(archive(), stopped)) {
        List<Block> blocks = blocks(opened);
        assertThatThrownBy(
                () -> compaction(opened, interrupting).run(blocks, WriteProfile.STANDARD))
            .as(where)
            .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).as(where).isFalse();
        assertThat(unfinished(stopped)).as(where).isZero();
      }
      finish(stopped, rawBytes, where);
    }
  }

  @Test
  void blockThatDoesNotReproduceItsLogIsNotMerged() throws Exception {
    backfill();
    long rawBytes = rawBytes(store);
    SplittableRandom random = new SplittableRandom(SEED);
    Map<Path, List<Path>> kinds;
    try (Stream<Path> walk = Files.walk(store.resolve(GROUP.toString()))) {
      kinds =
          walk.filter(Files::isRegularFile)
              .sorted()
              .collect(Collectors.groupingBy(Path::getFileName, TreeMap::new, Collectors.toList()));
    }
    List<Path> files = kinds.values().stream().flatMap(kind -> Seeds.sample(2, kind)).toList();
    int refused = 0;
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      byte[] flipped = bytes.clone();
      flipped[bytes.length / 2 + random.nextInt(bytes.length / 4)] ^= 1;
      Path copy = directory.resolve("flipped-" + files.indexOf(file));
      copy(store, copy);
      Path flippedFile = copy.resolve(store.relativize(file));
      Files.write(flippedFile, flipped);
      try (Store opened = TestStores.storeForWriting(archive(), copy)) {
        List<Block> blocks = blocks(opened);
        if (blocks.stream().anyMatch(block -> flippedFile.startsWith(block.directory()))) {
          try {
            compaction(opened, Pace.FREE).run(blocks, WriteProfile.STANDARD);
          } catch (CorruptBlockException e) {
            assertThat(e).hasMessageContaining(String.valueOf(flippedFile.getParent()));
            assertThat(unfinished(copy)).isZero();
            assertThat(rawBytes(copy)).isEqualTo(rawBytes);
            assertThat(opened.blocks(GROUP, problem -> {})).hasSameSizeAs(blocks);
            refused++;
            continue;
          }
        }
      }
      // Some bytes are unused, or used by other programs only. The merged block is then correct.
      Files.deleteIfExists(flippedFile);
      assertThat(TestStores.verify(archive(), copy)).as("flipped " + file).isEmpty();
    }
    assertThat(refused).isGreaterThan(files.size() / 3);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.getFileName().toString().equals("writer.lock")) {
          Files.copy(file, target);
        }
      }
    }
  }
}
