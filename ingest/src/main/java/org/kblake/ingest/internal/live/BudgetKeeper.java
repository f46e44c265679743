package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.access.AccessCollector;
import org.kblake.core.internal.store.access.AccessHistory;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;
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
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * Keeps the store within its budget: reads the access records of readers, queues spans that were
 * read from logs, and evicts blocks. A block is evicted only if the archive still has the same
 * bytes at that moment. For one thread.
 */
final class BudgetKeeper {

  /**
   * The part of the budget that one admission may take, so that one read does not evict half of the
   * cache.
   */
  private static final int LARGEST_ADMISSION_SHARE = 4;

  /** The number of records that wait for the history at most. */
  private static final int MAX_RECORDED = 50_000;

  private static final String RECORDS = "records of readers cannot be taken";

  private final Store store;
  private final GroupRegistry groups;
  private final CacheSettings settings;
  private final EvictedSpans evicted;
  private final BudgetHeadroom headroom;
  private final Counters counters;
  private final Problems problems;
  private final FollowListener listener;
  private final Clock clock;
  private final LogComparison comparison;
  private final AccessCollector records;
  private final AccessHistory history;

  /** Records that are not in the history yet. */
  private final List<Access> unwritten = new ArrayList<>();

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
    history = new AccessHistory(store.directory());
    pins = new Pins(store.directory());
    lastReads =
        new BlockTimes(
            store.directory(), store.directory().resolve("access").resolve("last-reads"));
  }

  /** Does all work that is due. */
  void run() throws IOException, InterruptedException {
    takeRecords();
    lastReads.writeIfDue();
    keepWithinBudget();
  }

  /**
   * Reads the access records of readers. An error is reported. Eviction continues without the
   * records.
   *
   * @throws ClosedByInterruptException if interrupted; the history is written later
   */
  private void takeRecords() throws ClosedByInterruptException {
    Consumer<Access> take =
        access -> {
          fold(access);
          if (unwritten.size() < MAX_RECORDED) {
            unwritten.add(access);
          }
        };
    try {
      try {
        records.take(take, this::refuse);
      } finally {
        writeHistory();
      }
      problems.end(Problems.ARCHIVE, RECORDS);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      problems.beginOfStore(Problems.ARCHIVE, RECORDS, RECORDS + ": " + e.getMessage());
    }
  }

  private void refuse(String what) {
    counters.add(Count.RECORDS_REFUSED, 1);
    listener.refused(what);
  }

  private void writeHistory() throws IOException {
    history.add(unwritten);
    unwritten.clear();
  }

  /**
   * Writes the state that the next process continues from. The last round may have ended before it
   * wrote the history, because it was interrupted.
   */
  void end() throws IOException {
    records.close();
    lastReads.write();
    writeHistory();
  }

  private void fold(Access access) {
    listener.read(access);
    counters.add(access.fromColumns() ? Count.HITS : Count.MISSES, 1);
    counters.add(
        access.fromColumns() ? Count.BYTES_FROM_COLUMNS : Count.BYTES_FROM_LOGS, access.logBytes());
    // A time in the future comes from a wrong clock, or from a user who wants to keep a block.
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
    boolean wasEvicted =
        evicted.spans(group.group()).stream()
            .anyMatch(
                span ->
                    span.from().compareTo(access.to()) < 0
                        && access.from().compareTo(span.to()) < 0);
    if (wasEvicted) {
      counters.add(Count.REREADS, 1);
    }
    boolean wanted =
        switch (mode) {
          case FOLLOW -> wasEvicted && settings.eviction() == Eviction.LEAST_RECENTLY_USED;
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
      GroupWork followed = work != null && !work.isStale() ? work : null;
      for (Block block : followed != null ? followed.blocks() : blocks(group, unlisted)) {
        long bytes = sizeOf(block);
        if (bytes < 0) {
          continue;
        }
        sizes.put(block.directory(), bytes);
        stored += bytes;
        log += block.summary().rawBytes();
        largest = Math.max(largest, bytes);
        if (followed != null && !settings.retain() && !pinned.contains(group)) {
          candidates.add(new Candidate(followed, block, bytes, rank(block)));
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
    // A compaction needs space for its result while its source blocks still exist.
    long headroomBytes = headroomBytes(stored + besideBytes, largest);
    headroom.set(headroomBytes, stored, log);
    long evictedBytes = evict(candidates, -headroomBytes);
    if (settings.budgetBytes() > 0) {
      // Trash may stay as long as there is space that new blocks do not need.
      store.shrinkTrash(Math.max(0, leftBytes(stored + besideBytes - evictedBytes, largest)));
    }
  }

  /**
   * Returns the blocks of a group. If they cannot be listed, the list is empty, and the sizes of
   * the last listing count.
   *
   * @param unlisted receives the group's directory if its blocks cannot be listed
   */
  private List<Block> blocks(Group group, List<Path> unlisted) throws IOException {
    try {
      return store.blocks(group, problem -> {});
    } catch (IOException e) {
      // The work on the group reports the error.
      String unused = BlockCheck.unreadable(e);
      unlisted.add(store.directoryOf(group));
      return List.of();
    }
  }

  /**
   * Evicts blocks in the order of their rank. The blocks of a group on which another thread works
   * are not evicted in this round. Otherwise a block of higher rank would be evicted if that thread
   * ends in the meantime.
   *
   * @param excess bytes to evict; nothing is evicted if it is not positive
   * @return bytes that were evicted
   */
  private long evict(List<Candidate> candidates, long excess)
      throws IOException, InterruptedException {
    if (excess <= 0) {
      return 0;
    }
    candidates.sort(Comparator.comparingLong(Candidate::rank));
    long evictedBytes = 0;
    Set<Group> busy = new HashSet<>();
    for (Candidate candidate : candidates) {
      if (evictedBytes >= excess) {
        break;
      }
      if (!busy.contains(candidate.group.group()) && evict(candidate, busy)) {
        evictedBytes += candidate.bytes;
      }
    }
    return evictedBytes;
  }

  /**
   * A block that may be evicted.
   *
   * @param rank blocks of lower rank are evicted first
   */
  private record Candidate(GroupWork group, Block block, long bytes, long rank) {}

  private long rank(Block block) throws IOException {
    return switch (settings.eviction()) {
      case LEAST_RECENTLY_USED -> lastReads.atMillis(block.directory());
      case OLDEST -> block.summary().spanToNanos();
    };
  }

  /** Returns the bytes of a block's files; -1 if the block was just removed. */
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

  /** Returns the bytes left in the budget. If negative, this many bytes have to be evicted. */
  private long headroomBytes(long stored, long largest) throws IOException {
    if (!settings.isBounded()) {
      return Long.MAX_VALUE;
    }
    long left = Long.MAX_VALUE;
    if (settings.budgetBytes() > 0) {
      left = leftBytes(stored, largest);
    }
    if (settings.freeBytes() > 0) {
      // Trash is deleted soon.
      long free = Files.getFileStore(store.directory()).getUsableSpace() + store.trashBytes();
      left = Math.min(left, free - settings.freeBytes());
    }
    return left;
  }

  /** Returns the bytes that blocks leave of the budget, less the space that a compaction needs. */
  private long leftBytes(long stored, long largest) {
    return settings.budgetBytes() - stored - Math.min(largest, settings.budgetBytes() / 10);
  }

  /**
   * Evicts a block.
   *
   * @param busy receives the group if another thread works on it
   * @return whether the block was evicted
   */
  private boolean evict(Candidate candidate, Set<Group> busy)
      throws IOException, InterruptedException {
    boolean[] done = {false};
    Block block = candidate.block;
    boolean free =
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
              if (outcome.result() == Result.REMOVED) {
                // The block was merged meanwhile. The next round lists the merged block.
                return;
              }
              if (outcome.result() != Result.SAME) {
                counters.add(Count.EVICTIONS_REFUSED, 1);
                return;
              }
              // Recorded first: after a kill in between, the spans must not be put into
              // columns again.
              List<LogSpan> spans = block.spans();
              evicted.add(block.group(), spans);
              boolean discarded = store.discard(block);
              candidate.group.refresh();
              if (!discarded) {
                return;
              }
              counters.add(Count.EVICTIONS, 1);
              listener.evicted(block, candidate.bytes);
              done[0] = true;
            });
    if (!free) {
      busy.add(candidate.group.group());
    }
    return done[0];
  }
}
