package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Channel;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;

/** Searches the values that channels held at an instant, group after group. */
final class HeldCollection {

  private final HeldQuery query;
  private final ReadListener listener;
  private final Map<Channel, HeldValue> values = new HashMap<>();
  private final List<CoverageSpan> missing = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param listener is told what was read
   */
  HeldCollection(HeldQuery query, ReadListener listener) {
    this.query = query;
    this.listener = listener;
  }

  /**
   * Searches the values of a group's channels.
   *
   * @param group the group, whose pairs include those of the search
   */
  void add(Reading group) throws IOException {
    HeldLookup search = HeldLookup.run(group, query, listener);
    missing.addAll(search.missing());
    notes.addAll(search.notes());
    group.channels().forEach(target -> values.put(target.channel(), search.value(target)));
  }

  /**
   * Answers the question.
   *
   * @throws IncompleteAnswerException if a log cannot be read, unless the question allows it
   */
  HeldResult answer(ScopePlan plan, Readings readings) throws IOException {
    ChannelResolution resolution = plan.resolution();
    for (Reading group : plan.readings(readings)) {
      add(group);
    }
    plan.unread().forEach(report -> missing.addAll(report.missing()));
    if (missing.isEmpty()) {
      // A pair may have been unreadable only when the channels were looked up.
      for (GroupPlan each : plan.plans()) {
        if (!resolution.isOfNames() || resolution.groups().contains(each.group())) {
          missing.addAll(each.unreadTables());
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
    return new CoverageReport(query.scope().searched(), missing, 0, 0, notes);
  }
}
