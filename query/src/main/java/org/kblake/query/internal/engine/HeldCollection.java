package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;

/** Searches the values that channels held at an instant, group after group. */
final class HeldCollection {

  private final Planner planner;
  private final long disorderBoundNanos;
  private final HeldQuery query;
  private final ReadListener listener;
  private final Map<Channel, HeldValue> values = new HashMap<>();
  private final List<CoverageSpan> missing = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param listener is told what was read
   */
  HeldCollection(Planner planner, long disorderBoundNanos, HeldQuery query, ReadListener listener) {
    this.listener = listener;
    this.planner = planner;
    this.disorderBoundNanos = disorderBoundNanos;
    this.query = query;
  }

  /**
   * Searches the values of a group's channels.
   *
   * @param plan a plan whose pairs include those of the search
   */
  private void add(GroupPlan plan, List<ChannelTarget> targets) throws IOException {
    HeldLookup search =
        HeldLookup.run(planner, plan.groupPairs(), query, targets, disorderBoundNanos, listener);
    missing.addAll(search.missing());
    notes.addAll(search.notes());
    targets.forEach(target -> values.put(target.channel(), search.value(target)));
  }

  /** Searches the values of all channels of a resolution. */
  void addAll(ChannelResolution resolution, List<GroupPlan> plans) throws IOException {
    List<List<ChannelTarget>> targets = resolution.targets();
    for (int i = 0; i < targets.size(); i++) {
      add(SelectionPlans.planOf(resolution.groups().get(i), plans), targets.get(i));
    }
  }

  /**
   * Answers the question.
   *
   * @throws IncompleteAnswerException if a log cannot be read, unless the question allows it
   */
  HeldResult answer(SelectionPlans selections) throws IOException {
    TimeRange instant = new TimeRange(query.atNanos(), EpochNanos.plus(query.atNanos(), 1));
    List<GroupPlan> plans =
        selections.plan(query.channels(), instant, HeldLookup.rangeOf(query), query.source());
    ChannelResolution resolution = SelectionPlans.resolve(query.channels(), plans);
    addAll(resolution, plans);
    SelectionPlans.unread(resolution, plans).forEach(report -> missing.addAll(report.missing()));
    if (missing.isEmpty()) {
      // A pair may have been unreadable only when the channels were looked up.
      for (GroupPlan plan : plans) {
        if (!resolution.isOfNames() || resolution.groups().contains(plan.groupPairs().group())) {
          missing.addAll(plan.unreadTables());
        }
      }
    }
    CoverageReport coverage = coverage();
    if (!coverage.isComplete() && !query.allowsIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    return new HeldResult(query, resolution, of(resolution.channels()), coverage);
  }

  /** Returns the values of channels, in their order. */
  List<HeldValue> of(List<Channel> channels) {
    return channels.stream().map(values::get).toList();
  }

  /** Returns the known values of channels by the times of their events. */
  List<HeldValue> byTime(List<Channel> channels) {
    return of(channels).stream()
        .filter(HeldValue::isKnown)
        .sorted(Comparator.comparingLong(HeldValue::sinceNanos))
        .toList();
  }

  /** Returns the coverage of the search: the missing spans only. */
  CoverageReport coverage() {
    return new CoverageReport(HeldLookup.rangeOf(query), missing, 0, 0, notes);
  }
}
