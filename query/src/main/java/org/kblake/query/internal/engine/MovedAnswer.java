package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.Movements;
import org.kblake.query.internal.moved.GroupMovements;
import org.kblake.query.internal.moved.RankedMovement;
import org.kblake.query.internal.plan.AnswerReport;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.MovedQuery;

/**
 * The answer to a question about what moved.
 *
 * @param movements the movements and their coverage
 * @param ranges the ranges that were read
 */
public record MovedAnswer(Movements movements, List<ReadRange> ranges) {

  /** Looks up the values that channels held before the window. */
  @FunctionalInterface
  interface HeldLook {
    HeldResult held(ChannelSelection channels) throws IOException;
  }

  /** The movements of a group, and what could not be looked up. */
  private record OfGroup(List<RankedMovement> movements, List<CoverageSpan> missing) {}

  /**
   * Reads the sources, each in a task of its own.
   *
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  static MovedAnswer of(
      MovedQuery query, EventSources events, ParallelTasks parallel, HeldLook look)
      throws IOException {
    List<Integer> groups = IntStream.range(0, events.reads().size()).boxed().toList();
    List<OfGroup> answers = parallel.map(groups, group -> read(query, events, group, look));
    List<RankedMovement> movements = new ArrayList<>();
    List<CoverageSpan> missing = new ArrayList<>();
    for (OfGroup answer : answers) {
      movements.addAll(answer.movements());
      missing.addAll(answer.missing());
    }
    AnswerReport report =
        new AnswerReport.OfGroups(
            query.range(), events.reads(), SelectionPlans.unread(query.channels(), events.plans()));
    CoverageReport coverage = report.coverage().withMissing(missing);
    if (!coverage.isComplete() && !query.allowIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    return new MovedAnswer(
        new Movements(RankedMovement.sort(movements), coverage), report.ranges());
  }

  private static OfGroup read(MovedQuery query, EventSources events, int index, HeldLook look)
      throws IOException {
    Group group = events.resolution().groups().get(index);
    GroupMovements found =
        new GroupMovements(
            query, events.resolution().targets(group), events.resolution().names().size());
    try (EventRuns runs = events.sources().get(index)) {
      found.read(runs);
    }
    List<CoverageSpan> missing = new ArrayList<>();
    List<Channel> unknown = found.unknown();
    if (!unknown.isEmpty()) {
      HeldResult held =
          look.held(
              ChannelSelection.of(
                      unknown.stream()
                          .map(channel -> ChannelPattern.knownName(channel.name()))
                          .toList())
                  .in(group));
      found.judge(held.values());
      missing.addAll(held.coverage().missing());
    }
    List<CoverageSpan> spans = events.reads().get(index).report().report().spans();
    return new OfGroup(found.movements(spans), missing);
  }
}
