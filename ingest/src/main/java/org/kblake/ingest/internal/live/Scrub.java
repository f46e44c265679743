package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupRegistry;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BlockTimes;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.verify.Verify;

/**
 * Verifies every block once in a cycle, one after the other. After each block it pauses nine times
 * as long as the verification took. A wrong block goes to the trash if its log is unchanged, and is
 * then made again. For one thread; {@link #age} is for any.
 */
final class Scrub {

  private static final int REST = 9;

  private final Archive archive;
  private final Store store;
  private final GroupRegistry groups;

  /** The time in which every block is verified once. If zero, no block is verified. */
  private final Duration cycle;

  private final Counters counters;
  private final Problems problems;
  private final Clock clock;
  private final BlockTimes scrubbed;
  private final VerifyResult result = new VerifyResult();

  /** One object verifies all blocks, because its memory is reused. */
  private final Verify verify;

  private long restUntilNanos = System.nanoTime();
  private volatile Duration age = Duration.ZERO;

  Scrub(FollowContext context, GroupRegistry groups) throws IOException {
    this.groups = groups;
    archive = context.archive();
    store = context.store();
    cycle = context.settings().scrubCycle();
    counters = context.counters();
    problems = context.problems();
    clock = context.clock();
    scrubbed = new BlockTimes(store.directory(), store.directory().resolve("scrubbed"));
    verify = verify(archive, store, false, result);
  }

  private static Verify verify(
      Archive archive, Store store, boolean discard, Verify.Listener listener) {
    return new Verify(
        archive,
        store,
        archive.settings().layouts(),
        BackfillSettings.MIN_MEMORY_BYTES,
        discard,
        listener);
  }

  /**
   * Returns the time since the oldest verification of a block. A block that was never verified
   * counts from the time it was made.
   */
  Duration age() {
    return age;
  }

  /** A block, the work of its group, and the time of its last verification in milliseconds. */
  private record Next(GroupWork group, Block block, long atMillis) {}

  /** Verifies the block that was not verified for the longest time, if it is due. */
  void run() throws IOException, InterruptedException {
    Next next = longestWaiting();
    age = next == null ? Duration.ZERO : Duration.ofMillis(clock.millis() - next.atMillis);
    if (next == null
        || cycle.isZero()
        || age.compareTo(cycle) < 0
        || System.nanoTime() - restUntilNanos < 0) {
      return;
    }
    long begin = System.nanoTime();
    try {
      verifyBlock(next);
    } catch (StoreWriteException | ClosedByInterruptException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // A block that was evicted or merged during the read is no problem. Any other error is
      // reported, and the next blocks are verified.
      if (!next.block.isRemoved()) {
        problems.reportOfStore(
            next.group.group(), "block cannot be read: block=" + next.block + ", " + e);
      }
    } finally {
      long now = System.nanoTime();
      restUntilNanos = now + REST * (now - begin);
    }
    scrubbed.set(next.block.directory(), clock.millis());
    scrubbed.writeIfDue();
  }

  /** Writes the times that the next process continues from. */
  void end() throws IOException {
    scrubbed.write();
  }

  private @Nullable Next longestWaiting() throws IOException {
    Next next = null;
    for (GroupWork group : groups.worked()) {
      for (Block block : group.blocks()) {
        long atMillis = scrubbed.atMillis(block.directory());
        if (atMillis < (next == null ? Long.MAX_VALUE : next.atMillis)) {
          next = new Next(group, block, atMillis);
        }
      }
    }
    return next;
  }

  private void verifyBlock(Next next) throws IOException, InterruptedException {
    result.failed = false;
    verify.run(next.block);
    counters.add(Count.SCRUBBED_BLOCKS, 1);
    if (!result.failed || !next.group.holds(next.block)) {
      return;
    }
    // Verified again while no other thread works on the group, because the block may have been
    // replaced.
    groups.exclusively(
        next.group,
        () -> {
          if (next.group.holds(next.block)) {
            Verify.Summary summary =
                verify(archive, store, true, new ReportingResult()).run(next.block);
            if (summary.discarded() > 0) {
              counters.add(Count.REMADE_BLOCKS, 1);
              next.group.refreshAfterRemoval();
            }
          }
        });
  }

  /** Records whether a block is wrong. */
  private static class VerifyResult implements Verify.Listener {
    boolean failed;

    @Override
    public void planned(List<Block> blocks, long rawBytes) {}

    @Override
    public void proved(Group group, long rawBytes) {}

    @Override
    public void sound(Block block, boolean againstLog) {}

    @Override
    public void failed(Group group, String message) {
      failed = true;
    }

    @Override
    public void note(Group group, String message) {}

    @Override
    public void lost(Group group, String message) {
      // The follower of the group reports it
    }
  }

  /** Reports a wrong block. */
  private final class ReportingResult extends VerifyResult {
    @Override
    public void failed(Group group, String message) {
      problems.reportOfStore(group, message);
    }
  }
}
