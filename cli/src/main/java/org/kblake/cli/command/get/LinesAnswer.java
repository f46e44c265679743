package org.kblake.cli.command.get;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.command.answer.RawReadNote;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.format.text.ParallelLines;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.question.EventQuery;

/**
 * Writes the events of a range as text, without Arrow. Loading Arrow takes longer than reading an
 * hour of events.
 */
final class LinesAnswer {

  private final Session session;
  private final EventQuery query;

  LinesAnswer(Session session, EventQuery query) {
    this.session = session;
    this.query = query;
  }

  /**
   * Writes events.
   *
   * @return the coverage and the sources of the answer
   */
  Answered write(EventSource archive, AnswerOutput target) throws IOException {
    CoverageReport coverage;
    ReadPlan.Spent spent;
    List<Channel> channels;
    boolean empty = true;
    boolean onTerminal = target.isStandardOutput() && session.outIsTerminal();
    try (EventCursor cursor = archive.cursor(query);
        AnswerOutput.Opened opened = target.open();
        ReadProgress progress = ReadProgress.of(session, ReadProgress.Read.of(cursor), onTerminal);
        ParallelLines lines = opened.lines(severalGroups(cursor.channels()), query.hasStrays())) {
      channels = cursor.channels();
      progress.begin();
      for (HeldValue value : cursor.held()) {
        cursor.next();
        empty = false;
        lines.writeHeld(value.channel(), value.row(), HeldRowStates.of(value));
      }
      while (cursor.next()) {
        empty = false;
        lines.write(channels.get(cursor.channel()), cursor.columns(), cursor.from(), cursor.to());
      }
      lines.finish();
      opened.complete();
      coverage = cursor.coverage();
      spent = cursor.spent();
    }
    RawReadNote.print(session, query, groups(channels), spent);
    if (empty) {
      archive.explainEmpty(session, query, channels, coverage);
    }
    return new Answered(coverage, spent);
  }

  static boolean severalGroups(List<Channel> channels) {
    return groups(channels).size() > 1;
  }

  private static Set<Group> groups(List<Channel> channels) {
    Set<Group> groups = new LinkedHashSet<>();
    for (Channel channel : channels) {
      groups.add(channel.group());
    }
    return groups;
  }
}
