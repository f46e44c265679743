package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EpochNanos;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.reading.LastEvents;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.internal.source.MergedGroups;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.internal.source.SkippingSource;
import org.kblake.query.internal.source.WantedEvents;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Scope;

/** Plans questions about events: those of a range, or the last ones. */
final class EventPlanner {

  private final ScopePlanner scopes;
  private final Readings readings;

  EventPlanner(ScopePlanner scopes, Readings readings) {
    this.scopes = scopes;
    this.readings = readings;
  }

  /** Plans the range of a question. */
  ScopePlan plan(EventQuery query) throws IOException {
    Scope scope = query.scope().lookBackNanos(0);
    if (query.isOfNewestPair()) {
      return scopes.planNewest(scope);
    }
    // The values are held an instant before the range, so their search begins that much earlier.
    return scopes.plan(
        query.heldBefore() == null
            ? scope
            : scope.lookBackNanos(EpochNanos.plus(query.lookBackNanos(), 1)));
  }

  /**
   * Plans events of a range.
   *
   * @param position the rows before it are left out
   */
  EventAnswer from(EventQuery query, AnswerPosition position) throws IOException {
    ScopePlan plan = plan(query);
    ChannelResolution resolution = plan.resolution();
    List<Reading> groups = new ArrayList<>();
    List<EventRows> sources = new ArrayList<>();
    Set<ValueShape> shapes = new TreeSet<>();
    for (Reading all : plan.readings(readings.sharedBy(resolution.groups().size()))) {
      GroupPlan ofGroup = all.plan();
      ChannelResolution.addShapes(ofGroup.tables(), all.channels(), shapes);
      ResumedRanges ranges = ResumedRanges.of(all, position.points().get(ofGroup.group()));
      Reading reading =
          all.of(ranges.ranges()).with(wanted(query, query.hasLogOrder(), groups.size()));
      GroupSource source = reading.forward(RowOrder.LOG);
      source.skip(ranges.rowsToSkip(), ranges.skippedRanges());
      groups.add(reading);
      sources.add(source);
    }
    List<CoverageReport> reports = new ArrayList<>(plan.unread());
    HeldQuery before = query.heldBefore();
    HeldCollection values = before == null ? null : new HeldCollection(before, ReadListener.NONE);
    if (values != null) {
      for (Reading group : groups) {
        values.add(group);
      }
      reports.add(values.coverage());
    }
    EventAnswer answer =
        EventAnswer.of(
            query,
            resolution,
            shapes,
            MergedGroups.of(sources),
            new AnswerReport.OfGroups(query.range(), groups, reports));
    return values == null ? answer : answer.after(values.byTime(resolution.channels()));
  }

  /** Plans the last events of each channel. */
  EventAnswer last(EventQuery query) throws IOException {
    Scope scope = query.scope().lookBackNanos(0);
    ScopePlan plan = scopes.planEnd(scope);
    ChannelResolution resolution = plan.resolution();
    List<Reading> groups = new ArrayList<>();
    List<EventRows> sources = new ArrayList<>();
    Set<ValueShape> shapes = new TreeSet<>();
    for (Reading planned : plan.readings(readings)) {
      WantedEvents wanted = wanted(query, false, groups.size());
      LastEvents last =
          readings.answer(
              planned.plan().groupPairs(),
              scope,
              planned.channels(),
              opened ->
                  LastEvents.find(
                      opened.with(wanted),
                      query.lastEvents(),
                      new long[resolution.names().size()],
                      LastEvents.Place.END));
      Reading reading = last.reading();
      List<RecordTable> tables = new ArrayList<>(planned.plan().tables());
      reading.ranges().stream().map(PlannedRange::records).forEach(tables::add);
      ChannelResolution.addShapes(tables, reading.channels(), shapes);
      groups.add(reading);
      sources.add(
          new SkippingSource(
              reading.forward(RowOrder.LOG), Arrays.copyOf(last.skips(), last.skips().length)));
    }
    return EventAnswer.of(
        query,
        resolution,
        shapes,
        MergedGroups.of(sources),
        new AnswerReport.OfGroups(query.range(), groups, plan.unread()));
  }

  private static WantedEvents wanted(EventQuery query, boolean logOrder, int group) {
    return new WantedEvents(query.range(), query.range(), query.hasStrays(), logOrder, group);
  }
}
