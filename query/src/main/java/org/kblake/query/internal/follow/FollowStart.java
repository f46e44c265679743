package org.kblake.query.internal.follow;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.PairRanges;
import org.kblake.query.internal.reading.LastEvents;

/**
 * The place in a group's log at which following continues after the history: the last milestone
 * that is in both the index and the log. Its pair is the first of the last pairs that are not
 * closed, or of those that no pair was certainly begun after. So the history has whole segments,
 * and each segment is read either as history or by following.
 *
 * @param group the group
 * @param history the pairs of the plan, with their ranges that are history
 * @param pairs the pairs that are followed, in log order
 * @param place the place from which the log is followed
 * @param stamps the stamps of all pairs
 * @param isListed whether the archive's pairs could be listed
 * @param storedStamp the stamp of the last pair, if only blocks have it; else empty
 * @param storedOffset the offset up to which blocks have that pair
 * @param inOrder whether a pair is read only when the one before it is closed and read to its end
 */
record FollowStart(
    Group group,
    List<GroupPlan.PlannedPair> history,
    List<At> pairs,
    LastEvents.Place place,
    Set<String> stamps,
    boolean isListed,
    String storedStamp,
    long storedOffset,
    boolean inOrder) {

  /** A pair, and the offset of its log from which it is followed. */
  record At(Pair pair, long offset) {}

  static FollowStart of(GroupPlan plan, TimeRange range) throws IOException {
    List<PairSlot> slots = plan.groupPairs().pairs();
    int newest = slots.size() - 1;
    int first = slots.size();
    while (first > 0 && isFollowed(plan, first - 1)) {
      first--;
    }
    boolean onlyStored = newest >= 0 && slots.get(newest).pair() == null;
    if (onlyStored) {
      first = newest;
    }
    List<GroupPlan.PlannedPair> history = new ArrayList<>();
    for (GroupPlan.PlannedPair planned : plan.pairs()) {
      if (planned.content().slot().number() < first) {
        history.add(planned);
      }
    }
    long offset =
        first <= newest
            ? addHistory(plan.resolver().of(slots.get(first)), range, plan, history)
            : 0;
    List<At> pairs = new ArrayList<>();
    for (int i = first; i <= newest; i++) {
      Pair pair = slots.get(i).pair();
      if (pair != null) {
        pairs.add(new At(pair, i == first ? offset : 0));
      }
    }
    Set<String> stamps = new HashSet<>();
    slots.forEach(slot -> stamps.add(slot.stamp()));
    return new FollowStart(
        plan.groupPairs().group(),
        history,
        pairs,
        new LastEvents.Place(first, offset),
        stamps,
        plan.groupPairs().unlisted() == null,
        onlyStored ? slots.get(newest).stamp() : "",
        onlyStored ? offset : 0,
        false);
  }

  /**
   * Returns the start of reading the logs alone, in order.
   *
   * @param from the place of the first event; null for the begin of the first pair of the plan
   * @param earliestNanos a time that is surely before all events. A pair that may be later is read
   *     even if the plan leaves it out because it has ended: the events, and their order, must be
   *     those of a reader that found it growing
   */
  static FollowStart inOrder(GroupPlan plan, @Nullable LogPosition from, long earliestNanos) {
    List<PairSlot> slots = plan.groupPairs().pairs();
    int first = from == null ? Math.min(firstPlanned(plan), firstNamed(slots, earliestNanos)) : 0;
    while (from != null && first < slots.size() && isBefore(slots.get(first), from)) {
      first++;
    }
    List<At> pairs = new ArrayList<>();
    Set<String> stamps = new HashSet<>();
    for (int i = 0; i < slots.size(); i++) {
      PairSlot slot = slots.get(i);
      Pair pair = slot.pair();
      if (i >= first && pair != null) {
        boolean atPlace = from != null && slot.stamp().equals(from.stamp());
        pairs.add(new At(pair, from != null && atPlace ? from.offset() : 0));
      }
      stamps.add(slot.stamp());
    }
    LastEvents.Place place = new LastEvents.Place(first, 0);
    boolean listed = plan.groupPairs().unlisted() == null;
    return new FollowStart(plan.group(), List.of(), pairs, place, stamps, listed, "", 0, true);
  }

  private static int firstNamed(List<PairSlot> slots, long earliestNanos) {
    int first = 0;
    while (first < slots.size() && slots.get(first).endNanos() < earliestNanos) {
      first++;
    }
    return first;
  }

  private static int firstPlanned(GroupPlan plan) {
    return plan.pairs().isEmpty()
        ? plan.groupPairs().pairs().size()
        : plan.pairs().get(0).content().slot().number();
  }

  private static boolean isBefore(PairSlot slot, LogPosition place) {
    return slot.stamp().compareTo(place.stamp()) < 0;
  }

  private static boolean isFollowed(GroupPlan plan, int i) throws IOException {
    PairSlot slot = plan.groupPairs().pairs().get(i);
    if (slot.pair() == null) {
      return false;
    }
    if (slot.endNanos() == Long.MAX_VALUE) {
      return true;
    }
    PairLog log = plan.resolver().of(slot).log();
    return log != null && !log.closed();
  }

  /** Adds the history of the first followed pair, and returns the offset of its end. */
  private static long addHistory(
      PairContent content, TimeRange range, GroupPlan plan, List<GroupPlan.PlannedPair> history)
      throws IOException {
    PairLog log = content.log();
    if (log != null && log.closed() && isShorterThanColumns(content, log)) {
      history.add(
          new GroupPlan.PlannedPair(content, PairRanges.before(content, range, Long.MAX_VALUE)));
      return log.logBytes();
    }
    long offset;
    if (log == null) {
      offset = known(content);
    } else {
      try {
        offset = log.lastMilestoneOffset();
      } catch (UnavailableException e) {
        offset = 0;
      }
      Milestones milestones = log.milestones();
      int milestone = milestones.lastUpTo(offset);
      if (milestone >= 0) {
        plan.report().pendingFrom(milestones.nanos(milestone), log.pair().logPath());
      }
    }
    history.add(new GroupPlan.PlannedPair(content, PairRanges.before(content, range, offset)));
    return offset;
  }

  /** Returns whether columns have events behind the end of a log. */
  private static boolean isShorterThanColumns(PairContent content, PairLog log) throws IOException {
    for (PairRange pairRange : content.pairRanges()) {
      if (pairRange instanceof PairRange.Stored stored
          && stored.block().segment(stored.toSegment() - 1).endOffset() > log.logBytes()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the end of a pair's span in blocks, up to the first gap. */
  private static long known(PairContent content) throws IOException {
    long offset = 0;
    for (PairRange pairRange : content.pairRanges()) {
      if (!(pairRange instanceof PairRange.Stored stored)) {
        break;
      }
      Block block = stored.block();
      if (block.segment(stored.fromSegment()).startOffset() != offset) {
        break;
      }
      offset = block.segment(stored.toSegment() - 1).endOffset();
    }
    return offset;
  }
}
