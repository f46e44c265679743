package org.kblake.ingest.internal.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedStretches;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.Transcoder;

/** Which pairs of which groups have copies, and for how long. Bytes settle at once. */
final class MirrorUpdaterTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final Group OTHER = new Group("BM", "DCCT");
  private static final String FIRST = "20160516090000";
  private static final String SECOND = "20160516100000";
  private static final Duration RECHECK = Duration.ofMinutes(5);

  @TempDir private Path directory;

  private final Counters counters = new Counters();
  private final Problems problems = new Problems(FollowListener.NONE, counters);
  private final BudgetHeadroom room = new BudgetHeadroom(true);
  private final ExecutorService looks = Executors.newSingleThreadExecutor();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private Path root = Path.of("");
  private Path store = Path.of("");
  private Path mirror = Path.of("");
  private long nowNanos = 1_000;

  @BeforeEach
  void makeDirectories() {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    mirror = directory.resolve("mirror");
  }

  @AfterEach
  void close() throws Exception {
    looks.shutdown();
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  /** A pair of some segments, a minute each. */
  private void write(Group group, String stamp, int segments) throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(1, "P", ValueType.DOUBLE, 1)));
    long begin = Instant.parse("2016-05-16T00:00:00Z").getEpochSecond() * 1_000_000_000L;
    try (LogWriter writer =
        LogWriter.create(root, group, stamp, ByteOrder.LITTLE_ENDIAN, records)) {
      for (int segment = 0; segment < segments; segment++) {
        long nanos = begin + segment * 60_000_000_000L;
        writer.milestone(nanos);
        for (int i = 1; i < 100; i++) {
          writer.number(0, nanos + i, 0, 0, Double.doubleToRawLongBits(1.5));
        }
      }
    }
  }

  private Path log(Group group, String stamp) {
    return root.resolve(group.system()).resolve(group.name() + "_" + stamp + ".log2");
  }

  private void close(Group group, String stamp) throws IOException {
    FileTime longAgo = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    Files.setLastModifiedTime(log(group, stamp), longAgo);
    Files.setLastModifiedTime(
        log(group, stamp).resolveSibling(group.name() + "_" + stamp + ".log1"), longAgo);
  }

  private FollowContext context(long budgetBytes, boolean mirrored, Map<Group, Mode> modes)
      throws IOException {
    Archive archive =
        Archive.open(root, ArchiveSettings.defaults().withTail(TailRule.FINAL).withSettleNanos(0));
    StoreIdentity identity =
        StoreIdentity.of(root, "Asia/Tokyo", 600_000_000_000L, "kekblog", "standard");
    Store writing = Store.openForWriting(store, identity);
    opened.add(writing);
    WriteProfile profile = new WriteProfile(Codec.LZ4, false);
    FollowSettings settings =
        new FollowSettings(
            List.of(),
            Duration.ofSeconds(1),
            Duration.ZERO,
            1,
            0,
            RECHECK,
            1,
            BackfillSettings.LEAST_MEMORY_BYTES,
            0,
            Duration.ZERO,
            profile,
            null,
            new CacheSettings(
                budgetBytes, 0, Eviction.LEAST_RECENTLY_USED, false, Mode.FOLLOW, modes),
            mirrored ? mirror : null);
    Transcoder transcoder =
        new Transcoder(
            writing, profile, new Transcoder.Limits(1, 1, BackfillSettings.LEAST_MEMORY_BYTES));
    opened.add(transcoder);
    return new FollowContext(
        archive,
        writing,
        settings,
        transcoder,
        new EvictedStretches(store),
        room,
        counters,
        problems,
        FollowListener.NONE,
        Clock.systemUTC());
  }

  private static GroupWork work(FollowContext context, Group group) throws IOException {
    GroupWork work = new GroupWork(context, group);
    work.refresh();
    boolean unused = work.poll();
    return work;
  }

  /** The groups of a test. No other thread works on them. */
  private record Groups(List<GroupWork> all) implements GroupRegistry {
    @Override
    public List<GroupWork> worked() {
      return all;
    }

    @Override
    public boolean exclusively(GroupWork group, Work work)
        throws IOException, InterruptedException {
      work.run();
      return true;
    }
  }

  /** Updates the copies of all groups and waits for the end. */
  private void round(MirrorUpdater mirroring) throws IOException, InterruptedException {
    mirroring.run();
    try {
      Object unused = looks.submit(() -> {}).get(1, TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Mirror present() {
    return Mirror.of(store);
  }

  private long copied(Group group, String stamp) {
    Mirror present = present();
    LogCopy copy = present == null ? null : present.copy(group, stamp);
    return copy == null ? -1 : copy.endOffset();
  }

  @Test
  void groupsThatAreFollowedHaveCopiesAndNoOthers() throws Exception {
    write(GROUP, FIRST, 2);
    write(OTHER, FIRST, 2);
    FollowContext context = context(0, true, Map.of(OTHER, Mode.ON_READ));
    MirrorUpdater mirroring =
        new MirrorUpdater(
            context, new Groups(List.of(work(context, GROUP), work(context, OTHER))), looks);
    round(mirroring);
    round(mirroring);
    round(mirroring);
    assertThat(copied(GROUP, FIRST)).isEqualTo(Files.size(log(GROUP, FIRST)));
    assertThat(copied(OTHER, FIRST)).isEqualTo(-1);
    assertThat(mirroring.bytes()).isGreaterThan(Files.size(log(GROUP, FIRST)));
    assertThat(room.besideBytes()).isEqualTo(mirroring.bytes());
    assertThat(mirroring.isBusy(GROUP)).isFalse();
  }

  /** The settings differ from those of the process before. */
  @Test
  void copiesOfAGroupThatIsFollowedNoMoreGo() throws Exception {
    write(GROUP, FIRST, 2);
    FollowContext context = context(0, true, Map.of());
    MirrorUpdater mirroring =
        new MirrorUpdater(context, new Groups(List.of(work(context, GROUP))), looks);
    round(mirroring);
    round(mirroring);
    assertThat(copied(GROUP, FIRST)).isPositive();
    context.store().close();
    FollowContext next = context(0, true, Map.of(GROUP, Mode.NEVER));
    round(new MirrorUpdater(next, new Groups(List.of(work(next, GROUP))), looks));
    assertThat(copied(GROUP, FIRST)).isEqualTo(-1);
  }

  @Test
  void storeNamesNoMirrorWhereNoneIsWanted() throws Exception {
    write(GROUP, FIRST, 2);
    FollowContext context = context(0, true, Map.of());
    round(new MirrorUpdater(context, new Groups(List.of(work(context, GROUP))), looks));
    assertThat(present()).isNotNull();
    context.store().close();
    FollowContext next = context(0, false, Map.of());
    round(new MirrorUpdater(next, new Groups(List.of(work(next, GROUP))), looks));
    assertThat(present()).isNull();
  }

  /** Copies that take more than a quarter of the budget do not grow. Existing copies stay. */
  @Test
  void copiesTakeAQuarterOfTheBudget() throws Exception {
    write(GROUP, FIRST, 2);
    long bytes = Files.size(log(GROUP, FIRST));
    FollowContext context = context(4 * bytes, true, Map.of());
    GroupWork work = work(context, GROUP);
    MirrorUpdater mirroring = new MirrorUpdater(context, new Groups(List.of(work)), looks);
    round(mirroring);
    round(mirroring);
    round(mirroring);
    assertThat(copied(GROUP, FIRST)).isEqualTo(bytes);
    assertThat(mirroring.bytes()).isGreaterThan(bytes);
    write(GROUP, SECOND, 2);
    GroupWork later = work(context, GROUP);
    MirrorUpdater full = new MirrorUpdater(context, new Groups(List.of(later)), looks);
    for (int i = 0; i < 4; i++) {
      round(full);
    }
    // the size of the copies is known after the first update
    assertThat(copied(GROUP, FIRST)).isEqualTo(bytes);
    assertThat(problems.messages())
        .singleElement()
        .asString()
        .startsWith("mirror takes a quarter of the budget, it does not grow: budget=" + 4 * bytes);
  }

  private GroupMirror groupMirror(GroupWork work) throws IOException {
    SourceReads reads = new SourceReads(ArchiveSettings.defaults(), counters);
    return new GroupMirror(
        Mirror.make(store, mirror),
        work,
        new MirrorContext(
            reads, counters, RECHECK, FollowTimes.DEFAULT.retryNanos(), () -> nowNanos),
        problems);
  }

  /**
   * Only the newest pair gets a copy. Older pairs keep the copies that they got when they were
   * newest.
   */
  @Test
  void pairThatWasNeverTheNewestIsNotCopied() throws Exception {
    write(GROUP, FIRST, 2);
    write(GROUP, SECOND, 2);
    FollowContext context = context(0, true, Map.of());
    GroupMirror copies = groupMirror(work(context, GROUP));
    copies.update(true);
    copies.update(true);
    assertThat(copied(GROUP, FIRST)).isEqualTo(-1);
    assertThat(copied(GROUP, SECOND)).isEqualTo(Files.size(log(GROUP, SECOND)));
  }

  /** Its blocks are compared with the log before the copy is removed. */
  @Test
  void copyOfAPairThatIsInBlocksGoesThreeComparisonsLater() throws Exception {
    write(GROUP, FIRST, 2);
    FollowContext context = context(0, true, Map.of());
    GroupWork work = work(context, GROUP);
    GroupMirror copies = groupMirror(work);
    copies.update(true);
    copies.update(true);
    assertThat(copied(GROUP, FIRST)).isPositive();
    close(GROUP, FIRST);
    write(GROUP, SECOND, 2);
    room.set(1L << 30, 0, 0);
    for (int i = 0; i < 2; i++) {
      // sealed first, then seen to be
      assertThat(work.poll()).isTrue();
      work.run();
    }
    boolean unused = work.poll();
    assertThat(Objects.requireNonNull(work.openPairs()))
        .singleElement()
        .satisfies(pair -> assertThat(pair.stamp()).isEqualTo(SECOND));
    copies.update(true);
    nowNanos += 3 * RECHECK.toNanos() - 1;
    copies.update(true);
    assertThat(copied(GROUP, FIRST)).isPositive();
    nowNanos++;
    copies.update(true);
    assertThat(copied(GROUP, FIRST)).isEqualTo(-1);
    assertThat(copied(GROUP, SECOND)).isPositive();
  }

  /** The problem is reported, and writing is tried again ten seconds later. */
  @Test
  void mirrorThatCannotBeWrittenIsTriedAgain() throws Exception {
    write(GROUP, FIRST, 2);
    FollowContext context = context(0, true, Map.of());
    GroupMirror copies = groupMirror(work(context, GROUP));
    Path obstacle = mirror.resolve(GROUP.system());
    Files.createFile(obstacle);
    copies.update(true);
    assertThat(problems.messages())
        .singleElement()
        .asString()
        .startsWith("mirror cannot be written, logs are read from the archive");
    Files.delete(obstacle);
    nowNanos += Duration.ofSeconds(10).toNanos() - 1;
    copies.update(true);
    assertThat(problems.messages()).hasSize(1);
    nowNanos++;
    copies.update(true);
    assertThat(problems.messages()).isEmpty();
    copies.update(true);
    assertThat(copied(GROUP, FIRST)).isEqualTo(Files.size(log(GROUP, FIRST)));
  }

  /** The follower of the group reports it. */
  @Test
  void archiveThatIsAwayIsNoProblemOfTheMirror() throws Exception {
    write(GROUP, FIRST, 2);
    FollowContext context = context(0, true, Map.of());
    GroupMirror copies = groupMirror(work(context, GROUP));
    copies.update(true);
    copies.update(true);
    long before = copied(GROUP, FIRST);
    Path away = directory.resolve("away");
    Files.move(root, away);
    copies.update(true);
    assertThat(problems.messages()).isEmpty();
    assertThat(copied(GROUP, FIRST)).isEqualTo(before);
    Files.move(away, root);
    copies.update(true);
    assertThat(copied(GROUP, FIRST)).isEqualTo(before);
    assertThat(counters.get(Counters.Count.MIRROR_DIFFERENCES)).isZero();
  }
}
