package org.kblake.query.internal.engine;

import java.util.List;
import java.util.Set;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.AnswerAccount;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.internal.source.MergedGroups;
import org.kblake.query.question.EventQuery;

/**
 * A question about events that has been looked into, but not read.
 *
 * @param query the question
 * @param resolution the channels that it means
 * @param shapes the types that values may have
 * @param source brings the events; whoever reads it closes it
 * @param account what is known of the answer
 */
public record EventAnswer(
    EventQuery query,
    ChannelResolution resolution,
    Set<ValueShape> shapes,
    EventRuns source,
    AnswerAccount account) {

  /**
   * @param answers of groups, as many as there are sources
   * @param unread notes on groups that may have channels of which nobody knows
   */
  static EventAnswer of(
      EventQuery query,
      ChannelResolution resolution,
      Set<ValueShape> shapes,
      List<EventRuns> sources,
      List<GroupRead> answers,
      List<CoverageReport> unread) {
    return new EventAnswer(
        query,
        resolution,
        shapes,
        sources.size() == 1 ? sources.get(0) : new MergedGroups(sources),
        new AnswerAccount.Answers(query.range(), List.copyOf(answers), List.copyOf(unread)));
  }
}
