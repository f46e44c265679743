package org.kblake.cli.command.get;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.kblake.cli.command.answer.MaskQuestion;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeCondition;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;

/** The instants at which a condition begins to be met, or at which values meet it. */
public final class EventInstants {

  private static final int MOST = 1_000_000;
  private static final String OPTION = "--event";

  private final Session session;
  private final TimeCondition condition;
  private final MaskQuestion begins;
  private final boolean each;
  private final List<Group> groups;
  private final Source source;

  private EventInstants(
      Session session,
      TimeCondition condition,
      MaskQuestion begins,
      boolean each,
      List<Group> groups,
      Source source) {
    this.session = session;
    this.condition = condition;
    this.begins = begins;
    this.each = each;
    this.groups = groups;
    this.source = source;
  }

  /**
   * Instants, and whether some may be missing.
   *
   * @param nanos ascending and different
   */
  public record Found(List<Long> nanos, List<CoverageReport> coverage) {

    public Found {
      nanos = List.copyOf(nanos);
      coverage = List.copyOf(coverage);
    }

    /** Returns whether no instant can be missing. */
    public boolean isComplete() {
      return coverage.stream().allMatch(CoverageReport::isComplete);
    }
  }

  /**
   * Parses the condition.
   *
   * @param each whether every value that meets the condition is an event
   * @throws UsageException if it is no condition
   */
  public static EventInstants of(
      Session session, String condition, boolean each, List<Group> groups, Source source) {
    TimeCondition parsed = MaskQuestion.condition(OPTION, condition);
    if (each && (parsed.negated() || !parsed.leastLength().equals(Duration.ZERO))) {
      throw new UsageException("--each excludes 'not' and 'for DURATION': a value has no duration");
    }
    MaskQuestion begins =
        new MaskQuestion(session, OPTION, List.of(condition), groups, true, source);
    return new EventInstants(session, parsed, begins, each, groups, source);
  }

  /** Returns a selection of channels by their names. */
  public static ChannelSelection selection(List<ChannelInfo> infos) {
    return new ChannelSelection(
        infos.stream().map(info -> info.channel().group()).distinct().toList(),
        infos.stream()
            .map(info -> ChannelPattern.knownName(info.channel().name()))
            .distinct()
            .toList());
  }

  /** Returns the instants of a range. */
  public Found find(ArchiveReader archive, TimeRange range) throws IOException {
    Found found = each ? values(archive, range) : begins(archive, range);
    if (found.nanos().size() > MOST) {
      throw new UsageException(
          OPTION + ": more than " + MOST + " events; ask for a shorter period");
    }
    return found;
  }

  private Found begins(ArchiveReader archive, TimeRange range) throws IOException {
    TimeRange before = new TimeRange(range.fromNanos() - 1, range.toNanos());
    MaskQuestion.Answer answer =
        begins.answer(MaskQuestion.shown(session, "build", archive), before, false);
    List<Long> nanos = new ArrayList<>();
    int unknown = 0;
    for (TimeRange each : answer.met().ranges()) {
      long begin = each.fromNanos();
      if (begin >= range.fromNanos()) {
        if (answer.known().contains(begin - 1)) {
          nanos.add(begin);
        } else {
          unknown++;
        }
      }
    }
    if (unknown > 0) {
      session.note(
          unknown + " intervals begin where the value before is not known, and are no events");
    }
    return new Found(nanos, answer.coverage());
  }

  private Found values(ArchiveReader archive, TimeRange range) throws IOException {
    return MaskQuestion.inGroupsFirst(groups, some -> values(archive, range, some));
  }

  private Found values(ArchiveReader archive, TimeRange range, List<Group> some)
      throws IOException {
    EventQuery query =
        EventQuery.of(new ChannelSelection(some, List.of(ChannelPattern.name(condition.channel()))))
            .between(range)
            .from(source)
            .allowIncomplete();
    TreeSet<Long> nanos = new TreeSet<>();
    try (EventCursor cursor = archive.cursor(query);
        ReadProgress progress = ReadProgress.of(session, "build", ReadProgress.Read.of(cursor))) {
      progress.begin();
      while (cursor.next() && nanos.size() <= MOST) {
        for (int row = cursor.from(); row < cursor.to(); row++) {
          if (condition.value().isMet(cursor.columns(), row)) {
            nanos.add(cursor.columns().timeNanos[row]);
          }
        }
      }
      return new Found(List.copyOf(nanos), List.of(cursor.coverage()));
    }
  }
}
