package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.CompactionPlan;
import org.kblake.ingest.internal.compact.CompactionSettings;
import org.kblake.ingest.internal.compact.Compactor;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.RateLimit;

/**
 * Merges small blocks into larger ones, group after group, one merge at a time. Other work
 * continues meanwhile. It reads committed blocks only. Before it commits the merged block, it
 * checks that its source blocks are still in use. For one thread.
 */
final class BlockMerger {

  private final GroupRegistry groups;
  private final Counters counters;
  private final Problems problems;
  private final FollowListener listener;
  private final Clock clock;
  private final Compactor compactor;
  private final Map<Group, GroupWork> works = new HashMap<>();

  /**
   * @param archive the archive, whose access has a time limit for volumes that do not answer
   */
  BlockMerger(FollowContext context, Archive archive, GroupRegistry groups) {
    this.groups = groups;
    counters = context.counters();
    problems = context.problems();
    listener = context.listener();
    clock = context.clock();
    FollowSettings settings = context.settings();
    compactor =
        new Compactor(
            archive,
            context.store(),
            new CompactionPlan(archive.settings().zone(), CompactionPlan.DEFAULT_MOST_RAW_BYTES),
            new CompactionSettings(
                1,
                BackfillSettings.MIN_MEMORY_BYTES,
                settings.profile(),
                settings.aged(),
                new RateLimit(settings.ioLimitBytesPerSecond(), settings.times().time())),
            new MergeListener());
  }

  /** Does all merges that are due. */
  void run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    try {
      mergeAll();
    } finally {
      counters.add(Count.MERGING_NANOS, System.nanoTime() - begin);
    }
  }

  private void mergeAll() throws IOException, InterruptedException {
    for (GroupWork work : groups.worked()) {
      works.put(work.group(), work);
      if (work.isListed() && work.mode() != Mode.NEVER) {
        merge(work.group());
      }
    }
  }

  private void merge(Group group) throws IOException, InterruptedException {
    try {
      while (compactor.step(group, clock.instant())) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } catch (UnavailableException e) {
      // Pairs cannot be listed, so adjacent pairs are unknown. The group's follower reports the
      // error.
    }
  }

  /** Reports merges. */
  private final class MergeListener implements Compactor.Listener {
    @Override
    public void proved(Group group, long rawBytes) {}

    @Override
    public void committed(List<Block> merged, long mergedBytes, Block block, long storedBytes) {
      counters.add(Count.MERGED_BLOCKS, merged.size());
      replaced(merged, block, storedBytes);
    }

    @Override
    public void decided(Block before, Block block, long addedBytes, boolean kept) {
      replaced(List.of(before), block, addedBytes);
    }

    private void replaced(List<Block> before, Block block, long storedBytes) {
      GroupWork work = works.get(block.group());
      if (work != null) {
        work.merged(before, block);
      }
      counters.add(Count.STORED_BYTES, storedBytes);
      listener.merged(before, block, storedBytes);
    }

    @Override
    public void problem(Group group, String message) {
      problems.reportOfStore(group, message);
    }
  }
}
