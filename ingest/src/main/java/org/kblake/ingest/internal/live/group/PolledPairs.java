package org.kblake.ingest.internal.live.group;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.DirectoryPoll;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * The pairs of one group, as far as their directory and the attributes of their files show. It
 * reads sizes and times of the files that may still change. For one thread at a time.
 */
final class PolledPairs {

  private static final String LISTING = "listing";

  private final Archive archive;
  private final Group group;
  private final BooleanSupplier stored;
  private final FollowSettings settings;
  private final Problems problems;
  private final DirectoryPoll directory;
  private final TreeMap<String, PairProgress> pairs = new TreeMap<>();

  /** The stamps of the last listing; null if it failed. */
  private volatile @Nullable Set<String> listed;

  private boolean replaced = true;
  private long answeredNanos = System.nanoTime();

  /** About the time of the newest event that this process saw; {@link Long#MIN_VALUE} for none. */
  private long seenEventNanos = Long.MIN_VALUE;

  /**
   * @param stored returns whether the store has blocks of the group
   */
  PolledPairs(
      Archive archive,
      Group group,
      BooleanSupplier stored,
      FollowSettings settings,
      Problems problems) {
    this.archive = archive;
    this.group = group;
    this.stored = stored;
    this.settings = settings;
    this.problems = problems;
    directory = new DirectoryPoll(archive.root().resolve(group.system()), archive.access());
  }

  Group group() {
    return group;
  }

  /**
   * Lists the pairs if that is due, and reads the attributes of files.
   *
   * @return whether pairs have to be opened to find what is due
   */
  boolean poll() {
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
      for (Pair pair : list()) {
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
  private List<Pair> list() throws UnavailableException {
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

  /** Returns all pairs, in log order. */
  List<PairProgress> all() {
    return List.copyOf(pairs.values());
  }

  /** Returns the pair with a stamp, or null. */
  @Nullable PairProgress of(String stamp) {
    return pairs.get(stamp);
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
