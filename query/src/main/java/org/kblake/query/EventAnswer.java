package org.kblake.query;

import java.util.List;
import java.util.Set;
import org.kblake.query.arrow.ValueShape;

/**
 * A question about events that has been looked into, but not read.
 *
 * @param query the question
 * @param resolution the channels that it means
 * @param shapes the types that values may have
 * @param source brings the events; whoever reads it closes it
 * @param behind what is known of the answer
 */
record EventAnswer(
    EventQuery query,
    Resolution resolution,
    Set<ValueShape> shapes,
    RunSource source,
    Behind behind) {

  /**
   * @param answers of groups, as many as there are sources
   * @param unread what is told of groups that may have channels of which nobody knows
   */
  static EventAnswer of(
      EventQuery query,
      Resolution resolution,
      Set<ValueShape> shapes,
      List<RunSource> sources,
      List<Answer> answers,
      List<CoverageReport> unread) {
    return new EventAnswer(
        query,
        resolution,
        shapes,
        sources.size() == 1 ? sources.get(0) : new MergedGroups(sources),
        new Behind.Answers(query.range(), List.copyOf(answers), List.copyOf(unread)));
  }
}
