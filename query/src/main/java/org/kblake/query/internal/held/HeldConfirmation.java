package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PairRanges;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.reading.Reading;

/**
 * Finds whether the events that a milestone repeats were strays. An event that was no stray is in a
 * segment before the milestone whose span contains its time.
 */
final class HeldConfirmation {

  private final Reading group;
  private final PlannedRange ofPair;
  private final long milestoneOffset;

  /**
   * @param ofPair a range of the milestone's pair
   * @param milestoneOffset the offset of the milestone in that pair's log
   */
  HeldConfirmation(Reading group, PlannedRange ofPair, long milestoneOffset) {
    this.group = group;
    this.ofPair = ofPair;
    this.milestoneOffset = milestoneOffset;
  }

  /** The ranges of the log that may have an event of a given time. */
  private record SearchedRanges(
      List<ReadRange> ranges, List<PairContent> pairContents, boolean holes) {}

  /**
   * @param candidates the channels, each with its event
   * @param acceptsUnread whether no log before the milestone can be read for the question; then an
   *     event is accepted if its time is before the group's log, or in a range that cannot be read
   * @return the channels whose events were no strays, each with the order key of its segment;
   *     {@link Long#MIN_VALUE} if there is no log
   */
  Map<ChannelTarget, Long> confirm(
      Map<ChannelTarget, HeldCandidate> candidates, boolean acceptsUnread, HeldStates.Scan scan)
      throws IOException {
    Map<SearchedRanges, List<ChannelTarget>> byRanges = new LinkedHashMap<>();
    for (Map.Entry<ChannelTarget, HeldCandidate> candidate : candidates.entrySet()) {
      byRanges
          .computeIfAbsent(rangesAt(candidate.getValue().nanos()), any -> new ArrayList<>())
          .add(candidate.getKey());
    }
    Map<ChannelTarget, Long> confirmed = new LinkedHashMap<>();
    for (Map.Entry<SearchedRanges, List<ChannelTarget>> entry : byRanges.entrySet()) {
      SearchedRanges searched = entry.getKey();
      if (acceptsUnread && (searched.holes() || searched.ranges().isEmpty() && isFirstOfGroup())) {
        entry.getValue().forEach(channel -> confirmed.put(channel, Long.MIN_VALUE));
      }
      confirmed.putAll(findEvents(searched, entry.getValue(), candidates, scan));
    }
    return confirmed;
  }

  /**
   * Returns whether the group has no log before the milestone. If it has, an event whose time is in
   * no segment was a stray.
   */
  private boolean isFirstOfGroup() {
    return milestoneOffset == 0 && ofPair.readRange().pair().number() == 0;
  }

  private SearchedRanges rangesAt(long nanos) throws IOException {
    TimeRange instant = new TimeRange(nanos, EpochNanos.plus(nanos, 1));
    List<ReadRange> ranges = new ArrayList<>();
    List<PairContent> pairContents = new ArrayList<>();
    boolean holes = false;
    PairSlot last = ofPair.readRange().pair();
    for (PairSlot slot : group.plan().groupPairs().pairs()) {
      if (slot.number() <= last.number() && group.shared().planner().mayMeet(slot, instant)) {
        PairContent content = group.plan().resolver().of(slot);
        long end = slot.number() == last.number() ? milestoneOffset : Long.MAX_VALUE;
        for (ReadRange readRange : PairRanges.before(content, instant, end)) {
          ranges.add(readRange);
          pairContents.add(content);
        }
        for (PairRange pairRange : content.pairRanges()) {
          holes |=
              pairRange instanceof PairRange.Missing missing
                  && instant.meets(missing.times().fromNanos(), missing.times().toNanos());
        }
      }
    }
    return new SearchedRanges(ranges, pairContents, holes);
  }

  /** Returns the channels whose event is in one of the ranges. */
  private static Map<ChannelTarget, Long> findEvents(
      SearchedRanges searched,
      List<ChannelTarget> channels,
      Map<ChannelTarget, HeldCandidate> candidates,
      HeldStates.Scan scan)
      throws IOException {
    Map<Integer, ChannelTarget> byIndex = new HashMap<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (ChannelTarget channel : channels) {
      byIndex.put(channel.index(), channel);
      long nanos = Objects.requireNonNull(candidates.get(channel)).nanos();
      first = Math.min(first, nanos);
      last = Math.max(last, nanos);
    }
    TimeRange times = new TimeRange(first, EpochNanos.plus(last, 1));
    Map<ChannelTarget, Long> found = new LinkedHashMap<>();
    for (int i = 0; i < searched.ranges().size(); i++) {
      RecordTable records = searched.pairContents().get(i).records();
      if (records == null) {
        continue;
      }
      PlannedRange planned =
          new PlannedRange(
              searched.ranges().get(i),
              searched.pairContents().get(i),
              records,
              channels,
              List.of());
      scan.scan(
          planned,
          times,
          rows -> {
            ChannelTarget channel = byIndex.get(rows.channel());
            HeldCandidate candidate = channel == null ? null : candidates.get(channel);
            if (channel != null && candidate != null) {
              int row = candidate.lastAmong(rows.columns(), rows.from(), rows.to());
              if (row >= 0) {
                found.put(channel, rows.orderKey(row));
              }
            }
          });
    }
    return found;
  }
}
