package org.kblake.query.internal.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.question.EventQuery;

/**
 * The rest of an answer that a server began: from an archive, or nothing. The channels have the
 * numbers of the server's answer.
 */
public final class ContinuedRows extends EventRows {

  /**
   * What a server sent of an answer.
   *
   * @param resolution the channels of the answer
   * @param position the place after the rows that the server sent; null if it is unknown
   * @param coverage what is missing before the place; null for nothing
   */
  public record Sent(
      ChannelResolution resolution,
      @Nullable AnswerPosition position,
      @Nullable CoverageReport coverage) {}

  private final EventQuery query;
  private final Sent sent;
  private final @Nullable EventAnswer own;
  private final String missing;
  private final int[] channels;
  private final int[] groups;

  /**
   * @param sent the part before the rest
   * @param own the rest; null if it cannot be read
   * @param missing why it cannot be read
   */
  public ContinuedRows(EventQuery query, Sent sent, @Nullable EventAnswer own, String missing) {
    this.query = query;
    this.sent = sent;
    this.own = own;
    this.missing = missing;
    ChannelResolution all = sent.resolution();
    channels = own == null ? new int[0] : indices(own.resolution().names(), all.names());
    groups = own == null ? new int[0] : indices(own.resolution().groups(), all.groups());
  }

  private static int[] indices(List<?> of, List<?> in) {
    return of.stream().mapToInt(in::indexOf).toArray();
  }

  @Override
  public boolean next() throws IOException {
    EventAnswer answer = own;
    while (answer != null && answer.source().next()) {
      EventRows rows = answer.source();
      int channel = channels[rows.channel()];
      int group = groups[rows.group()];
      // The archive may know channels that the server did not.
      if (channel >= 0 && group >= 0) {
        return moveTo(rows.columns(), rows.from(), rows.to(), channel, group);
      }
    }
    return false;
  }

  /** Returns the coverage of the whole answer. */
  CoverageReport coverage() {
    List<CoverageSpan> spans = new ArrayList<>();
    CoverageReport rest = own == null ? null : own.report().coverage();
    for (Group group : sent.resolution().groups()) {
      if (rest == null) {
        spans.add(span(group, SpanKind.UNAVAILABLE, query.range(), missing));
        continue;
      }
      List<CoverageSpan> ofRest = ofGroup(group, rest);
      long from = ofRest.isEmpty() ? query.range().toNanos() : ofRest.get(0).range().fromNanos();
      if (hasBegun(group) && query.range().fromNanos() < from) {
        addSent(group, new TimeRange(query.range().fromNanos(), from), spans);
      }
      spans.addAll(ofRest);
    }
    CoverageReport before = sent.coverage();
    List<String> notes = new ArrayList<>(before == null ? List.of() : before.notes());
    if (rest != null) {
      notes.addAll(rest.notes());
    }
    return new CoverageReport(
        query.range(),
        spans,
        rest == null ? 0 : rest.strays(),
        rest == null ? 0 : rest.backwardSteps(),
        notes);
  }

  /** Returns whether the server sent a part of a group's answer. */
  private boolean hasBegun(Group group) {
    AnswerPosition position = sent.position();
    return position != null && position.points().containsKey(group);
  }

  /** Adds the times that the server answered. */
  private void addSent(Group group, TimeRange times, List<CoverageSpan> spans) {
    CoverageReport before = sent.coverage();
    if (before == null) {
      spans.add(span(group, SpanKind.ANSWERED, times, ""));
      return;
    }
    for (CoverageSpan span : ofGroup(group, before)) {
      long from = Math.max(times.fromNanos(), span.range().fromNanos());
      long to = Math.min(times.toNanos(), span.range().toNanos());
      if (from < to) {
        spans.add(
            new CoverageSpan(
                group,
                span.kind(),
                new TimeRange(from, to),
                span.file(),
                span.bytes(),
                span.missing(),
                span.detail(),
                span.absent()));
      }
    }
  }

  private static List<CoverageSpan> ofGroup(Group group, CoverageReport report) {
    return report.spans().stream().filter(span -> span.group().equals(group)).toList();
  }

  private static CoverageSpan span(Group group, SpanKind kind, TimeRange times, String detail) {
    boolean isMissing = kind == SpanKind.UNAVAILABLE;
    return new CoverageSpan(group, kind, times, null, 0, isMissing, detail, List.of());
  }

  @Override
  public void close() throws IOException {
    if (own != null) {
      own.source().close();
    }
  }
}
