package org.kblake.cli.command.get;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.filter.RowFilter;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.EventQuery;

/** Writes the events of a range, as text or columns. */
final class EventsAnswer implements GetAnswer {

  private final Session session;
  private final EventQuery query;
  private final @Nullable RowFilter filter;

  /**
   * @param filter the filter of rows; null for none
   */
  EventsAnswer(Session session, EventQuery query, @Nullable RowFilter filter) {
    this.session = session;
    this.query = query;
    this.filter = filter;
  }

  @Override
  public int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException {
    return write(EventSource.of(archive), target, end);
  }

  /** Asks an archive or a server, as {@link #write(ArchiveReader, AnswerOutput, AnswerEnd)}. */
  int write(EventSource source, AnswerOutput target, AnswerEnd end) throws IOException {
    TimeMask times = end.times();
    EventQuery asked = times == null ? query : within(times);
    return end.report(
        target.format().text()
            ? new LinesAnswer(session, asked).write(source, target)
            : new ColumnsAnswer(session, asked).write(source, target));
  }

  private EventQuery within(TimeMask times) {
    List<TimeRange> ranges = times.ranges();
    long from = query.range().fromNanos();
    TimeRange hull =
        ranges.isEmpty()
            ? new TimeRange(from, from)
            : new TimeRange(ranges.get(0).fromNanos(), ranges.get(ranges.size() - 1).toNanos());
    return query.between(hull).where(RowFilter.within(filter, times));
  }
}
