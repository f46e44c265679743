package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.Movements;
import org.kblake.query.internal.moved.GroupMovements;
import org.kblake.query.internal.moved.RankedMovement;
import org.kblake.query.internal.plan.AnswerReport;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.internal.source.PlaceLostException;
import org.kblake.query.internal.source.RunOrder;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Scope;

/**
 * The answer to a question about what moved.
 *
 * @param movements the movements and their coverage
 * @param ranges the ranges that were read
 */
public record MovedAnswer(Movements movements, List<ReadRange> ranges) {

  /** Plans the events of a question, and opens their sources. */
  @FunctionalInterface
  interface Planned {
    EventSources sources(EventQuery query, RunOrder order) throws IOException;
  }

  /** Looks up the values that channels held at an instant. */
  @FunctionalInterface
  interface HeldLook {
    HeldResult held(HeldQuery query) throws IOException;
  }

  /** The movements of a group, and what could not be looked up, with the notes on it. */
  private record OfGroup(
      List<RankedMovement> movements, List<CoverageSpan> missing, List<String> notes) {}

  /**
   * Reads the groups, each in a task of its own.
   *
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  static MovedAnswer of(
      MovedQuery query,
      Planned planned,
      ParallelTasks parallel,
      HeldLook look,
      ReadListener listener)
      throws IOException {
    EventQuery events =
        EventQuery.of(query.channels())
            .between(query.range())
            .from(query.source())
            .allowIncomplete();
    try {
      return of(query, planned.sources(events, RunOrder.CHANNELS), parallel, look, listener);
    } catch (PlaceLostException e) {
      return of(query, planned.sources(events, RunOrder.LOG), parallel, look, listener);
    }
  }

  private static MovedAnswer of(
      MovedQuery query,
      EventSources events,
      ParallelTasks parallel,
      HeldLook look,
      ReadListener listener)
      throws IOException {
    listener.planned(bytes(events));
    List<Integer> groups = IntStream.range(0, events.reads().size()).boxed().toList();
    List<OfGroup> answers =
        parallel.map(groups, group -> read(query, events, group, look, listener));
    List<RankedMovement> movements = new ArrayList<>();
    List<CoverageSpan> missing = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (OfGroup answer : answers) {
      movements.addAll(answer.movements());
      missing.addAll(answer.missing());
      notes.addAll(answer.notes());
    }
    AnswerReport report =
        new AnswerReport.OfGroups(
            query.range(),
            events.reads(),
            SelectionPlans.unread(events.resolution(), events.plans()));
    CoverageReport coverage = report.stoppableCoverage().withMissing(missing).withNotes(notes);
    if (!coverage.isComplete() && !query.allowsIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    return new MovedAnswer(
        new Movements(RankedMovement.sort(movements), coverage), report.ranges());
  }

  private static long bytes(EventSources events) throws IOException {
    long bytes = 0;
    for (GroupRead group : events.reads()) {
      bytes += bytes(group.ranges());
    }
    return bytes;
  }

  /** Returns the bytes of log of ranges. */
  static long bytes(List<GroupRead.PlannedRange> ranges) throws IOException {
    long bytes = 0;
    for (GroupRead.PlannedRange planned : ranges) {
      bytes += bytes(planned.readRange());
    }
    return bytes;
  }

  private static long bytes(ReadRange readRange) throws IOException {
    if (readRange instanceof RawRange raw) {
      return raw.toOffset() - raw.fromOffset();
    }
    StoredRange stored = (StoredRange) readRange;
    long bytes = 0;
    for (StoredSegment each : stored.block().segments(stored.fromSegment(), stored.toSegment())) {
      bytes += each.bytes();
    }
    return bytes;
  }

  private static OfGroup read(
      MovedQuery query, EventSources events, int index, HeldLook look, ReadListener listener)
      throws IOException {
    Group group = events.resolution().groups().get(index);
    GroupMovements found =
        new GroupMovements(query, events.targets().get(index), events.resolution().names().size());
    try (GroupSource runs = events.sources().get(index)) {
      found.read(runs, listener);
    }
    List<CoverageSpan> missing = new ArrayList<>();
    List<String> notes = List.of();
    List<Channel> unknown = found.unknown();
    if (!unknown.isEmpty()) {
      HeldResult held = look.held(before(query, group, unknown));
      found.judge(held.values());
      missing.addAll(held.coverage().missing());
      notes = held.coverage().lookBackNotes();
    }
    List<CoverageSpan> spans = events.reads().get(index).report().stoppableReport().spans();
    return new OfGroup(found.movements(spans), missing, notes);
  }

  /** Asks for the values that channels held before the window. */
  private static HeldQuery before(MovedQuery query, Group group, List<Channel> channels) {
    ChannelSelection selection =
        ChannelSelection.of(
                channels.stream().map(each -> ChannelPattern.knownName(each.name())).toList())
            .in(group);
    return new HeldQuery(
        Scope.of(selection)
            .at(query.window().fromNanos() - 1)
            .lookBackNanos(query.lookBackNanos())
            .from(query.source())
            .allowIncomplete());
  }
}
