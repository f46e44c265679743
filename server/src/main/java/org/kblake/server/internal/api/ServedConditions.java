package org.kblake.server.internal.api;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeCondition;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Intervals;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/** The conditions of a request, each of a channel of its own. */
final class ServedConditions {

  private static final int MAX_CONDITIONS = 100;
  private static final int TOO_LARGE = 413;

  private final String parameter;
  private final List<Asked> asked;
  private final Duration lookBack;

  private ServedConditions(String parameter, List<Asked> asked, Duration lookBack) {
    this.parameter = parameter;
    this.lookBack = lookBack;
    this.asked = asked;
  }

  private record Asked(TimeCondition condition, ChannelInfo channel) {}

  /**
   * The times at which conditions are met.
   *
   * @param known the times at which all values are known
   * @param losses what recorders may have lost of the channels
   * @param missing the reason why intervals may be missing; null if none can
   */
  record Found(
      TimeMask met,
      TimeMask known,
      Map<Group, Set<CoverageSpan>> coverage,
      Set<String> notes,
      Losses losses,
      @Nullable String missing) {

    /** Returns a question about the events at these times. */
    EventQuery within(EventQuery query) {
      List<TimeRange> ranges = met.ranges();
      long from = query.range().fromNanos();
      TimeRange hull =
          ranges.isEmpty()
              ? new TimeRange(from, from)
              : new TimeRange(ranges.get(0).fromNanos(), ranges.get(ranges.size() - 1).toNanos());
      return query
          .between(hull)
          .where((channel, events, row) -> met.contains(events.timeNanos[row]));
    }

    /** Returns the reason why an answer at these times is incomplete; null if it is complete. */
    @Nullable String missing(@Nullable String ofAnswer) {
      return ofAnswer == null ? missing : ofAnswer;
    }
  }

  /**
   * Returns a coverage with what recorders may have lost of its groups, and of the conditions.
   *
   * @param times null without conditions
   */
  static CoverageReport withLosses(
      ServedArchive archive, CoverageReport coverage, @Nullable Found times) throws IOException {
    CoverageReport all = archive.reader().withLosses(coverage);
    return times == null ? all : all.with(all.losses().and(times.losses()));
  }

  /**
   * Returns the conditions of a request.
   *
   * @param parameter the name of the parameter that has the texts
   * @param groups the groups that record the channels; none for any
   */
  static ServedConditions of(
      String parameter, List<String> texts, List<Group> groups, ServedArchive archive)
      throws IOException {
    if (texts.size() > MAX_CONDITIONS) {
      throw new HttpStatusException(
          TOO_LARGE, "too many conditions: " + texts.size() + ", at most " + MAX_CONDITIONS);
    }
    List<Asked> asked = new ArrayList<>();
    for (String text : texts) {
      try {
        TimeCondition condition = TimeCondition.parse(text);
        asked.add(new Asked(condition, channel(parameter, groups, condition.channel(), archive)));
      } catch (IllegalArgumentException e) {
        throw HttpStatusException.wrong(parameter, String.valueOf(e.getMessage()));
      }
    }
    return new ServedConditions(parameter, asked, archive.lookBack());
  }

  private static ChannelInfo channel(
      String parameter, List<Group> groups, String name, ServedArchive archive) throws IOException {
    List<ChannelInfo> found =
        archive.channels().require(name).stream()
            .filter(info -> groups.isEmpty() || groups.contains(info.channel().group()))
            .toList();
    if (found.isEmpty()) {
      throw HttpStatusException.wrong("group", "it does not record " + name);
    }
    if (found.size() > 1) {
      throw HttpStatusException.wrong(
          parameter,
          "several groups record "
              + name
              + ": "
              + found.stream().map(info -> info.channel().group().toString()).toList()
              + "; ask /api/v1/when with group");
    }
    return found.get(0);
  }

  boolean isEmpty() {
    return asked.isEmpty();
  }

  /** Returns the channels of the conditions. */
  List<ChannelInfo> channels() {
    return asked.stream().map(Asked::channel).toList();
  }

  /** Returns a range with the times around it that count for durations. */
  TimeRange read(TimeRange range) {
    TimeRange read = range;
    for (Asked each : asked) {
      TimeRange wider = query(each, range).readRange();
      read =
          new TimeRange(
              Math.min(read.fromNanos(), wider.fromNanos()),
              Math.max(read.toNanos(), wider.toNanos()));
    }
    return read;
  }

  private IntervalQuery query(Asked each, TimeRange range) {
    try {
      return IntervalQuery.of(
              ChannelQuestions.selection(each.channel().channel()), range, each.condition().value())
          .atLeast(each.condition().leastLength())
          .lookBack(lookBack)
          .allowIncomplete();
    } catch (IllegalArgumentException e) {
      throw HttpStatusException.wrong(parameter, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads the channels.
   *
   * @param any whether one condition is enough; else all must be met
   */
  Found find(ServedArchive archive, TimeRange range, boolean any) throws IOException {
    TimeMask known = TimeMask.of(List.of(range));
    TimeMask met = any ? TimeMask.NONE : known;
    Map<Group, Set<CoverageSpan>> coverage = new TreeMap<>();
    Set<String> notes = new LinkedHashSet<>();
    String missing = null;
    for (Asked each : asked) {
      Intervals intervals = intervals(parameter, archive, query(each, range));
      TimeMask times = intervals.times(each.condition().negated());
      met = any ? met.or(times) : met.and(times);
      known = known.and(intervals.known());
      requireFew(met, known);
      notes.addAll(intervals.coverage().lookBackNotes());
      for (CoverageSpan span : intervals.coverage().spans()) {
        coverage.computeIfAbsent(span.group(), group -> new LinkedHashSet<>()).add(span);
      }
      missing = missing == null ? JsonCoverage.missing(intervals.coverage()) : missing;
    }
    return new Found(
        met, known, coverage, notes, archive.reader().losses(coverage.keySet(), range), missing);
  }

  private static void requireFew(TimeMask met, TimeMask known) {
    try {
      IntervalQuery.requireFew(met, known);
    } catch (IllegalArgumentException e) {
      throw new HttpStatusException(TOO_LARGE, String.valueOf(e.getMessage()));
    }
  }

  /** Reads a channel. A wrong question is a wrong parameter. */
  static Intervals intervals(String parameter, ServedArchive archive, IntervalQuery query)
      throws IOException {
    try {
      return archive.reader().intervals(query);
    } catch (IllegalArgumentException e) {
      throw HttpStatusException.wrong(parameter, String.valueOf(e.getMessage()));
    }
  }
}
