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
import org.kblake.core.internal.store.block.Coverage;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * What of a group's log is to be put into blocks: whole segments that are not in one yet.
 *
 * @param group the group
 * @param parts in log order
 * @param coveredBytes bytes of log asked for that blocks hold already
 * @param snapshots of the pairs that were opened for the plan
 */
public record BackfillPlan(
    Group group, List<Part> parts, long coveredBytes, PairSnapshots snapshots) {

  private static final long NOWHERE = -1;

  public BackfillPlan {
    parts = List.copyOf(parts);
  }

  /**
   * A run of whole segments of a pair.
   *
   * @param pair the pair; {@link #open} opens it when its turn comes
   * @param fromOffset the first segment's milestone
   * @param toOffset the byte behind the last segment
   * @param adjoinsPrevious whether it continues where the part before ends, so that both may be in
   *     one block
   */
  public record Part(Pair pair, long fromOffset, long toOffset, boolean adjoinsPrevious) {
    public long bytes() {
      return toOffset - fromOffset;
    }
  }

  /** The pair of a part as it is now. Fails as {@link Pair#open()} does. */
  public PairLog open(Part part) throws IOException {
    return snapshots.open(part.pair);
  }

  /** Bytes of log that are to be put into blocks. */
  public long bytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  /** The parts from one of them on. */
  public BackfillPlan from(int part) {
    return new BackfillPlan(group, parts.subList(part, parts.size()), coveredBytes, snapshots);
  }

  /**
   * Plans a group.
   *
   * @param known whether the group is known to have pairs, so that none is a problem
   * @param coverage what blocks hold
   * @param snapshots of pairs that were opened to know the coverage
   * @param problems gets a line on pairs that cannot be read or have no place in time; the others
   *     are planned. Told, too, if the pairs cannot be listed: then nothing is planned
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
        plan.add(snapshots.open(pair), range);
      } catch (PendingPairException e) {
        // Begun a moment ago: it has no whole segment yet.
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

  /** Puts a plan together, pair after pair in log order. */
  public static final class Builder {
    private final Group group;
    private final Coverage coverage;
    private final PairSnapshots snapshots;
    private final List<Part> parts = new ArrayList<>();
    private long coveredBytes;
    private boolean atPairsEnd;

    /**
     * @param coverage what blocks hold
     * @param snapshots where those of the plan's pairs are kept
     */
    public Builder(Group group, Coverage coverage, PairSnapshots snapshots) {
      this.group = group;
      this.coverage = coverage;
      this.snapshots = snapshots;
    }

    /** Leaves a pair out: what comes behind it does not adjoin what came before. */
    public void passOver() {
      atPairsEnd = false;
    }

    /**
     * Adds what no block holds of a pair.
     *
     * @param range whole segments that meet it
     */
    public void add(PairLog log, TimeRange range) throws IOException {
      add(log, range, 0, Long.MAX_VALUE);
    }

    /**
     * Adds what no block holds of a part of a pair.
     *
     * @param range whole segments that meet it
     * @param fromOffset and do not end before it
     * @param toOffset and begin before it
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
      atPairsEnd = log.closed() && end == log.logBytes();
    }

    private void extend(Pair pair, long from, long to, boolean adjoins) {
      Part last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
      if (adjoins && last != null && last.pair == pair) {
        parts.set(parts.size() - 1, new Part(pair, last.fromOffset, to, last.adjoinsPrevious));
      } else {
        parts.add(new Part(pair, from, to, adjoins));
      }
    }

    public BackfillPlan build() {
      return new BackfillPlan(group, parts, coveredBytes, snapshots);
    }
  }
}
