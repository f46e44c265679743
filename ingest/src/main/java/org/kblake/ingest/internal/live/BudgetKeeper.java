package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreGroups;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.access.AccessCollector;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.Stretch;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.image.LogComparison;
import org.kblake.ingest.internal.image.LogComparison.Outcome;
import org.kblake.ingest.internal.image.LogComparison.Result;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BlockTimes;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.EvictedStretches;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * Keeps the store within its budget: folds in what readers leave, has put into columns what was
 * read from logs, and lets go of blocks. A block goes only if the archive has, at that moment, what
 * it was made of. For one thread.
 */
final class BudgetKeeper {

  /** One answer must not throw half of the cache out. */
  private static final int LARGEST_ADMISSION_SHARE = 4;

  private static final String RECORDS = "records of readers cannot be taken";

  private final Store store;
  private final GroupRegistry groups;
  private final CacheSettings settings;
  private final EvictedStretches evicted;
  private final BudgetHeadroom headroom;
  private final Counters counters;
  private final Problems problems;
  private final FollowListener listener;
  private final Clock clock;
  private final LogComparison comparison;
  private final AccessCollector records;
  private final Pins pins;
  private final BlockTimes lastReads;
  private final Map<Path, Long> storedBytes = new HashMap<>();

  BudgetKeeper(FollowContext context, GroupRegistry groups) throws IOException {
    this.groups = groups;
    store = context.store();
    settings = context.settings().cache();
    evicted = context.evicted();
    headroom = context.headroom();
    counters = context.counters();
    problems = context.problems();
    listener = context.listener();
    clock = context.clock();
    comparison = new LogComparison(context.archive());
    records = new AccessCollector(store.directory());
    pins = new Pins(store.directory());
    lastReads =
        new BlockTimes(
            store.directory(), store.directory().resolve("access").resolve("last-reads"));
  }

  /** Does all that is due. */
  void run() throws IOException, InterruptedException {
    takeRecords();
    lastReads.writeNowAndThen();
    keepWithinBudget();
  }

  /** What readers leave must not keep the store from staying within its budget. */
  private void takeRecords() {
    try {
      records.take(this::fold, this::refuse);
      problems.end(Problems.ARCHIVE, RECORDS);
    } catch (IOException e) {
      problems.beginOfStore(Problems.ARCHIVE, RECORDS, RECORDS + ": " + e.getMessage());
    }
  }

  private void refuse(String what) {
    counters.add(Count.RECORDS_REFUSED, 1);
    listener.refused(what);
  }

  /** Writes down what the next process is to know. */
  void end() throws IOException {
    records.close();
    lastReads.write();
  }

  private void fold(Access access) {
    listener.read(access);
    counters.add(access.fromColumns() ? Count.HITS : Count.MISSES, 1);
    counters.add(
        access.fromColumns() ? Count.BYTES_FROM_COLUMNS : Count.BYTES_FROM_LOGS, access.logBytes());
    // A wrong clock of a reader, or an attempt to keep a block for ever.
    long atMillis = Math.min(access.atMillis(), clock.millis());
    for (GroupWork group : groups.worked()) {
      if (group.group().equals(access.group())) {
        if (access.fromColumns()) {
          group.blocks().stream()
              .filter(block -> meets(block, access))
              .forEach(block -> lastReads.set(block.directory(), atMillis));
        } else if (groups.all().contains(group)) {
          considerAdmission(group, access);
        }
      }
    }
  }

  private static boolean meets(Block block, Access access) {
    return block.summary().from().compareTo(access.to()) < 0
        && access.from().compareTo(block.summary().to()) < 0;
  }

  private void considerAdmission(GroupWork group, Access access) {
    Mode mode = settings.modeOf(group.group());
    boolean wasHere =
        evicted.stretches(group.group()).stream()
            .anyMatch(
                stretch ->
                    stretch.from().compareTo(access.to()) < 0
                        && access.from().compareTo(stretch.to()) < 0);
    if (wasHere) {
      counters.add(Count.REREADS, 1);
    }
    boolean wanted =
        switch (mode) {
          case FOLLOW -> wasHere && settings.eviction() == Eviction.LEAST_RECENTLY_USED;
          case ON_READ -> true;
          case NEVER -> false;
        };
    boolean fits =
        settings.budgetBytes() == 0
            || headroom.storedBytes(access.logBytes())
                <= settings.budgetBytes() / LARGEST_ADMISSION_SHARE;
    boolean admitted = wanted && fits && group.admit(access.from(), access.to());
    if (admitted) {
      return;
    }
    if (wanted || mode == Mode.NEVER) {
      counters.add(Count.ADMISSIONS_REFUSED, 1);
    }
  }

  private void keepWithinBudget() throws IOException, InterruptedException {
    long stored = 0;
    long log = 0;
    long largest = 0;
    List<Candidate> candidates = new ArrayList<>();
    Map<Path, Long> sizes = new HashMap<>();
    Set<Group> pinned = pins.at(clock.instant()).keySet();
    Map<Group, GroupWork> works = new TreeMap<>();
    groups.worked().forEach(work -> works.put(work.group(), work));
    StoreGroups listed = store.listedGroups();
    List<Path> unlisted = new ArrayList<>();
    listed.unlisted().keySet().forEach(name -> unlisted.add(store.directory().resolve(name)));
    for (Group group : listed.groups()) {
      GroupWork work = works.get(group);
      GroupWork looked = work != null && !work.isStale() ? work : null;
      for (Block block : looked != null ? looked.blocks() : blocks(group, unlisted)) {
        long bytes = sizeOf(block);
        if (bytes < 0) {
          continue;
        }
        sizes.put(block.directory(), bytes);
        stored += bytes;
        log += block.summary().rawBytes();
        largest = Math.max(largest, bytes);
        if (looked != null && !settings.retain() && !pinned.contains(group)) {
          candidates.add(new Candidate(looked, block, bytes, rank(block)));
        }
      }
    }
    storedBytes
        .keySet()
        .removeIf(
            block -> !sizes.containsKey(block) && unlisted.stream().noneMatch(block::startsWith));
    long besideBytes = headroom.besideBytes();
    for (Map.Entry<Path, Long> block : storedBytes.entrySet()) {
      besideBytes += sizes.containsKey(block.getKey()) ? 0 : block.getValue();
    }
    // A compaction needs room for its result beside what it is made of.
    long headroomBytes = headroomBytes(stored + besideBytes, largest);
    headroom.set(headroomBytes, stored, log);
    long evictedBytes = evict(candidates, -headroomBytes);
    if (settings.budgetBytes() > 0) {
      // What is out of use may stay for a while where there is room, which what is new needs too.
      store.shrinkTrash(Math.max(0, leftBytes(stored + besideBytes - evictedBytes, largest)));
    }
  }

  /**
   * The blocks of a group; none where they cannot be listed, and what was known of them counts.
   *
   * @param unlisted takes the group's directory then
   */
  private List<Block> blocks(Group group, List<Path> unlisted) throws IOException {
    try {
      return store.blocks(group, problem -> {});
    } catch (IOException e) {
      // The group's own work reports it.
      String unused = BlockCheck.unreadable(e);
      unlisted.add(store.directoryOf(group));
      return List.of();
    }
  }

  /**
   * Lets go of blocks.
   *
   * @param excess how many bytes have to go; none if it is not positive
   * @return how many went
   */
  private long evict(List<Candidate> candidates, long excess)
      throws IOException, InterruptedException {
    if (excess <= 0) {
      return 0;
    }
    candidates.sort(Comparator.comparingLong(Candidate::rank));
    long gone = 0;
    for (Candidate candidate : candidates) {
      if (gone >= excess) {
        break;
      }
      if (evict(candidate)) {
        gone += candidate.bytes;
      }
    }
    return gone;
  }

  /**
   * A block that may go.
   *
   * @param rank the lower the sooner
   */
  private record Candidate(GroupWork group, Block block, long bytes, long rank) {}

  private long rank(Block block) throws IOException {
    return switch (settings.eviction()) {
      case LEAST_RECENTLY_USED -> lastReads.atMillis(block.directory());
      case OLDEST -> block.summary().spanToNanos();
    };
  }

  /** Bytes of a block's files; less than nothing if it went a moment ago. */
  private long sizeOf(Block block) throws IOException {
    Long known = storedBytes.get(block.directory());
    if (known != null) {
      return known;
    }
    try {
      long bytes = block.storedBytes();
      storedBytes.put(block.directory(), bytes);
      return bytes;
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /** What is left of the budget; less than nothing: this much has to go. */
  private long headroomBytes(long stored, long largest) throws IOException {
    if (!settings.isBounded()) {
      return Long.MAX_VALUE;
    }
    long left = Long.MAX_VALUE;
    if (settings.budgetBytes() > 0) {
      left = leftBytes(stored, largest);
    }
    if (settings.freeBytes() > 0) {
      // What is in the trash is free soon.
      long free = Files.getFileStore(store.directory()).getUsableSpace() + store.trashBytes();
      left = Math.min(left, free - settings.freeBytes());
    }
    return left;
  }

  /** What blocks leave of the budget, but for the room that a compaction needs. */
  private long leftBytes(long stored, long largest) {
    return settings.budgetBytes() - stored - Math.min(largest, settings.budgetBytes() / 10);
  }

  private boolean evict(Candidate candidate) throws IOException, InterruptedException {
    boolean[] gone = {false};
    Block block = candidate.block;
    groups.exclusively(
        candidate.group,
        () -> {
          if (!candidate.group.holds(block)) {
            return;
          }
          Outcome outcome = comparison.compare(block);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          if (outcome.result() != Result.SAME) {
            counters.add(Count.EVICTIONS_REFUSED, 1);
            return;
          }
          // Noted first: a kill in between must not have it made again at once.
          List<Stretch> stretches = block.stretches();
          evicted.add(block.group(), stretches);
          store.discard(block);
          candidate.group.refresh();
          counters.add(Count.EVICTIONS, 1);
          listener.evicted(block, candidate.bytes);
          gone[0] = true;
        });
    return gone[0];
  }
}
