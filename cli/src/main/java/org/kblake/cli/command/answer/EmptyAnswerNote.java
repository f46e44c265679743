package org.kblake.cli.command.answer;

import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.kblake.cli.filter.RowFilter;
import org.kblake.cli.frame.Session;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.format.text.CellText;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;

/**
 * A line on standard error that explains an answer without rows: the kind of the range, the time in
 * which its channels were recorded, and their last values. It states only what could be read.
 */
public final class EmptyAnswerNote {

  private static final int MAX_CHANNELS = 3;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private final Session session;
  private final ArchiveReader archive;
  private final Source source;

  /**
   * @param source the source of the answer
   */
  public EmptyAnswerNote(Session session, ArchiveReader archive, Source source) {
    this.session = session;
    this.archive = archive;
    this.source = source;
  }

  /**
   * Prints the line about an answer of events, unless the command is quiet. If a filter removed all
   * events, the line has their number.
   */
  public void print(EventQuery query, List<Channel> channels, CoverageReport coverage) {
    if (query.filter() instanceof RowFilter filter && filter.isNever()) {
      session.note("no events: the conditions of --when are met at no time of the range");
    } else if (query.filter() instanceof RowFilter filter && filter.removed() > 0) {
      String read = coverage.isComplete() ? "" : " that could be read";
      session.note(
          "none of the "
              + filter.removed()
              + " events"
              + period(query.range())
              + read
              + " matches");
    } else {
      print("events", query.range(), channels, coverage);
    }
  }

  /**
   * Prints the line, unless the command is quiet.
   *
   * @param rows what the answer has none of
   * @param channels the channels of the answer
   */
  public void print(String rows, TimeRange range, List<Channel> channels, CoverageReport coverage) {
    if (session.quiet()) {
      return;
    }
    StringBuilder line = new StringBuilder("no ").append(rows).append(period(range));
    line.append(coverage.isComplete() ? kind(coverage) : " in what could be read");
    line.append(facts(range, channels));
    if (channels.size() > MAX_CHANNELS) {
      int more = channels.size() - MAX_CHANNELS;
      line.append("; and ").append(more).append(more == 1 ? " more channel" : " more channels");
    }
    session.note(line.toString());
  }

  /**
   * Returns what is known of the first channels, each after a semicolon.
   *
   * @param range the values are those held at its end
   */
  public String facts(TimeRange range, List<Channel> channels) {
    StringBuilder facts = new StringBuilder();
    for (Channel channel : channels.subList(0, Math.min(MAX_CHANNELS, channels.size()))) {
      facts.append(described(channel, range));
    }
    return facts.toString();
  }

  private String period(TimeRange range) {
    return range.fromNanos() == Long.MIN_VALUE
        ? " before " + time(range.toNanos())
        : " from " + time(range.fromNanos()) + " to " + time(range.toNanos());
  }

  /** Returns the kind of the range, if all of it has one kind that explains the answer. */
  private static String kind(CoverageReport coverage) {
    SpanKind kind = SpanKind.ANSWERED;
    for (int i = 0; i < coverage.spans().size(); i++) {
      SpanKind each = coverage.spans().get(i).kind();
      if (i > 0 && each != kind) {
        return "";
      }
      kind = each;
    }
    return kind == SpanKind.ANSWERED ? "" : " (" + kind.text() + ")";
  }

  private String described(Channel channel, TimeRange range) {
    try {
      RecordedTime recorded = archive.recorded(channel);
      String facts = recorded(recorded) + held(channel, range, recorded.toNanos());
      return facts.isEmpty() ? "" : "; " + channel.name() + facts;
    } catch (IOException e) {
      // The answer is complete without these facts.
      return "";
    }
  }

  private String recorded(RecordedTime recorded) {
    if (recorded.fromNanos().isEmpty() && recorded.toNanos().isEmpty()) {
      return "";
    }
    StringBuilder facts = new StringBuilder(" was recorded");
    recorded.fromNanos().ifPresent(nanos -> facts.append(" from ").append(time(nanos)));
    recorded.toNanos().ifPresent(nanos -> facts.append(" to ").append(time(nanos)));
    return facts.toString();
  }

  /** Returns the value that a channel held at the end of the range, or of the log before it. */
  private String held(Channel channel, TimeRange range, OptionalLong toNanos) throws IOException {
    long lastNanos = range.toNanos() == Long.MIN_VALUE ? Long.MIN_VALUE : range.toNanos() - 1;
    ChannelPattern name = ChannelPattern.knownName(channel.name());
    HeldValues held =
        archive.held(
            HeldQuery.of(
                    new ChannelSelection(List.of(channel.group()), List.of(name)), session.now())
                .at(Math.min(lastNanos, toNanos.orElse(lastNanos)))
                .from(source)
                .lookBack(session.settings().get(CommonSetting.LOOK_BACK))
                .allowIncomplete());
    HeldValue value = held.values().get(0);
    if (!held.coverage().isComplete() || !value.isKnown()) {
      return "";
    }
    boolean last = toNanos.isPresent() && toNanos.getAsLong() <= lastNanos;
    return (last ? ", last value " : ", held ")
        + text(value)
        + (last ? " at " : " since ")
        + time(value.sinceNanos())
        + (value.connection() == HeldValue.Connection.DISCONNECTED ? ", then disconnected" : "");
  }

  private String text(HeldValue value) {
    return value.value() instanceof List<?> elements
        ? "of " + elements.size() + " elements"
        : new CellText(session.settings().outZone()).element(value.value());
  }

  private String time(long nanos) {
    return TIME.format(Instant.ofEpochSecond(0, nanos).atZone(session.settings().outZone()));
  }
}
