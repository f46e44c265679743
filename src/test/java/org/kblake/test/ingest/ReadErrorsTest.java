package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.volume.TwoVolumes.FAILING;
import static org.kblake.test.fixture.volume.TwoVolumes.OTHER;
import static org.kblake.test.fixture.volume.TwoVolumes.SEED;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillEstimate;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.fixture.volume.FailingReads;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.TwoVolumes;
import org.kblake.test.oracle.AnswerLines;

/**
 * A network volume fails from its k-th read on, for every k. Events that were read before are in
 * columns. The others are read from the log later. The group of another volume is not affected.
 */
final class ReadErrorsTest {

  /** Answers are compared, and missing spans are read again, at every seventh failing read. */
  private static final int DEEP = 7;

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path storePath = Path.of("");
  private FailingReads volume = new FailingReads(Path.of("/"));
  private Archive archive;

  @BeforeEach
  void writeArchive() throws IOException {
    root = TwoVolumes.write(directory);
    volume = new FailingReads(root.resolve(FAILING.system()));
    GuardedProvider provider = new GuardedProvider(root, volume);
    archive =
        Archive.unchecked(
            provider.path(root), TwoVolumes.settings().withSettleNanos(0), FileAccess.WAITING);
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
  void backfillKeepsTheSegmentsRead(int threads, long ioLimit, boolean growing, int every)
      throws Exception {
    if (growing) {
      grow();
    }
    List<String> raw = events(null);
    NavigableSet<Long> cuts = cuts();
    volume.failAfter(Long.MAX_VALUE);
    storePath = directory.resolve("whole");
    assertThat(backfill(threads, ioLimit, new RecordingListener()).problems()).isZero();
    long reads = volume.reads();
    assertThat(reads).isBetween(20L, 2_000L);
    long most = covered(FAILING);
    long others = covered(OTHER);
    int partly = 0;
    int step = every * Seeds.cases(3, 1);
    for (long k = 0; k < reads; k += step) {
      String where = "seed " + SEED + ", read " + k + " of " + reads;
      storePath = directory.resolve("store-" + k);
      volume.failAfter(k);
      RecordingListener listener = new RecordingListener();
      try {
        BackfillSummary summary = backfill(threads, ioLimit, listener);
        assertThat(summary.problems()).as(where).isPositive();
      } catch (Exception e) {
        throw new AssertionError(where, e);
      } finally {
        volume.mend();
      }
      assertThat(covered(OTHER)).as(where).isEqualTo(others);
      long kept = covered(FAILING);
      if (!growing) {
        assertThat(kept).as(where).isEqualTo(cuts.floor(listener.scanned));
      }
      partly += kept > 0 && kept < most ? 1 : 0;
      assertThat(listener.problems).as(where).allMatch(text -> text.contains("VA"));
      requireEventsOfSegments(where);
      assertThat(unfinished()).as(where).isZero();
      if (k % DEEP == 0) {
        assertThat(TestStores.verify(archive, storePath)).as(where).isEmpty();
        assertThat(events(storePath)).as(where).isEqualTo(raw);
        assertThat(backfill(threads, ioLimit, new RecordingListener()).problems())
            .as(where)
            .isZero();
        assertThat(covered(FAILING)).as(where).isEqualTo(most);
        assertThat(events(storePath)).as(where).isEqualTo(raw);
      }
    }
    // A scan of a closed log takes headers from its pieces, so few of the reads lie within scans.
    assertThat(partly).isGreaterThan(10 / step);
  }

  @Test
  void dryRunReportsTheGroupAndEstimatesTheOther() throws Exception {
    volume.failAfter(Long.MAX_VALUE);
    long all = estimate("whole", new RecordingListener()).rawBytes();
    long reads = volume.reads();
    assertThat(reads).isGreaterThan(20);
    storePath = directory.resolve("store");
    backfill(1, 0, new RecordingListener());
    long others = covered(OTHER);
    for (long k = 0; k < reads; k += 1 + reads / 12) {
      String where = "seed " + SEED + ", read " + k + " of " + reads;
      RecordingListener listener = new RecordingListener();
      volume.failAfter(k);
      BackfillEstimate.Result result = estimate("sample-" + k, listener);
      volume.mend();
      assertThat(listener.problems).as(where).isNotEmpty().allMatch(text -> text.contains("VA"));
      assertThat(result.rawBytes()).as(where).isBetween(others, all);
      assertThat(result.storedBytes()).as(where).isPositive();
      assertThat(result.sampledBytes()).as(where).isBetween(others, result.rawBytes());
    }
  }

  private BackfillEstimate.Result estimate(String sample, BackfillListener listener)
      throws IOException, InterruptedException {
    return new BackfillEstimate(
            archive, null, TestStores.identity(archive), settings(1, 0), listener)
        .run(directory.resolve(sample));
  }

  /**
   * A bad sector of a disk affects one segment. The segments before and behind it, and the next
   * pair, are put into columns.
   */
  @Test
  void backfillContinuesBehindAnUnreadableSegment() throws Exception {
    storePath = directory.resolve("store");
    String stamp = "20200301000000";
    Path file = root.resolve(FAILING.system()).resolve(FAILING.name() + "_" + stamp + ".log2");
    writeSegmentsOfMebibytes(stamp, 6);
    writeSegmentsOfMebibytes("20200302000000", 2);
    RecordingListener listener = new RecordingListener();
    PairLog log = pair(stamp).open();
    long bad = (log.milestones().offset(2) + log.milestones().offset(3)) / 2;
    volume.failAt(file, bad, bad + 1);
    backfill(1, 0, listener);
    assertThat(listener.problems).singleElement().asString().contains(FailingReads.REASON);
    List<Long> missing = new ArrayList<>();
    try (Store store = Store.open(storePath, null)) {
      Coverage coverage = Block.coverage(store.blocks(FAILING, problem -> {}));
      for (int i = 0; i < 6; i++) {
        long from = log.milestones().offset(i);
        long to = log.milestones().offsetAfter(from, log.logBytes());
        if (!coverage.holds(stamp, from, to)) {
          missing.add(from);
        }
      }
      assertThat(coverage.holds("20200302000000", 0, pair("20200302000000").open().logBytes()))
          .isTrue();
    }
    assertThat(missing).contains(log.milestones().offset(2)).hasSizeLessThan(3);
    volume.mend();
    assertThat(backfill(1, 0, new RecordingListener()).problems()).isZero();
    assertThat(covered(FAILING)).isEqualTo(cuts().last());
    assertThat(TestStores.verify(archive, storePath)).isEmpty();
  }

  private Pair pair(String stamp) throws IOException {
    return archive.pairs(FAILING).stream()
        .filter(pair -> pair.stamp().equals(stamp))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Writes segments of mebibytes. A log is read in mebibytes, so an error in one segment does not
   * extend to all.
   */
  private void writeSegmentsOfMebibytes(String stamp, int segments) throws IOException {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(1, "VALCCG:PRES", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(root, FAILING, stamp, ByteOrder.LITTLE_ENDIAN, records)) {
      long begin = new PairName(FAILING.name(), stamp).beginNanos(RandomArchive.ZONE);
      for (int i = 0; i < segments; i++) {
        long from = begin + TimeUnit.HOURS.toNanos(i);
        writer.milestone(from);
        for (int event = 0; event < 100_000; event++) {
          writer.number(0, from + event, 0, 0, event);
        }
      }
    }
    TestStores.closePairs(root);
  }

  private BackfillSummary backfill(int threads, long ioLimit, BackfillListener listener)
      throws IOException, InterruptedException {
    try (Store store =
        Store.openForWriting(storePath, TestStores.identity(archive), new UnforcedFiles())) {
      return new Backfill(archive, store, settings(threads, ioLimit), listener).run();
    }
  }

  private static BackfillSettings settings(int threads, long ioLimit) {
    return new BackfillSettings(
        List.of(FAILING, OTHER),
        TimeRange.ALL,
        threads,
        BackfillSettings.MIN_MEMORY_BYTES,
        ioLimit,
        new WriteProfile(Codec.LZ4, false));
  }

  /**
   * Returns the positions at which the log of the failing group may be divided, pair after pair,
   * according to the indexes.
   */
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
          .mapToLong(block -> block.summary().rawBytes())
          .sum();
    }
  }

  private void requireEventsOfSegments(String where) throws IOException {
    try (Store store = Store.open(storePath, null)) {
      for (Block block : store.blocks(FAILING, problem -> {})) {
        assertThat(block.segments().stream().mapToLong(StoredSegment::events).sum())
            .as(where)
            .isEqualTo(block.summary().events());
        assertThat(block.chunks().all().stream().mapToLong(chunk -> chunk.rows()).sum())
            .as(where)
            .isEqualTo(block.summary().events());
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
   * Returns the events of the archive.
   *
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

  private static final class RecordingListener implements BackfillListener {
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
