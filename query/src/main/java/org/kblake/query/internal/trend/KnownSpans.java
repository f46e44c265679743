package org.kblake.query.internal.trend;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.coverage.AbsentChannels;

/**
 * The times of a window at which a channel's value counts: kblog was running and recorded the
 * channel, the log can be read, and the channel was connected. Spans ascend, and do not adjoin.
 */
final class KnownSpans {

  private final List<TimeRange> spans = new ArrayList<>();

  /**
   * @param absent which channels the spans of the coverage lack
   * @param mask the times that count; null for all
   * @throws InterruptedIOException if the thread is interrupted
   */
  KnownSpans(
      CoverageReport coverage,
      AbsentChannels absent,
      String channel,
      DisconnectedSpans disconnected,
      @Nullable TimeMask mask)
      throws InterruptedIOException {
    int next = 0;
    for (CoverageSpan span : coverage.spans()) {
      Interruption.check();
      if (span.kind() == SpanKind.ANSWERED && !absent.has(span, channel)) {
        long from = span.range().fromNanos();
        long to = span.range().toNanos();
        while (next < disconnected.count() && disconnected.to(next) <= from) {
          next++;
        }
        for (int i = next; i < disconnected.count() && disconnected.from(i) < to; i++) {
          add(from, disconnected.from(i));
          from = Math.max(from, disconnected.to(i));
        }
        add(from, to);
      }
    }
    if (mask != null) {
      List<TimeRange> all = List.copyOf(spans);
      spans.clear();
      spans.addAll(TimeMask.of(all).and(mask).ranges());
    }
  }

  private void add(long from, long to) {
    int last = spans.size() - 1;
    if (from >= to) {
      return;
    }
    if (last >= 0 && spans.get(last).toNanos() == from) {
      spans.set(last, new TimeRange(spans.get(last).fromNanos(), to));
    } else {
      spans.add(new TimeRange(from, to));
    }
  }

  int count() {
    return spans.size();
  }

  /** Returns the first span that ends after a time, from a number on. */
  int next(int from, long nanos) {
    int at = from;
    while (at < spans.size() && spans.get(at).toNanos() <= nanos) {
      at++;
    }
    return at;
  }

  long from(int span) {
    return spans.get(span).fromNanos();
  }

  long to(int span) {
    return spans.get(span).toNanos();
  }
}
