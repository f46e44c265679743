package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.Movements;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.moved.GroupMovements;
import org.kblake.query.internal.moved.RankedMovement;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
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

  /** The movements of a group, and what could not be looked up, with the notes on it. */
  private record OfGroup(
      List<RankedMovement> movements, List<CoverageSpan> missing, List<String> notes) {}

  /**
   * Reads the groups, each in a task of its own.
   *
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  static MovedAnswer of(MovedQuery query, ScopePlanner scopes, Readings readings)
      throws IOException {
    return Reading.channelsElseLog(
        order -> {
          ScopePlan plan = scopes.plan(query.scope().lookBackNanos(0));
          int names = plan.resolution().names().size();
          List<Reading> groups =
              withoutLedgers(
                  query.scope().channels(),
                  plan.readings(readings.sharedBy(plan.resolution().groups().size())));
          long bytes = 0;
          for (Reading group : groups) {
            bytes += group.bytes();
          }
          readings.listener().planned(bytes);
          List<OfGroup> answers =
              scopes.parallel().map(groups, group -> read(query, group, names, order, scopes));
          return join(
              query, answers, new AnswerReport.OfGroups(query.range(), groups, plan.unread()));
        });
  }

  /** A ledger moves because of others. It is ranked if it is asked for, or nothing else is. */
  private static List<Reading> withoutLedgers(ChannelSelection asked, List<Reading> all) {
    boolean isNamed =
        !asked.groups().isEmpty() || asked.patterns().stream().allMatch(ChannelPattern::isName);
    List<Reading> others =
        all.stream().filter(each -> !PairCatalog.isLedger(each.plan().group())).toList();
    return isNamed || others.isEmpty() ? all : others;
  }

  private static MovedAnswer join(MovedQuery query, List<OfGroup> answers, AnswerReport report)
      throws IOException {
    List<RankedMovement> movements = new ArrayList<>();
    List<CoverageSpan> missing = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (OfGroup answer : answers) {
      movements.addAll(answer.movements());
      missing.addAll(answer.missing());
      notes.addAll(answer.notes());
    }
    CoverageReport coverage = report.stoppableCoverage().withMissing(missing).withNotes(notes);
    if (!coverage.isComplete() && !query.allowsIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    return new MovedAnswer(
        new Movements(RankedMovement.sort(movements), coverage), report.ranges());
  }

  private static OfGroup read(
      MovedQuery query, Reading group, int names, RowOrder order, ScopePlanner scopes)
      throws IOException {
    GroupMovements found = new GroupMovements(query, group.channels(), names);
    // The place of events that come in another order than that of the log is needed.
    try (GroupSource rows =
        group.forward(order, readers -> order == RowOrder.LOG ? readers : readers.inLogOrder())) {
      found.read(rows, group.shared().listener());
    }
    List<CoverageSpan> missing = new ArrayList<>();
    List<String> notes = List.of();
    List<Channel> unknown = found.unknown();
    if (!unknown.isEmpty()) {
      HeldQuery before = before(query, group.plan().group(), unknown);
      HeldResult held =
          new HeldCollection(before, ReadListener.NONE)
              .answer(scopes.plan(before.scope()), group.shared());
      found.judge(held.values());
      missing.addAll(held.coverage().missing());
      notes = held.coverage().lookBackNotes();
    }
    List<CoverageSpan> spans = group.report().stoppableReport().spans();
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
