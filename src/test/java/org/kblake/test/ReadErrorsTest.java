package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.FileAccess;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairLog;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.simulate.RandomArchive;
import org.kblake.core.store.Block;
import org.kblake.core.store.Pace;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoredSegment;
import org.kblake.core.store.parquet.Codec;
import org.kblake.core.store.parquet.WriteProfile;
import org.kblake.ingest.Backfill;
import org.kblake.ingest.BackfillListener;
import org.kblake.ingest.BackfillSettings;
import org.kblake.ingest.BackfillSummary;
import org.kblake.ingest.CompactionPlan;
import org.kblake.ingest.CompactionSettings;
import org.kblake.ingest.Compactor;
import org.kblake.ingest.Restore;
import org.kblake.ingest.Verify;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelSelection;
import org.kblake.query.EventQuery;

/**
 * A network volume fails from its k-th read on, for every k there is: what was read before is in
 * columns, what was not is read from the log later, and the group of another volume does not care.
 */
final class ReadErrorsTest {

  private static final Group FAILING = RandomArchive.SMALL_GROUP;
  private static final Group OTHER = new Group("RF", "CCG");

  /** The archive of the one has strings, waveforms and disorder; that of the other is smaller. */
  private static final long SEED = Long.getLong("seed", 4);

  /** Every so many reads answers are compared, and what is missing is read once more. */
  private static final int DEEP = 7;

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path storePath = Path.of("");
  private FailingReads volume = new FailingReads(Path.of("/"));
  private Archive archive;

  @BeforeEach
  void writeArchive() throws IOException {
    root = directory.resolve("archive");
    RandomArchive.writeSmall(directory.resolve("other"), SEED + 1);
    RandomArchive.writeSmall(root, SEED);
    Files.move(directory.resolve("other/VA"), root.resolve("RF"));
    TestStores.closePairs(root);
    volume = new FailingReads(root.resolve(FAILING.system()));
    GuardedProvider provider = new GuardedProvider(root, volume);
    archive =
        Archive.unseen(
            provider.path(root),
            ArchiveSettings.defaults()
                .withZone(RandomArchive.ZONE)
                .withDisorderBoundNanos(RandomArchive.DISORDER_BOUND_NANOS)
                .withSettleNanos(0),
            FileAccess.WAITING);
  }

  /** Makes the newest pair of the failing group look as if it grew. */
  private void grow() throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.list(root.resolve(FAILING.system()))) {
      files = walk.sorted().toList();
    }
    for (Path file : files.subList(files.size() - 2, files.size())) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(3_600)));
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0,false,1", "2,0,false,7", "1,0,true,3", "1,100000000,false,7"})
  void backfillKeepsWhatWasRead(int threads, long ioLimit, boolean growing, int every)
      throws Exception {
    if (growing) {
      grow();
    }
    List<String> raw = events(null);
    NavigableSet<Long> cuts = cuts();
    volume.failAfter(Long.MAX_VALUE);
    storePath = directory.resolve("whole");
    assertThat(backfill(threads, ioLimit, new Heard()).problems()).isZero();
    long reads = volume.reads();
    assertThat(reads).isBetween(20L, 2_000L);
    long most = covered(FAILING);
    long others = covered(OTHER);
    int partly = 0;
    for (long k = 0; k < reads; k += every) {
      String where = "seed " + SEED + ", read " + k + " of " + reads;
      storePath = directory.resolve("store-" + k);
      volume.failAfter(k);
      Heard heard = new Heard();
      try {
        BackfillSummary summary = backfill(threads, ioLimit, heard);
        assertThat(summary.problems()).as(where).isPositive();
      } catch (Exception e) {
        throw new AssertionError(where, e);
      } finally {
        volume.mend();
      }
      assertThat(covered(OTHER)).as(where).isEqualTo(others);
      long kept = covered(FAILING);
      if (!growing) {
        assertThat(kept).as(where).isEqualTo(cuts.floor(heard.scanned));
      }
      partly += kept > 0 && kept < most ? 1 : 0;
      assertThat(heard.problems).as(where).allMatch(text -> text.contains("VA"));
      requireEventsOfSegments(where);
      assertThat(unfinished()).as(where).isZero();
      if (k % DEEP == 0) {
        assertThat(TestStores.verify(archive, storePath)).as(where).isEmpty();
        assertThat(events(storePath)).as(where).isEqualTo(raw);
        assertThat(backfill(threads, ioLimit, new Heard()).problems()).as(where).isZero();
        assertThat(covered(FAILING)).as(where).isEqualTo(most);
        assertThat(events(storePath)).as(where).isEqualTo(raw);
      }
    }
    assertThat(partly).isGreaterThan(60 / every);
  }

  /** Blocks whose log cannot be read are proved by hashes, or left alone; the others as ever. */
  @Test
  void verifyAndCompactGoOn() throws Exception {
    storePath = directory.resolve("store");
    TestStores.backfillInSteps(archive, storePath, 4, new SplittableRandom(SEED));
    volume.failAfter(Long.MAX_VALUE);
    Proved whole = verify();
    long reads = volume.reads();
    assertThat(reads).isGreaterThan(20);
    int hashes = 0;
    for (long k = 0; k < reads; k++) {
      String where = "seed " + SEED + ", read " + k + " of " + reads;
      volume.failAfter(k);
      Proved proved = verify();
      volume.mend();
      assertThat(proved.failures).as(where).isEmpty();
      assertThat(proved.sound).as(where).isEqualTo(whole.sound);
      hashes = Math.max(hashes, proved.notes);
    }
    assertThat(hashes).isPositive();
    for (long k = 0; k < 40; k++) {
      compact(k, "seed " + SEED + ", read " + k);
    }
    compact(Long.MAX_VALUE, "at last");
    assertThat(TestStores.verify(archive, storePath)).isEmpty();
  }

  /** Merges what may be merged: each time less is left, and the other group's blocks never wait. */
  private void compact(long k, String where) throws Exception {
    List<String> problems = new ArrayList<>();
    try (Store store =
        Store.openForWriting(storePath, TestStores.identity(archive), new UnforcedFiles())) {
      Compactor compactor =
          new Compactor(
              archive,
              store,
              new CompactionPlan(RandomArchive.ZONE, CompactionPlan.DEFAULT_MOST_RAW_BYTES),
              new CompactionSettings(
                  1, BackfillSettings.LEAST_MEMORY_BYTES, WriteProfile.STANDARD, Pace.FREE),
              new Compactor.Listener() {
                @Override
                public void proved(Group group, long rawBytes) {}

                @Override
                public void committed(
                    List<Block> merged, long mergedBytes, Block block, long storedBytes) {}

                @Override
                public void problem(Group group, String message) {
                  problems.add(message);
                }
              });
      volume.failAfter(k);
      for (Group group : List.of(FAILING, OTHER)) {
        compactor.planned(group, Instant.parse("2030-01-01T00:00:00Z"));
        compactor.run(group, Instant.parse("2030-01-01T00:00:00Z"));
      }
      volume.mend();
      assertThat(problems).as(where).allMatch(text -> text.contains("VA")).hasSizeLessThan(2);
      assertThat(store.blocks(OTHER, problem -> {})).as(where).hasSize(1);
    }
  }

  private Proved verify() throws Exception {
    Proved proved = new Proved();
    try (Store store = Store.open(storePath, null)) {
      new Verify(
              archive,
              store,
              archive.settings().layouts(),
              BackfillSettings.LEAST_MEMORY_BYTES,
              false,
              proved)
          .run(List.of(FAILING, OTHER));
    }
    return proved;
  }

  /** Here it is the store's disk that fails, below the directory of one group. */
  @Test
  void restoreGoesOnWithOtherGroups() throws Exception {
    storePath = directory.resolve("store");
    TestStores.backfill(archive, storePath);
    FailingReads disk = new FailingReads(storePath.resolve(FAILING.system()));
    Path seen = new GuardedProvider(storePath, disk).path(storePath);
    disk.failAfter(Long.MAX_VALUE);
    int pairs = restore(seen, "whole");
    long reads = disk.reads();
    assertThat(reads).isGreaterThan(20);
    assertThat(pairs).isPositive();
    for (long k = 0; k < reads; k++) {
      disk.failAfter(k);
      assertThat(restore(seen, "into-" + k)).isLessThan(pairs);
      try (Stream<Path> files = Files.walk(directory.resolve("into-" + k))) {
        assertThat(files.filter(file -> file.toString().contains("unfinished"))).isEmpty();
      }
    }
    disk.mend();
    assertThat(restore(seen, "mended")).isEqualTo(pairs);
  }

  /**
   * @return restored pairs of the group whose disk may fail
   */
  private int restore(Path seen, String into) throws Exception {
    try (Store store = Store.open(seen, null)) {
      Restore restore =
          new Restore(store, archive.settings().layouts(), BackfillSettings.LEAST_MEMORY_BYTES);
      Restore.Result failing = restore.run(FAILING, directory.resolve(into));
      Restore.Result other = restore.run(OTHER, directory.resolve(into));
      assertThat(other.refused()).as(into).isEmpty();
      assertThat(failing.restored().size() + failing.refused().size()).as(into).isPositive();
      return failing.restored().size();
    }
  }

  private static final class Proved implements Verify.Listener {
    private final List<String> failures = new ArrayList<>();
    private int sound;
    private int notes;

    @Override
    public void planned(long rawBytes) {}

    @Override
    public void proved(Group group, long rawBytes) {}

    @Override
    public void sound(Block block, boolean againstLog) {
      sound++;
    }

    @Override
    public void failed(Group group, String message) {
      failures.add(message);
    }

    @Override
    public void note(Group group, String message) {
      notes++;
    }
  }

  private BackfillSummary backfill(int threads, long ioLimit, BackfillListener listener)
      throws IOException, InterruptedException {
    try (Store store =
        Store.openForWriting(storePath, TestStores.identity(archive), new UnforcedFiles())) {
      return new Backfill(
              archive,
              store,
              new BackfillSettings(
                  List.of(FAILING, OTHER),
                  TimeRange.ALL,
                  threads,
                  BackfillSettings.LEAST_MEMORY_BYTES,
                  ioLimit,
                  new WriteProfile(Codec.LZ4, false)),
              listener)
          .run();
    }
  }

  /** Where the log of the failing group may be cut, pair behind pair, as the indexes say. */
  private NavigableSet<Long> cuts() throws IOException {
    NavigableSet<Long> cuts = new TreeSet<>();
    long before = 0;
    for (Pair pair : archive.pairs(FAILING)) {
      PairLog log = pair.open();
      for (int i = 0; i < log.milestones().count(); i++) {
        cuts.add(before + log.milestones().offset(i));
      }
      before += log.logBytes();
    }
    cuts.add(before);
    return cuts;
  }

  private long covered(Group group) throws IOException {
    try (Store store = Store.open(storePath, null)) {
      return store.blocks(group, problem -> {}).stream()
          .mapToLong(block -> block.facts().rawBytes())
          .sum();
    }
  }

  private void requireEventsOfSegments(String where) throws IOException {
    try (Store store = Store.open(storePath, null)) {
      for (Block block : store.blocks(FAILING, problem -> {})) {
        assertThat(block.segments().stream().mapToLong(StoredSegment::events).sum())
            .as(where)
            .isEqualTo(block.facts().events());
        assertThat(block.chunks().stream().mapToLong(chunk -> chunk.rows()).sum())
            .as(where)
            .isEqualTo(block.facts().events());
      }
    }
  }

  private long unfinished() throws IOException {
    try (Stream<Path> files = Files.walk(storePath)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("unfinished"))
          .count();
    }
  }

  /**
   * @param store null to read the logs
   */
  private List<String> events(@Nullable Path store) throws IOException {
    ArchiveReader.Builder builder =
        ArchiveReader.builder().archive(root).settings(archive.settings());
    if (store != null) {
      builder.store(store);
    }
    try (ArchiveReader reader = builder.open()) {
      return AnswerLines.read(
              reader,
              EventQuery.of(ChannelSelection.glob("*"))
                  .between(
                      Instant.parse("2019-01-01T00:00:00Z"), Instant.parse("2021-01-01T00:00:00Z"))
                  .withStrays())
          .events();
    }
  }

  private static final class Heard implements BackfillListener {
    private long scanned;
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void planned(long rawBytes) {}

    @Override
    public synchronized void scanned(Group group, long rawBytes, long events) {
      if (group.equals(FAILING)) {
        scanned += rawBytes;
      }
    }

    @Override
    public void committed(Block block, long storedBytes) {}

    @Override
    public void problem(Group group, String message) {
      problems.add(group + ": " + message);
    }
  }
}
