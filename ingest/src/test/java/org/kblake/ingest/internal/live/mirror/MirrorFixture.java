package org.kblake.ingest.internal.live.mirror;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.Transcoder;

/** An archive, its store and its mirror. Bytes settle at once. */
final class MirrorFixture implements AutoCloseable {

  static final Group GROUP = new Group("VA", "CCG");
  static final Group OTHER = new Group("BM", "DCCT");
  static final String FIRST = "20160516090000";
  static final String SECOND = "20160516100000";
  static final Duration RECHECK = Duration.ofMinutes(5);

  final Counters counters = new Counters();
  final Problems problems = new Problems(FollowListener.NONE, counters);
  final BudgetHeadroom room = new BudgetHeadroom(true);
  final Path root;
  final Path store;
  final Path mirror;

  /** The time of copies. */
  long nowNanos = 1_000;

  /** The clock of the next context. */
  Clock clock = Clock.systemUTC();

  /** The groups of the next context; all if empty. */
  List<Group> groups = List.of();

  private final List<Closeable> opened = new ArrayList<>();

  MirrorFixture(Path directory) {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    mirror = directory.resolve("mirror");
  }

  /** Writes a pair of some segments, a minute each. */
  void write(Group group, String stamp, int segments) throws IOException {
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

  Path log(Group group, String stamp) {
    return root.resolve(group.system()).resolve(group.name() + "_" + stamp + ".log2");
  }

  void close(Group group, String stamp) throws IOException {
    FileTime longAgo = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    Files.setLastModifiedTime(log(group, stamp), longAgo);
    Files.setLastModifiedTime(
        log(group, stamp).resolveSibling(group.name() + "_" + stamp + ".log1"), longAgo);
  }

  FollowContext context(long budgetBytes, boolean mirrored, Map<Group, Mode> modes)
      throws IOException {
    Archive archive =
        Archive.open(root, ArchiveSettings.defaults().withTail(TailRule.FINAL).withSettleNanos(0));
    StoreIdentity identity =
        StoreIdentity.of(root, "Asia/Tokyo", 600_000_000_000L, "kekblog", "standard");
    Store writing = Store.openForWriting(store, identity);
    opened.add(writing::close);
    WriteProfile profile = new WriteProfile(Codec.LZ4, false);
    FollowSettings settings =
        new FollowSettings(
            groups,
            Duration.ofSeconds(1),
            Duration.ZERO,
            1,
            0,
            RECHECK,
            1,
            BackfillSettings.MIN_MEMORY_BYTES,
            0,
            Duration.ZERO,
            profile,
            null,
            new CacheSettings(
                budgetBytes, 0, Eviction.LEAST_RECENTLY_USED, false, Mode.FOLLOW, modes),
            mirrored ? mirror : null);
    Transcoder transcoder =
        new Transcoder(
            writing, profile, new Transcoder.Limits(1, 1, BackfillSettings.MIN_MEMORY_BYTES));
    opened.add(transcoder::close);
    return new FollowContext(
        archive,
        writing,
        settings,
        transcoder,
        new EvictedSpans(store),
        room,
        counters,
        problems,
        FollowListener.NONE,
        clock);
  }

  static GroupWork work(FollowContext context, Group group) throws IOException {
    GroupWork work = new GroupWork(context, group);
    work.refresh();
    boolean unused = work.poll();
    return work;
  }

  /** Returns the copies of a group, as of a new process. */
  GroupMirror groupMirror(GroupWork work) throws IOException {
    SourceReads reads = new SourceReads(counters);
    return new GroupMirror(
        Mirror.make(store, mirror),
        work,
        new MirrorContext(
            reads,
            counters,
            RECHECK,
            FollowTimes.DEFAULT.retryNanos(),
            () -> nowNanos,
            Clock.systemUTC()),
        problems);
  }

  /** Appends the last event of a pair once more. */
  void append(String stamp) throws IOException {
    byte[] bytes = Files.readAllBytes(log(GROUP, stamp));
    Files.write(
        log(GROUP, stamp),
        Arrays.copyOfRange(bytes, bytes.length - 28, bytes.length),
        StandardOpenOption.APPEND);
  }

  /** Puts the closed pairs into blocks, after which they need no copies any more. */
  static void seal(GroupWork work) throws IOException, InterruptedException {
    for (int i = 0; i < 2; i++) {
      // The first run makes the block, the second one sees that the pair is complete.
      boolean unused = work.poll();
      work.run();
    }
    boolean unused = work.poll();
  }

  @Nullable Mirror present() {
    return Mirror.of(store);
  }

  long copied(Group group, String stamp) {
    Mirror present = present();
    LogCopy copy = present == null ? null : present.copy(group, stamp);
    return copy == null ? -1 : copy.endOffset();
  }

  @Override
  public void close() throws IOException {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }
}
