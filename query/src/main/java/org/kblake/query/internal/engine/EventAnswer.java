package org.kblake.query.internal.engine;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.internal.source.MergedGroups;
import org.kblake.query.question.EventFilter;
import org.kblake.query.question.EventQuery;

/**
 * A planned question about events. Nothing is read yet.
 *
 * @param query the question
 * @param resolution the channels of the question
 * @param shapes the types that values may have
 * @param source the events; the reader of the answer closes it
 * @param report the coverage and the sources of the answer
 * @param held the held values whose events are the first rows of {@code source}
 */
public record EventAnswer(
    EventQuery query,
    ChannelResolution resolution,
    Set<ValueShape> shapes,
    EventRows source,
    AnswerReport report,
    List<HeldValue> held) {

  /**
   * @param all the events, of which the filter of the question selects some
   */
  public static EventAnswer of(
      EventQuery query,
      ChannelResolution resolution,
      Set<ValueShape> shapes,
      EventRows all,
      AnswerReport report) {
    return new EventAnswer(
        query, resolution, shapes, filtered(query, resolution, all), report, List.of());
  }

  private static EventRows filtered(EventQuery query, ChannelResolution resolution, EventRows all) {
    EventFilter filter = query.filter();
    if (filter == null) {
      return all;
    }
    filter.check(resolution.channels());
    return new FilteredRows(all, resolution.names(), filter);
  }

  /** Returns the answer after the events that set held values. */
  public EventAnswer after(List<HeldValue> held) {
    EventFilter filter = query.filter();
    List<HeldValue> values =
        filter == null
            ? held
            : held.stream()
                .filter(value -> filter.nextMatch(value.channel().name(), value.row(), 0, 1) == 0)
                .toList();
    Set<ValueShape> all = new TreeSet<>(shapes);
    values.forEach(value -> all.add(new ValueShape(value.type(), value.waveform())));
    EventRows rows = new HeldRows(resolution, values, source);
    return new EventAnswer(query, resolution, all, rows, report, values);
  }

  /** Returns an answer of nothing but the events that set held values. */
  public static EventAnswer ofHeld(
      EventQuery query,
      ChannelResolution resolution,
      List<HeldValue> values,
      CoverageReport coverage) {
    EventRows none = new MergedGroups(List.of());
    return new EventAnswer(query, resolution, Set.of(), none, () -> coverage, List.of())
        .after(values);
  }
}
