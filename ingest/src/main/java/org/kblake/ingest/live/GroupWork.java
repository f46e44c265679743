package org.kblake.ingest.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.core.log.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.store.Block;
import org.kblake.core.store.Coverage;
import org.kblake.core.store.Store;
import org.kblake.ingest.BlockCheck;
import org.kblake.ingest.GroupPlan;
import org.kblake.ingest.LogComparison;
import org.kblake.ingest.LogComparison.Outcome;
import org.kblake.ingest.TranscodeListener;
import org.kblake.ingest.Transcoder;

/**
 * Everything that is done for one group: sealing what is due, comparing young blocks once more with
 * their logs. For one thread at a time; {@link #state} for any.
 */
final class GroupWork {

  private final Archive archive;
  private final Store store;
  private final Group group;
  private final LiveSettings settings;
  private final Transcoder transcoder;
  private final LogComparison comparison;
  private final Problems problems;
  private final LiveListener listener;
  private final Clock clock;
  private final GroupFollower follower;

  private List<Block> blocks = List.of();
  private Coverage coverage = new Coverage(List.of());
  private final Set<String> compared = new HashSet<>();
  private long nextComparisonNanos = System.nanoTime();

  private final AtomicLong sealedEvents = new AtomicLong();
  private final AtomicLong sealedRawBytes = new AtomicLong();
  private volatile GroupState state;

  GroupWork(
      Archive archive,
      Store store,
      Group group,
      LiveSettings settings,
      Transcoder transcoder,
      Problems problems,
      LiveListener listener,
      Clock clock) {
    this.archive = archive;
    this.store = store;
    this.group = group;
    this.settings = settings;
    this.transcoder = transcoder;
    this.comparison = new LogComparison(archive, settings.ioLimitBytesPerSecond());
    this.problems = problems;
    this.listener = listener;
    this.clock = clock;
    follower = new GroupFollower(archive, group, settings, problems, clock);
    state = GroupState.unknown(group);
  }

  Group group() {
    return group;
  }

  /** What was known of the group at the end of the last look. */
  GroupState state() {
    return state;
  }

  /**
   * Looks at the group's files.
   *
   * @return whether {@link #run} has something to do
   */
  boolean poll() {
    boolean due = follower.poll();
    publish();
    return due || System.nanoTime() - nextComparisonNanos >= 0;
  }

  /**
   * Does what is due.
   *
   * @throws IOException if the store cannot be written
   */
  void run() throws IOException, InterruptedException {
    Reports reports = new Reports();
    if (follower.takeReplaced()) {
      BlockCheck.coverage(archive, store, group, reports);
      refresh();
    }
    if (System.nanoTime() - nextComparisonNanos >= 0) {
      compareYoungBlocks();
    }
    GroupPlan plan = follower.due(coverage);
    if (!plan.parts().isEmpty()) {
      transcoder.transcode(plan, reports);
      refresh();
    }
    publish();
  }

  /** Lists the blocks once more. */
  private void refresh() throws IOException {
    blocks =
        store.blocks(
            group, problem -> problems.begin(group, "block", String.valueOf(problem.getMessage())));
    coverage = Coverage.of(blocks);
  }

  /** Every block is compared once, when what a stale page hid has long shown. */
  private void compareYoungBlocks() throws IOException, InterruptedException {
    nextComparisonNanos = System.nanoTime() + settings.recheck().toNanos();
    boolean discarded = false;
    Set<String> present = new HashSet<>();
    for (Block block : new ArrayList<>(blocks)) {
      String name = block.directory().toString();
      present.add(name);
      Duration age = age(block);
      boolean young = age.compareTo(settings.recheck().multipliedBy(3)) < 0;
      boolean settled = age.compareTo(settings.recheck()) >= 0;
      if (young && settled && !compared.contains(name)) {
        Outcome outcome = comparison.compare(block);
        switch (outcome.result()) {
          case SAME -> compared.add(name);
          case DIFFERENT -> {
            store.discard(block);
            listener.discarded(block, outcome.detail());
            discarded = true;
          }
          case UNREACHABLE -> {
            // The next comparison tries again.
          }
        }
      }
    }
    compared.retainAll(present);
    if (discarded) {
      refresh();
      follower.lookAgain();
    }
  }

  private Duration age(Block block) throws IOException {
    FileTime made = Files.getLastModifiedTime(block.directory());
    return Duration.between(made.toInstant(), clock.instant());
  }

  private void publish() {
    state =
        new GroupState(
            group,
            blocks.size(),
            blocks.stream().mapToLong(block -> block.facts().rawBytes()).sum(),
            follower.pendingBytes(coverage),
            sealedEvents.get(),
            sealedRawBytes.get());
  }

  /** What the transcoder says of this group. */
  private final class Reports implements TranscodeListener {
    @Override
    public void scanned(Group of, long rawBytes, long events) {}

    @Override
    public void committed(Block block) throws IOException {
      sealedEvents.addAndGet(block.facts().events());
      sealedRawBytes.addAndGet(block.facts().rawBytes());
      listener.sealed(block, block.storedBytes());
    }

    @Override
    public void problem(Group of, String message) {
      listener.problem(of, message);
    }
  }
}
