package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.DirectoryPoll;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.block.Coverage;
import org.kblake.core.internal.store.block.LogPosition;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.BackfillPlan;

/**
 * Finds the whole segments of one group that are due to be put into a block. It reads sizes and
 * times of the files that may still change. It opens a pair only if a segment may be due. For one
 * thread at a time.
 */
final class GroupFollower {

  private static final long DAMAGED_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Duration RECENT = Duration.ofDays(1);
  private static final String LISTING = "listing";

  private final Archive archive;
  private final Group group;
  private final BooleanSupplier stored;
  private final FollowSettings settings;
  private final Problems problems;
  private final long mostBytes;
  private final Clock clock;
  private final SealSchedule schedule;
  private final DirectoryPoll directory;
  private final TreeMap<String, PairProgress> pairs = new TreeMap<>();

  /** The stamps of the last listing; null if it failed. */
  private volatile @Nullable Set<String> listed;

  private boolean replaced = true;
  private long answeredNanos = System.nanoTime();

  /** About the time of the newest event that this process saw; {@link Long#MIN_VALUE} for none. */
  private long seenEventNanos = Long.MIN_VALUE;

  /** The bytes of the last due run of segments that was skipped for lack of headroom. */
  private long passedOverBytes = Long.MAX_VALUE;

  /**
   * @param stored returns whether the store has blocks of the group
   * @param mostBytes bytes of older log that are put into blocks at a time, but at least one
   *     segment
   */
  GroupFollower(
      Archive archive,
      Group group,
      BooleanSupplier stored,
      FollowSettings settings,
      Problems problems,
      long mostBytes,
      Clock clock) {
    this.archive = archive;
    this.group = group;
    this.stored = stored;
    this.settings = settings;
    this.problems = problems;
    this.mostBytes = mostBytes;
    this.clock = clock;
    directory = new DirectoryPoll(archive.root().resolve(group.system()), archive.access());
    schedule = new SealSchedule(group, settings, clock);
  }

  /**
   * Reads the attributes of the group's files.
   *
   * @param headroomBytes bytes of log; if they are enough for a skipped run, that run is due again
   * @return whether pairs have to be opened to find what is due
   */
  boolean poll(long headroomBytes) {
    if (headroomBytes >= passedOverBytes) {
      passedOverBytes = Long.MAX_VALUE;
      openAllAgain();
    }
    long now = System.nanoTime();
    boolean listed = pollDirectory(now);
    boolean wanted = replaced;
    for (PairProgress pair : pairs.values()) {
      if (!pair.complete() || listed) {
        replaced |= pair.poll();
        wanted |= pair.needsOpening(now);
      }
    }
    boolean lost = !pairs.isEmpty() && pairs.lastEntry().getValue().missing();
    if (!lost && !problems.has(group, LISTING)) {
      answeredNanos = now;
    }
    return wanted || replaced;
  }

  /** Returns the time when the newest files were last seen, as {@link System#nanoTime} counts. */
  long answeredNanos() {
    return answeredNanos;
  }

  /** Returns whether the last listing of the pairs failed. */
  boolean isAway() {
    return problems.has(group, LISTING);
  }

  /** Returns whether the last listing of the pairs succeeded and lacks a pair. For any thread. */
  boolean isRemoved(String stamp) {
    Set<String> known = listed;
    return known != null && !known.contains(stamp);
  }

  /** Lists the pairs if that is due. Returns whether it did. */
  private boolean pollDirectory(long now) {
    if (!directory.isDue(now)) {
      return false;
    }
    try {
      Set<String> stamps = new HashSet<>();
      for (Pair pair : pairs()) {
        stamps.add(pair.stamp());
        PairProgress known = pairs.get(pair.stamp());
        if (known == null) {
          pairs.put(pair.stamp(), new PairProgress(pair));
        } else {
          known.listed(pair);
        }
      }
      pairs.keySet().retainAll(stamps);
      listed = stamps;
      // After a failed listing, files of the same name may be other files.
      replaced |= problems.has(group, LISTING);
      problems.end(group, LISTING);
      return true;
    } catch (UnavailableException e) {
      listed = null;
      directory.failed();
      problems.beginOfArchive(group, LISTING, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * Returns the pairs. If a group that had pairs or has blocks has no pair now, this is an error:
   * its volume is probably not mounted. If the store replaces the logs and has blocks of them, it
   * is no error: the logs may have been removed on purpose.
   */
  private List<Pair> pairs() throws UnavailableException {
    Consumer<String> unplaced = problem -> problems.beginOfArchive(group, problem, problem);
    boolean isStored = stored.getAsBoolean();
    return settings.cache().retain() && isStored
        ? archive.pairs(group, unplaced)
        : archive.pairsOfKnown(group, !pairs.isEmpty() || isStored, unplaced);
  }

  /**
   * Returns the pairs that may still change or are not completely in blocks, in log order; null
   * while the pairs are unknown.
   */
  @Nullable List<Pair> openPairs() {
    return pairs.isEmpty()
        ? null
        : pairs.values().stream().filter(pair -> !pair.complete()).map(PairProgress::pair).toList();
  }

  /** Returns whether a file was replaced. Blocks may then be of an earlier pair. */
  boolean replaced() {
    return replaced;
  }

  /** Clears {@link #replaced} after the blocks were compared. */
  void clearReplaced() {
    replaced = false;
  }

  /** Sets the bytes of log that the next block needs. */
  void setSealSize(SealSize size) {
    schedule.setSize(size);
  }

  /** Returns whether all segments that are in no block wait for more log, not for their age. */
  boolean gathers() {
    return pairs.values().stream().allMatch(pair -> pair.complete() || pair.gathers());
  }

  /**
   * Opens all pairs again at the next search, because a block was removed. Complete pairs may not
   * be complete any more.
   */
  void openAllAgain() {
    pairs.values().forEach(PairProgress::incomplete);
  }

  /**
   * Returns the segments that are due: all segments younger than a day, and the newest of the older
   * ones for which there is headroom.
   *
   * @param coverage the stretches that are in blocks, or were evicted
   * @param headroomBytes bytes of older log that may be put into blocks
   */
  BackfillPlan due(Coverage coverage, long headroomBytes) throws IOException {
    long now = System.nanoTime();
    BackfillPlan.Builder plan = new BackfillPlan.Builder(group, coverage, new PairSnapshots());
    for (PairProgress pair : new ArrayList<>(pairs.values())) {
      if (pair.needsOpening(now)) {
        addOrReport(pair, coverage, plan, now);
      } else {
        plan.passOver();
      }
    }
    return newestOf(plan.build(), headroomBytes, now);
  }

  private BackfillPlan newestOf(BackfillPlan due, long headroomBytes, long now) throws IOException {
    Instant recentFrom = clock.instant().minus(RECENT);
    long recentFromNanos = TimeUnit.SECONDS.toNanos(recentFrom.getEpochSecond());
    int from = due.parts().size();
    long left = headroomBytes;
    while (from > 0) {
      BackfillPlan.Part part = due.parts().get(from - 1);
      if (part.pair().endNanos() < recentFromNanos) {
        left -= part.bytes();
      }
      if (left < 0) {
        break;
      }
      from--;
    }
    if (from > 0) {
      passedOverBytes = Math.min(mostBytes, due.parts().get(from - 1).bytes());
    }
    for (BackfillPlan.Part part : due.parts().subList(0, from)) {
      PairProgress passedOver = pairs.get(part.pair().stamp());
      if (passedOver != null) {
        passedOver.openAgainAt(Long.MAX_VALUE / 2 + now);
      }
    }
    boolean none = from > 0 && from == due.parts().size();
    return none && headroomBytes >= mostBytes
        ? endOf(due.parts().get(from - 1), due, now)
        : due.from(from);
  }

  /**
   * Returns the last segments of a run that is too long to be put into blocks at once. The rest is
   * due again.
   */
  private BackfillPlan endOf(BackfillPlan.Part part, BackfillPlan due, long now)
      throws IOException {
    PairProgress pair = pairs.get(part.pair().stamp());
    PairLog log = pair == null ? null : open(pair, now);
    if (log == null) {
      return due.from(due.parts().size());
    }
    long to = part.toOffset();
    long from = log.milestones().offsetAfter(to - mostBytes - 1, to);
    if (from == to) {
      from = log.milestones().offset(log.milestones().lastUpTo(to - 1));
    }
    BackfillPlan.Part end =
        new BackfillPlan.Part(part.pair(), Math.max(from, part.fromOffset()), to, false);
    return new BackfillPlan(group, List.of(end), due.coveredBytes(), due.snapshots());
  }

  /**
   * Returns the whole segments of a stretch of the log that are in no block, of any age.
   *
   * @param from a position in any pair
   * @param to the end of the stretch, exclusive, in any pair
   */
  BackfillPlan within(LogPosition from, LogPosition to, Coverage coverage) throws IOException {
    long now = System.nanoTime();
    BackfillPlan.Builder plan = new BackfillPlan.Builder(group, coverage, new PairSnapshots());
    for (PairProgress pair : new ArrayList<>(pairs.values())) {
      String stamp = pair.pair().stamp();
      boolean inside = stamp.compareTo(from.stamp()) >= 0 && stamp.compareTo(to.stamp()) <= 0;
      PairLog log = inside ? open(pair, now) : null;
      if (log == null) {
        plan.passOver();
      } else {
        long begin = stamp.equals(from.stamp()) ? from.offset() : 0;
        long end = stamp.equals(to.stamp()) ? to.offset() : Long.MAX_VALUE;
        try {
          plan.add(log, TimeRange.ALL, begin, end);
        } catch (UnavailableException e) {
          plan.passOver();
          problems.reportOfArchive(group, String.valueOf(e.getMessage()));
        }
      }
    }
    return plan.build();
  }

  /**
   * Adds the due segments of a pair. A pair that cannot be read is reported, and the other pairs
   * are read.
   */
  private void addOrReport(
      PairProgress pair, Coverage coverage, BackfillPlan.Builder plan, long now)
      throws IOException {
    String what = pair.pair().stamp() + " segments";
    try {
      addDue(pair, coverage, plan, now);
      problems.end(group, what);
    } catch (UnavailableException e) {
      plan.passOver();
      problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      pair.openAgainAt(now + settings.poll().toNanos());
    }
  }

  private void addDue(PairProgress pair, Coverage coverage, BackfillPlan.Builder plan, long now)
      throws IOException {
    PairLog log = open(pair, now);
    if (log != null && schedule.isDue(pair, log, coverage, now)) {
      plan.add(log, TimeRange.ALL);
    } else {
      plan.passOver();
    }
  }

  private @Nullable PairLog open(PairProgress pair, long now) throws IOException {
    String what = pair.pair().stamp();
    try {
      PairLog log = pair.pair().open();
      if (log.isCutShort()) {
        problems.beginOfArchive(group, what, log.behindEnd().toString());
      } else {
        problems.end(group, what);
      }
      return log;
    } catch (PendingPairException e) {
      pair.openAgainAt(now + settings.poll().toNanos());
    } catch (UnavailableException e) {
      if (!pair.isBeginning(now)) {
        problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      }
      pair.openAgainAt(now + settings.poll().toNanos());
    } catch (CorruptLogException | TooNewException e) {
      problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      pair.openAgainAt(now + DAMAGED_AGAIN_NANOS);
    }
    return null;
  }

  /**
   * Returns the time from the newest event in blocks to about the newest event of the log.
   *
   * @param newestNanos time of the newest event in blocks; {@link Long#MIN_VALUE} if there is none
   */
  long behindNanos(long newestNanos) {
    long newest = Long.MIN_VALUE;
    for (PairProgress pair : pairs.values()) {
      if (pair.logBytes() > 0) {
        newest = Math.max(newest, pair.newestNanos());
      }
    }
    if (newest == Long.MIN_VALUE) {
      return 0;
    }
    long from =
        newestNanos == Long.MIN_VALUE
            ? pairs.firstEntry().getValue().pair().beginNanos()
            : newestNanos;
    return Math.max(0, newest - from);
  }

  /**
   * Returns about the time of the newest event of the log. If the log ends with a milestone, this
   * is the newest event that was seen before, in blocks or by this process.
   *
   * @param inBlocksNanos time of the newest event in blocks; {@link Long#MIN_VALUE} if there is
   *     none
   * @return {@link Long#MIN_VALUE} if there is no log
   */
  long newestNanos(long inBlocksNanos) {
    PairProgress last = null;
    for (PairProgress pair : pairs.values()) {
      last = pair.logBytes() > 0 ? pair : last;
    }
    if (last == null) {
      return inBlocksNanos;
    }
    if (!last.endsWithMilestone()) {
      seenEventNanos = last.newestNanos();
    }
    long newest = Math.max(seenEventNanos, inBlocksNanos);
    return newest == Long.MIN_VALUE ? last.newestNanos() : newest;
  }

  /** Returns the bytes of log that are in no block. */
  long pendingBytes(Coverage coverage) {
    long bytes = 0;
    for (PairProgress pair : pairs.values()) {
      bytes += pair.logBytes();
      for (LogSpan held : coverage.held(pair.pair().stamp(), 0, pair.logBytes())) {
        bytes -= held.bytes();
      }
    }
    return bytes;
  }
}
