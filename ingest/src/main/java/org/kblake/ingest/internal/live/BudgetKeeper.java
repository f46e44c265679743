package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.internal.store.Store;
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
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters.Count;

/**
 * Keeps the store within its budget: takes the records of readers, and evicts blocks. A block is
 * evicted only if the archive still has the same bytes at that moment. For one thread.
 */
final class BudgetKeeper {

  private final FollowContext context;
  private final GroupRegistry groups;
  private final Store store;
  private final CacheSettings settings;
  private final BudgetHeadroom headroom;
  private final LogComparison comparison;
  private final ReadRecords records;
  private final Pins pins;
  private final Map<Path, Long> storedBytes = new HashMap<>();

  BudgetKeeper(FollowContext context, GroupRegistry groups) throws IOException {
    this.context = context;
    this.groups = groups;
    store = context.store();
    settings = context.settings().cache();
    headroom = context.headroom();
    comparison = new LogComparison(context.archive());
    records = new ReadRecords(context, groups);
    pins = new Pins(store.directory());
  }

  /** Does all work that is due. */
  void run() throws IOException, InterruptedException {
    records.take();
    keepWithinBudget();
  }

  /** Writes the state that the next process continues from. */
  void end() throws IOException {
    records.end();
  }

  private void keepWithinBudget() throws IOException, InterruptedException {
    long stored = 0;
    long log = 0;
    long largest = 0;
    List<Candidate> candidates = new ArrayList<>();
    Map<Path, Long> sizes = new HashMap<>();
    Set<Group> pinned = pins.at(context.clock().instant()).keySet();
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
      case LEAST_RECENTLY_USED -> records.lastReadMillis(block);
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
                context.counters().add(Count.EVICTIONS_REFUSED, 1);
                return;
              }
              // Recorded first: after a kill in between, the spans must not be put into
              // columns again.
              List<LogSpan> spans = block.spans();
              context.evicted().add(block.group(), spans);
              boolean discarded = store.discard(block);
              candidate.group.refresh();
              if (!discarded) {
                return;
              }
              context.counters().add(Count.EVICTIONS, 1);
              context.listener().evicted(block, candidate.bytes);
              done[0] = true;
            });
    if (!free) {
      busy.add(candidate.group.group());
    }
    return done[0];
  }
}
