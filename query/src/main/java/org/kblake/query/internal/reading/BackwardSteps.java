package org.kblake.query.internal.reading;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.PairRanges;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;

/**
 * A group's log from the end of a range backwards, a few segments at a time: one, then two, then
 * four. A pair is opened when the steps reach it.
 */
public final class BackwardSteps {

  private static final int MAX_SEGMENTS = 1 << 12;

  private final Planner planner;
  private final GroupPlan opened;
  private final TimeRange range;
  private final Interest interest;
  private final Deque<Step> steps = new ArrayDeque<>();
  private int nextPair;
  private boolean ended;
  private int segments = 1;

  /** A few segments, or a range of the log that cannot be read. */
  public sealed interface Step {}

  /**
   * Segments that can be read.
   *
   * @param readRange the segments and their source
   * @param content the pair
   */
  public record Segments(ReadRange readRange, PairContent content) implements Step {}

  /** A range of the log that cannot be read and may have events of the range. */
  public record Hole(PairRange.Missing missing) implements Step {}

  /** A filter of stored segments. */
  @FunctionalInterface
  public interface Interest {

    /** Returns whether segments of a block may have a wanted event, or damage to be reported. */
    boolean mayHold(StoredRange readRange) throws IOException;
  }

  /**
   * @param interest the filter of stored segments; a range that it excludes becomes one step, from
   *     the first segment that may meet the range
   */
  BackwardSteps(Planner planner, GroupPlan opened, Interest interest) {
    this.planner = planner;
    this.interest = interest;
    this.opened = opened;
    range = opened.range();
    nextPair = opened.groupPairs().pairs().size() - 1;
  }

  /** Returns the previous step in log order; null at the begin of the range or of the log. */
  public @Nullable Step next() throws IOException {
    while (steps.isEmpty() && nextPair >= 0) {
      PairSlot slot = opened.groupPairs().pairs().get(nextPair--);
      if (planner.mayMeet(slot, range)) {
        addSteps(opened.resolver().of(slot));
      }
    }
    Step step = steps.poll();
    if (step == null && !ended) {
      ended = true;
      PairRange.Missing before = opened.groupPairs().before();
      return before == null || !meetsRange(before) ? null : new Hole(before);
    }
    return step;
  }

  private boolean meetsRange(PairRange.Missing missing) {
    return range.meets(missing.times().fromNanos(), missing.times().toNanos());
  }

  private void addSteps(PairContent content) throws IOException {
    List<PairRange> pairRanges = new ArrayList<>(content.pairRanges());
    Collections.reverse(pairRanges);
    for (PairRange pairRange : pairRanges) {
      if (pairRange instanceof PairRange.Missing missing) {
        if (meetsRange(missing)) {
          steps.add(new Hole(missing));
        }
      } else if (pairRange instanceof PairRange.Stored stored
          && !interest.mayHold(readRange(stored, content))) {
        int first = PairRanges.firstWanted(content, stored, range);
        if (first < stored.toSegment()) {
          steps.add(
              new Segments(
                  new StoredRange(content.slot(), stored.block(), first, stored.toSegment()),
                  content));
        }
      } else {
        List<ReadRange> ranges = PairRanges.of(content, pairRange, range);
        Collections.reverse(ranges);
        for (ReadRange readRange : ranges) {
          split(readRange, content);
        }
      }
    }
  }

  private static StoredRange readRange(PairRange.Stored pairRange, PairContent content) {
    return new StoredRange(
        content.slot(), pairRange.block(), pairRange.fromSegment(), pairRange.toSegment());
  }

  private void split(ReadRange readRange, PairContent content) throws IOException {
    if (readRange instanceof StoredRange stored) {
      for (int end = stored.toSegment(); end > stored.fromSegment(); ) {
        int from = Math.max(stored.fromSegment(), end - takeSegments());
        steps.add(new Segments(new StoredRange(stored.pair(), stored.block(), from, end), content));
        end = from;
      }
    } else if (readRange instanceof RawRange raw) {
      List<IndexSegment> withinRange = raw.segmentsMeeting(range);
      for (int end = withinRange.size(); end > 0; ) {
        int from = Math.max(0, end - takeSegments());
        steps.add(
            new Segments(
                new RawRange(
                    raw.pair(),
                    raw.log(),
                    withinRange.get(from).fromOffset(),
                    withinRange.get(end - 1).toOffset()),
                content));
        end = from;
      }
    }
  }

  private int takeSegments() {
    int taken = segments;
    segments = Math.min(MAX_SEGMENTS, 2 * segments);
    return taken;
  }
}
