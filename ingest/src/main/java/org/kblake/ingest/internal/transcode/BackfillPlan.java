package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.Coverage;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * The whole segments of a group's log that are in no block and are to be put into blocks.
 *
 * @param group the group
 * @param ranges the ranges in log order
 * @param coveredBytes requested bytes of log that are already in blocks
 * @param snapshots the snapshots of the pairs that were opened for the plan
 */
public record BackfillPlan(
    Group group, List<Range> ranges, long coveredBytes, PairSnapshots snapshots) {

  private static final long NOWHERE = -1;

  public BackfillPlan {
    ranges = List.copyOf(ranges);
  }

  /**
   * Adjacent whole segments of a pair.
   *
   * @param pair the pair, which {@link #open} opens
   * @param fromOffset the offset of the first segment's milestone
   * @param toOffset the offset after the last segment
   * @param adjoinsPrevious whether it begins where the previous range ends, so that both may be in
   *     one block
   */
  public record Range(Pair pair, long fromOffset, long toOffset, boolean adjoinsPrevious) {
    public long bytes() {
      return toOffset - fromOffset;
    }
  }

  /** Opens the pair of a range. Fails as {@link Pair#open()} does. */
  public PairLog open(Range range) throws IOException {
    return snapshots.open(range.pair);
  }

  /** Returns the bytes of log that are to be put into blocks. */
  public long bytes() {
    return ranges.stream().mapToLong(Range::bytes).sum();
  }

  /** Returns the plan of the ranges from one on. */
  public BackfillPlan from(int range) {
    return new BackfillPlan(group, ranges.subList(range, ranges.size()), coveredBytes, snapshots);
  }

  /**
   * Plans a group.
   *
   * @param known whether the group must have pairs; then it is a problem if it has none
   * @param coverage what blocks hold
   * @param snapshots the snapshots of pairs that are already open
   * @param problems receives a line for each pair that cannot be read or has an invalid time in its
   *     name; the other pairs are planned. Also receives a line if the pairs cannot be listed; the
   *     plan is then empty
   */
  public static BackfillPlan of(
      Archive archive,
      Group group,
      boolean known,
      TimeRange range,
      Coverage coverage,
      PairSnapshots snapshots,
      Consumer<String> problems)
      throws IOException {
    Builder plan = new Builder(group, coverage, snapshots);
    for (Pair pair : pairs(archive, group, known, problems)) {
      try {
        PairLog log = snapshots.open(pair);
        plan.add(log, range);
        if (log.isCutShort()
            && !coverage.holds(pair.stamp(), log.logBytes(), log.behindEnd().knownEndOffset())
            && range.meets(pair.beginNanos(), pair.endNanos())) {
          problems.accept(log.behindEnd().toString());
        }
      } catch (PendingPairException e) {
        // The pair was just created, and has no whole segment yet.
        plan.passOver();
      } catch (UnavailableException | CorruptLogException | TooNewException e) {
        plan.passOver();
        if (range.meets(pair.beginNanos(), pair.endNanos())) {
          problems.accept(String.valueOf(e.getMessage()));
        }
      }
    }
    return plan.build();
  }

  private static List<Pair> pairs(
      Archive archive, Group group, boolean known, Consumer<String> problems) {
    try {
      return archive.pairsOfKnown(group, known, problems);
    } catch (UnavailableException e) {
      problems.accept(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  /** Builds a plan, pair after pair in log order. */
  public static final class Builder {
    private final Group group;
    private final Coverage coverage;
    private final PairSnapshots snapshots;
    private final List<Range> ranges = new ArrayList<>();
    private long coveredBytes;
    private boolean atPairsEnd;

    /**
     * @param coverage what blocks hold
     * @param snapshots receives the snapshots of the plan's pairs
     */
    public Builder(Group group, Coverage coverage, PairSnapshots snapshots) {
      this.group = group;
      this.coverage = coverage;
      this.snapshots = snapshots;
    }

    /** Skips a pair. The next range does not adjoin the previous one. */
    public void passOver() {
      atPairsEnd = false;
    }

    /**
     * Adds the segments of a pair that are in no block.
     *
     * @param range the range of time; whole segments that overlap it are added
     */
    public void add(PairLog log, TimeRange range) throws IOException {
      add(log, range, 0, Long.MAX_VALUE);
    }

    /**
     * Adds the segments of a range of a pair that are in no block.
     *
     * @param range the range of time; whole segments that overlap it are added
     * @param fromOffset segments that end before it, or at it, are not added
     * @param toOffset segments that begin at it, or after it, are not added
     */
    public void add(PairLog log, TimeRange range, long fromOffset, long toOffset)
        throws IOException {
      Pair pair = log.pair();
      long end = atPairsEnd ? 0 : NOWHERE;
      for (IndexSegment segment : log.segmentsMeeting(range)) {
        long from = segment.fromOffset();
        long to = segment.toOffset();
        boolean whole = log.closed() || to < log.dataBytes();
        if (!whole || from == to || to <= fromOffset || from >= toOffset) {
          continue;
        }
        if (coverage.holds(pair.stamp(), from, to)) {
          coveredBytes += to - from;
        } else {
          snapshots.keep(log);
          extend(pair, from, to, from == end);
          end = to;
        }
      }
      atPairsEnd = log.closed() && !log.isCutShort() && end == log.logBytes();
    }

    private void extend(Pair pair, long from, long to, boolean adjoins) {
      Range last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
      if (adjoins && last != null && last.pair == pair) {
        ranges.set(ranges.size() - 1, new Range(pair, last.fromOffset, to, last.adjoinsPrevious));
      } else {
        ranges.add(new Range(pair, from, to, adjoins));
      }
    }

    public BackfillPlan build() {
      return new BackfillPlan(group, ranges, coveredBytes, snapshots);
    }
  }
}
