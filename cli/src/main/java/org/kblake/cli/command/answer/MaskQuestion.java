package org.kblake.cli.command.answer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeCondition;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Intervals;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;

/**
 * The times at which conditions are met. A condition is {@code [not] CHANNEL OPERATOR NUMBER [for
 * DURATION]}, or {@code [not] @FILE} for intervals that were saved.
 */
public final class MaskQuestion {

  private static final String NOT = "not ";

  private final Session session;
  private final String option;
  private final List<Term> terms = new ArrayList<>();
  private final List<Group> groups;
  private final boolean elsewhere;
  private final Source source;

  /**
   * @param option the option or argument that has the conditions
   * @param groups the groups that record the channels; none for any
   * @param elsewhere whether all groups are searched for a channel that these do not record
   * @throws UsageException if a text is no condition
   */
  public MaskQuestion(
      Session session,
      String option,
      List<String> conditions,
      List<Group> groups,
      boolean elsewhere,
      Source source) {
    this.session = session;
    this.option = option;
    this.groups = groups;
    this.elsewhere = elsewhere;
    this.source = source;
    conditions.forEach(condition -> terms.add(term(option, condition.strip())));
  }

  /**
   * A condition of values, or a file with intervals. One of both is null.
   *
   * @param negated whether the other times of the file are meant
   */
  private record Term(@Nullable TimeCondition condition, @Nullable String file, boolean negated) {}

  private static Term term(String option, String text) {
    boolean negated = text.startsWith(NOT);
    String positive = negated ? text.substring(NOT.length()).strip() : text;
    return positive.startsWith("@")
        ? new Term(null, positive.substring(1), negated)
        : new Term(condition(option, text), null, false);
  }

  /**
   * Parses a condition.
   *
   * @param option the option or argument that has the text
   * @throws UsageException if the text has another form
   */
  public static TimeCondition condition(String option, String text) {
    try {
      return TimeCondition.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " " + e.getMessage(), e);
    }
  }

  /**
   * What was found.
   *
   * @param met the times at which the conditions are met
   * @param known the times at which all values are known
   * @param coverage the coverage of each condition's channel
   */
  public record Answer(TimeMask met, TimeMask known, List<CoverageReport> coverage) {

    public Answer {
      coverage = List.copyOf(coverage);
    }

    /** Returns whether no interval can be missing. */
    public boolean isComplete() {
      return coverage.stream().allMatch(CoverageReport::isComplete);
    }

    /** Returns what recorders may have lost of the conditions' channels. */
    public Losses losses() {
      Losses losses = Losses.NONE;
      for (CoverageReport each : coverage) {
        losses = losses.and(each.losses());
      }
      return losses;
    }

    /** Writes notes, and what could not be read. */
    public void report(Session session) {
      coverage.stream().flatMap(each -> each.notes().stream()).distinct().forEach(session::note);
      for (CoverageReport each : coverage) {
        new MissingLines(session).write(each);
      }
    }
  }

  /** Answers questions about intervals, with losses: an archive of this host, or a server. */
  @FunctionalInterface
  public interface Archive {
    /** Answers as {@link ArchiveReader#intervals} does. */
    Intervals intervals(IntervalQuery query) throws IOException;
  }

  /**
   * Returns an archive of this host that shows how far it is read.
   *
   * @param command the name of the command
   */
  public static Archive shown(Session session, String command, ArchiveReader archive) {
    return query -> {
      try (ShownReading reading = new ShownReading(session, command)) {
        return archive.withLosses(archive.intervals(query, reading), query.range());
      }
    };
  }

  /**
   * Reads the channels of the conditions.
   *
   * @param any whether one condition is enough; else all must be met
   * @throws UsageException if a channel has no numbers, several groups record it, or a file has no
   *     intervals
   */
  public Answer answer(Archive archive, TimeRange range, boolean any) throws IOException {
    TimeMask whole = TimeMask.of(List.of(range));
    TimeMask met = any ? TimeMask.NONE : whole;
    TimeMask known = whole;
    List<CoverageReport> coverage = new ArrayList<>();
    for (Term term : terms) {
      TimeMask ofOne;
      if (term.file() != null) {
        TimeMask saved = IntervalFile.read(session, option, term.file()).and(whole);
        ofOne = term.negated() ? whole.without(saved) : saved;
      } else {
        TimeCondition condition = Objects.requireNonNull(term.condition());
        Intervals intervals = ask(archive, condition, range);
        coverage.add(intervals.coverage());
        known = known.and(intervals.known());
        ofOne = intervals.times(condition.negated());
      }
      met = any ? met.or(ofOne) : met.and(ofOne);
      requireFew(met, known);
    }
    return new Answer(met, known, coverage);
  }

  private void requireFew(TimeMask met, TimeMask known) {
    try {
      IntervalQuery.requireFew(met, known);
    } catch (IllegalArgumentException e) {
      throw new RequestException(option + ": " + e.getMessage());
    }
  }

  private Intervals ask(Archive archive, TimeCondition condition, TimeRange range)
      throws IOException {
    return elsewhere
        ? inGroupsFirst(groups, some -> ask(archive, condition, range, some))
        : ask(archive, condition, range, groups);
  }

  /** Asks about a channel of groups; of any group if there are none. */
  @FunctionalInterface
  public interface Lookup<T> {
    T in(List<Group> groups) throws IOException;
  }

  /** Asks about a channel of some groups, or of any group if these do not record it. */
  public static <T> T inGroupsFirst(List<Group> groups, Lookup<T> lookup) throws IOException {
    try {
      return lookup.in(groups);
    } catch (UnknownChannelException e) {
      if (groups.isEmpty() || !e.isCertain()) {
        throw e;
      }
      return lookup.in(List.of());
    }
  }

  private Intervals ask(Archive archive, TimeCondition condition, TimeRange range, List<Group> in)
      throws IOException {
    try {
      ChannelSelection channel =
          new ChannelSelection(in, List.of(ChannelPattern.name(condition.channel())));
      return archive.intervals(
          IntervalQuery.of(channel, range, condition.value())
              .atLeast(condition.leastLength())
              .lookBack(session.settings().get(CommonSetting.LOOK_BACK))
              .from(source)
              .allowIncomplete());
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + ": " + e.getMessage(), e);
    }
  }
}
