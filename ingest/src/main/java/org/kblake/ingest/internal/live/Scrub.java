package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
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
 * Proves every block once in a cycle, one after the other, and rests nine times as long as it has
 * worked. A block that is wrong goes to the trash if its log is as it was: then it is made again.
 * For one thread; the ages are for any.
 */
final class Scrub {

  private static final int REST = 9;

  private final Archive archive;
  private final Store store;
  private final GroupRegistry groups;

  /** Zero: nothing is proved. */
  private final Duration cycle;

  private final Counters counters;
  private final Problems problems;
  private final Clock clock;
  private final BlockTimes scrubbed;
  private final Proof proof = new Proof();

  /** One for all blocks, since it keeps its memory. */
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
    verify = verify(archive, store, false, proof);
  }

  private static Verify verify(
      Archive archive, Store store, boolean discard, Verify.Listener listener) {
    return new Verify(
        archive,
        store,
        archive.settings().layouts(),
        BackfillSettings.LEAST_MEMORY_BYTES,
        discard,
        listener);
  }

  /** How long ago the block that waits longest was proved, or made. */
  Duration age() {
    return age;
  }

  /** A block, and whose it is. */
  private record Next(GroupWork group, Block block, long atMillis) {}

  /** Proves the block that waits longest, if it is its turn. */
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
      prove(next);
    } catch (StoreWriteException | ClosedByInterruptException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Evicted or merged while it was read, which is no news; else it is. The others are proved.
      if (!Files.notExists(next.block.directory())) {
        problems.tellOfStore(
            next.group.group(), "block cannot be read: block=" + next.block + ", " + e);
      }
    } finally {
      long now = System.nanoTime();
      restUntilNanos = now + REST * (now - begin);
    }
    scrubbed.set(next.block.directory(), clock.millis());
    scrubbed.writeNowAndThen();
  }

  /** Writes down what the next process is to know. */
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

  private void prove(Next next) throws IOException, InterruptedException {
    proof.failed = false;
    verify.run(next.block);
    counters.add(Count.SCRUBBED_BLOCKS, 1);
    if (!proof.failed || !next.group.holds(next.block)) {
      return;
    }
    // Once more while no other thread works on the group, because the block may have been replaced.
    groups.exclusively(
        next.group,
        () -> {
          if (next.group.holds(next.block)) {
            Verify.Summary summary =
                verify(archive, store, true, new ReportingProof()).run(next.block);
            if (summary.discarded() > 0) {
              counters.add(Count.REMADE_BLOCKS, 1);
              next.group.refreshAndLookAgain();
            }
          }
        });
  }

  /** Hears whether a block is wrong. */
  private static class Proof implements Verify.Listener {
    boolean failed;

    @Override
    public void planned(long rawBytes) {}

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
  }

  /** Tells of a block that is wrong. */
  private final class ReportingProof extends Proof {
    @Override
    public void failed(Group group, String message) {
      problems.tellOfStore(group, message);
    }
  }
}
