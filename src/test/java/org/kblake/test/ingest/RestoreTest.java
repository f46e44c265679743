package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.verify.Restore;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.archive.DamagedLogs;
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * Property 3 of docs/architecture.md: blocks reproduce the log, byte for byte, whatever it
 * contains.
 */
class RestoreTest {

  private static final long MEMORY_BYTES = 16 << 20;

  @TempDir Path directory;

  @Test
  void restoresTheRealRecording() throws Exception {
    roundTrip(TestStores.recording(directory.resolve("archive")), "recording");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "tiny-be", "mixed"})
  void restoresASample(String sample) throws Exception {
    roundTrip(TestStores.sample(sample, directory.resolve("archive")), sample);
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Seeds.cases(4, 12));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void restoresARandomArchive(long seed) throws Exception {
    Path root = directory.resolve("archive");
    RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    roundTrip(root, "seed " + seed);
  }

  /** Flipped bytes, zeros and cut ends: bytes that are not events are stored unchanged. */
  @ParameterizedTest
  @MethodSource("seeds")
  void restoresADamagedArchive(long seed) throws Exception {
    Path root = directory.resolve("archive");
    RandomArchive.Written written = RandomArchive.write(root, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (RandomArchive.WrittenPair pair : written.pairs()) {
      DamagedLogs.damage(root.resolve(pair.logPath()), random);
    }
    TestStores.closePairs(root);
    roundTrip(root, "seed " + seed);
  }

  /**
   * The state of a silent record in a milestone predicts the next milestone, even if the state is
   * impossible.
   */
  @Test
  void restoresEachDamageOfAMilestone() throws Exception {
    Path log = directory.resolve("undamaged");
    Group group = new Group("VA", "CCG");
    long second = 1_000_000_000L;
    long begin = 1_463_324_400 * second;
    long from = 0;
    long to = 0;
    try (LogWriter writer =
        LogWriter.create(
            log,
            group,
            "20160516000000",
            ByteOrder.BIG_ENDIAN,
            new RecordTable(
                List.of(
                    new RecordEntry(0, "A", ValueType.DOUBLE, 1),
                    new RecordEntry(1, "B", ValueType.DOUBLE, 1))))) {
      for (int segment = 0; segment < 9; segment++) {
        long milestone = begin + segment * (600 * second);
        from = segment == 4 ? writer.logBytes() : from;
        writer.milestone(milestone);
        to = segment == 4 ? writer.logBytes() : to;
        writer.number(0, milestone + second, 0, 0, segment);
        if (segment == 0) {
          writer.number(1, milestone + 2 * second, 0, 0, 2);
        }
      }
    }
    String file;
    try (Stream<Path> files = Files.walk(log)) {
      file =
          log.relativize(
                  files.filter(it -> it.toString().endsWith(".log2")).findFirst().orElseThrow())
              .toString();
    }
    for (long at = from; at < to; at++) {
      Path root = directory.resolve("archive" + at);
      TestStores.copy(log, root);
      byte[] bytes = Files.readAllBytes(root.resolve(file));
      bytes[(int) at] ^= (byte) 0xff;
      Files.write(root.resolve(file), bytes);
      TestStores.closePairs(root);
      roundTrip(root, Files.createDirectory(directory.resolve("at" + at)), "byte " + at);
    }
  }

  private void roundTrip(Path root, String what) throws Exception {
    roundTrip(root, directory, what);
  }

  private static void roundTrip(Path root, Path into, String what) throws Exception {
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path storePath = into.resolve("store");
    TestStores.backfillInThreeSteps(archive, storePath, new UnforcedFiles());
    assertThat(TestStores.verify(archive, storePath)).as(what).isEmpty();
    Path restored = into.resolve("restored");
    try (Store store = Store.open(storePath, null)) {
      Restore restore = new Restore(store, archive.settings().layouts(), MEMORY_BYTES);
      for (Group group : store.groups()) {
        AtomicLong done = new AtomicLong();
        Restore.Result result = restore.run(group, restored, done::addAndGet);
        assertThat(result.refused()).as(what).isEmpty();
        long bytes = 0;
        for (Block block : store.blocks(group, damaged -> {})) {
          bytes += block.summary().rawBytes();
        }
        assertThat(done).as(what).hasValue(bytes);
      }
    }
    Map<String, List<Object>> expected = pairs(root);
    removeUnstored(archive, expected);
    Map<String, List<Object>> actual = pairs(restored);
    assertThat(actual.keySet()).as(what).isEqualTo(expected.keySet());
    expected.forEach(
        (file, summary) -> {
          List<Object> found = Objects.requireNonNull(actual.get(file));
          assertThat((byte[]) found.get(0)).as(what + " " + file).isEqualTo(summary.get(0));
          assertThat(found.get(1)).as(what + " " + file).isEqualTo(summary.get(1));
        });
  }

  /** Removes pairs whose log ends inside its first milestone. Blocks have none of them. */
  private static void removeUnstored(Archive archive, Map<String, List<Object>> files)
      throws IOException {
    for (Group group : archive.groups()) {
      for (Pair pair : archive.pairs(group)) {
        if (pair.open().milestones().count() == 0) {
          files.keySet().removeIf(file -> file.contains(pair.stamp()));
        }
      }
    }
  }

  /** Returns every file of pairs with events: its bytes and its modification time. */
  private static Map<String, List<Object>> pairs(Path root) throws IOException {
    Map<String, List<Object>> pairs = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = root.relativize(file).toString();
        if (name.matches(".*\\.log[12]")) {
          pairs.put(name, List.of(Files.readAllBytes(file), Files.getLastModifiedTime(file)));
        }
      }
    }
    return pairs;
  }
}
