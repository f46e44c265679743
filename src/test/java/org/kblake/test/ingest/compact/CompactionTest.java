package org.kblake.test.ingest.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.Compaction;
import org.kblake.ingest.internal.compact.CompactionSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.DamagedLogs;
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * Merged blocks are equal to those of one backfill of the same span: every file, byte for byte, in
 * any order of merging.
 */
class CompactionTest {

  private static final int STEPS = 12;

  @TempDir Path directory;

  @Test
  void mergesTheRealRecording() throws Exception {
    mergesToOneBackfill(TestStores.recording(directory.resolve("archive")), 1, "recording");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "tiny-be", "mixed"})
  void mergesASample(String sample) throws Exception {
    mergesToOneBackfill(TestStores.sample(sample, directory.resolve("archive")), 1, sample);
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Seeds.cases(2, 4));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void mergesARandomArchive(long seed) throws Exception {
    Path root = directory.resolve("archive");
    RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    mergesToOneBackfill(root, seed, "seed " + seed);
  }

  /** Flipped bytes, zeros and cut ends also damage milestones, which then define no states. */
  @ParameterizedTest
  @MethodSource("seeds")
  void mergesADamagedArchive(long seed) throws Exception {
    Path root = directory.resolve("archive");
    RandomArchive.Written written = RandomArchive.write(root, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (RandomArchive.WrittenPair pair : written.pairs()) {
      DamagedLogs.damage(root.resolve(pair.logPath()), random);
    }
    TestStores.closePairs(root);
    mergesToOneBackfill(root, seed, "seed " + seed);
  }

  /** Row groups of 131,072 rows, and of 4 MiB of values, begin in the middle of blocks' chunks. */
  @Test
  void mergesLongChunks() throws Exception {
    Path root = directory.resolve("archive");
    SplittableRandom random = new SplittableRandom(7);
    List<RecordEntry> entries =
        List.of(
            new RecordEntry(0, "RF:FAST:1", ValueType.DOUBLE, 1),
            new RecordEntry(1, "RF:FAST:2", ValueType.DOUBLE, 1),
            new RecordEntry(2, "RF:MESSAGE", ValueType.STRING, 1),
            new RecordEntry(3, "RF:WAVE", ValueType.SHORT, 400),
            new RecordEntry(4, "RF:SLOW", ValueType.FLOAT, 1));
    try (LogWriter writer =
        LogWriter.create(
            root,
            new Group("RF", "Fast"),
            "20160516000000",
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(entries))) {
      long nanos = 1_463_324_400_000_000_000L;
      long[] wave = new long[400];
      for (int i = 0; i < 330_000; i++) {
        if (i % 15_000 == 0) {
          writer.milestone(nanos);
        }
        nanos += 1_000_000 + random.nextInt(100_000);
        writer.number(i % 2, nanos - random.nextInt(2) * 1_500_000L, 0, 0, random.nextInt(1000));
        if (i % 30 == 0) {
          writer.text(2, nanos, 0, 0, ("message " + i).getBytes(StandardCharsets.UTF_8));
        }
        // Waveforms are short for a long time, then long.
        if (i % 100 == 0) {
          int elements = i < 200_000 ? 1 : 400;
          wave[random.nextInt(400)] = random.nextInt(100);
          writer.numbers(3, nanos, 0, 0, wave, 0, elements);
        }
        if (i % 5_000 == 0) {
          writer.connection(4, nanos, i % 10_000 == 0, 3, 9);
        }
      }
    }
    TestStores.closePairs(root);
    mergesToOneBackfill(root, 7, "long chunks");
  }

  /**
   * A block begins with a damaged milestone, which defines no states. In this block alone, no state
   * is predicted for the next milestones. In the merged block, the states before the milestone are.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void mergesBlocksThatBeginWithABrokenMilestone(int broken) throws Exception {
    Path root = directory.resolve("archive");
    List<Long> milestones = new ArrayList<>();
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(5, "A", ValueType.DOUBLE, 1),
                new RecordEntry(6, "B", ValueType.STRING, 1),
                new RecordEntry(7, "C", ValueType.LONG, 8)));
    Path log = root.resolve("VA/CCG_20160516000000.log2");
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      long nanos = 1_463_324_400_000_000_000L;
      for (int i = 0; i < 4 * 30; i++) {
        if (i % 30 == 0) {
          milestones.add(writer.logBytes());
          writer.milestone(nanos);
        }
        nanos += TimeUnit.MINUTES.toNanos(1);
        // A channel has no events in later segments, so only milestones repeat its state.
        switch (i / 30) {
          case 0 -> writer.number(0, nanos, 1, 2, i);
          case 1 -> writer.text(1, nanos, 0, 0, ("text " + i).getBytes(StandardCharsets.UTF_8));
          default -> writer.numbers(2, nanos, 0, 0, new long[] {i, -i, 1}, 0, 3);
        }
      }
    }
    byte[] bytes = Files.readAllBytes(log);
    // The last byte of the first record's id.
    bytes[Math.toIntExact(milestones.get(broken)) + 16 + 3] ^= 1;
    Files.write(log, bytes);
    TestStores.closePairs(root);
    for (long seed = 0; seed < 4; seed++) {
      mergesToOneBackfill(root, seed, "broken milestone " + broken);
      for (String store : List.of("at-once", "merged")) {
        deleteTree(directory.resolve(store));
      }
    }
  }

  private static void deleteTree(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A single block is replaced by a newer one of the same span. */
  @Test
  void writesABlockInAnotherCodec() throws Exception {
    Path root = TestStores.sample("mixed", directory.resolve("archive"));
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path path = directory.resolve("store");
    TestStores.backfill(archive, path);
    AtomicLong paced = new AtomicLong();
    try (Store store = TestStores.storeForWriting(archive, path)) {
      for (Group group : store.groups()) {
        Block block = store.blocks(group, problem -> {}).get(0);
        byte[] patch = Files.readAllBytes(block.directory().resolve("patch.kb"));
        long before = block.storedBytes();
        paced.set(0);
        CompactionSettings settings =
            new CompactionSettings(
                1,
                BackfillSettings.MIN_MEMORY_BYTES,
                new WriteProfile(Codec.ZSTD, false),
                paced::addAndGet);
        Block anew =
            new Compaction(store, archive.settings().layouts(), settings, Compaction.Listener.NONE)
                .run(List.of(block), settings.profile());
        assertThat(anew.summary()).isEqualTo(block.summary());
        assertThat(anew.generation()).isEqualTo(block.generation() + 1);
        assertThat(anew.storedBytes()).isLessThan(before);
        assertThat(Files.readAllBytes(anew.directory().resolve("patch.kb"))).isEqualTo(patch);
        assertThat(store.blocks(group, problem -> {}))
            .extracting(Block::directory)
            .containsExactly(anew.directory());
        assertThat(block.directory()).doesNotExist();
        assertThat(paced.get())
            .as("all bytes read, most of them twice, and all bytes written")
            .isGreaterThan(before + anew.storedBytes());
      }
    }
    assertThat(TestStores.verify(archive, path)).isEmpty();
  }

  private void mergesToOneBackfill(Path root, long seed, String what) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    // With a small bound, spans and blocks are hardly wider than segments.
    long boundNanos = TimeUnit.SECONDS.toNanos(random.nextInt(3) == 0 ? 600 : 1);
    Archive archive =
        Archive.open(root, ArchiveSettings.defaults().withDisorderBoundNanos(boundNanos));
    Path atOnce = directory.resolve("at-once");
    Path merged = directory.resolve("merged");
    TestStores.backfill(archive, atOnce);
    TestStores.backfillInSteps(archive, merged, STEPS, random);
    int blocks = 0;
    try (Store reference = Store.open(atOnce, null);
        Store store = TestStores.storeForWriting(archive, merged)) {
      for (Group group : reference.groups()) {
        for (Block block : reference.blocks(group, problem -> {})) {
          blocks += merge(archive, store, block, random);
        }
      }
    }
    System.out.println(what + ": " + blocks + " blocks merged");
    assertThat(TestStores.verify(archive, merged)).as(what).isEmpty();
    Map<String, byte[]> expected = files(atOnce);
    Map<String, byte[]> actual = files(merged);
    assertThat(actual.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (file, bytes) ->
            assertThat(Arrays.mismatch(bytes, actual.get(file)))
                .as(what + " " + file)
                .isEqualTo(-1));
  }

  /** Merges random neighbours until there is one block. */
  private static int merge(Archive archive, Store store, Block wanted, SplittableRandom random)
      throws Exception {
    List<Block> parts = new ArrayList<>();
    for (Block block : store.blocks(wanted.group(), problem -> {})) {
      if (block.summary().from().compareTo(wanted.summary().from()) >= 0
          && block.summary().to().compareTo(wanted.summary().to()) <= 0) {
        parts.add(block);
      }
    }
    int blocks = parts.size();
    while (parts.size() > 1) {
      int from = random.nextInt(parts.size() - 1);
      int to = from + 2 + random.nextInt(parts.size() - from - 1);
      List<Block> neighbours = parts.subList(from, to);
      Block merged = TestStores.compact(archive, store, List.copyOf(neighbours));
      neighbours.clear();
      parts.add(from, merged);
    }
    return blocks;
  }

  /** Returns every file of every block by the block's name without its generation. */
  private static Map<String, byte[]> files(Path store) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(store)) {
      for (Path file : (Iterable<Path>) walk.filter(Files::isRegularFile)::iterator) {
        String name = store.relativize(file).toString();
        if (!name.startsWith("trash") && store.relativize(file).getNameCount() > 2) {
          files.put(name.replaceAll("\\.\\d+/", "/"), Files.readAllBytes(file));
        }
      }
    }
    return files;
  }
}
