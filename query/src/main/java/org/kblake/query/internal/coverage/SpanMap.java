package org.kblake.query.internal.coverage;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;

/** A range that is divided into spans. A later span covers earlier ones. */
final class SpanMap {

  private final TimeRange range;
  private final TreeMap<Long, CoverageSpan> byStart = new TreeMap<>();
  private final Step step;

  /** Is asked at each span, because there may be a million. May end the work. */
  @FunctionalInterface
  interface Step {
    void check() throws InterruptedIOException;
  }

  /**
   * @param ground the span of the whole range until other spans cover it
   */
  SpanMap(TimeRange range, CoverageSpan ground, Step step) {
    this.range = range;
    this.step = step;
    if (range.fromNanos() < range.toNanos()) {
      byStart.put(range.fromNanos(), ground);
    }
  }

  /** Covers a span's range as far as it lies inside. */
  void cover(CoverageSpan span) throws InterruptedIOException {
    step.check();
    long from = Math.max(range.fromNanos(), span.range().fromNanos());
    long to = Math.min(range.toNanos(), span.range().toNanos());
    if (from >= to) {
      return;
    }
    if (to < range.toNanos()) {
      Map.Entry<Long, CoverageSpan> last = byStart.floorEntry(to);
      if (last.getKey() < to) {
        // If an earlier range of the span stays, it keeps all bytes.
        boolean first = last.getKey() >= from;
        byStart.put(to, first ? last.getValue() : withoutBytes(last.getValue()));
      }
    }
    byStart.subMap(from, to).clear();
    byStart.put(from, span);
  }

  private static CoverageSpan withoutBytes(CoverageSpan span) {
    return with(span, span.range(), 0);
  }

  private static CoverageSpan with(CoverageSpan span, TimeRange range, long bytes) {
    return new CoverageSpan(
        span.group(),
        span.kind(),
        range,
        span.file(),
        bytes,
        span.missing(),
        span.detail(),
        span.absent());
  }

  /** Returns what is visible of spans, in order of time. Equal neighbours are joined. */
  List<CoverageSpan> spans() throws InterruptedIOException {
    List<CoverageSpan> spans = new ArrayList<>();
    for (Map.Entry<Long, CoverageSpan> entry : byStart.entrySet()) {
      step.check();
      Long end = byStart.higherKey(entry.getKey());
      TimeRange visible = new TimeRange(entry.getKey(), end == null ? range.toNanos() : end);
      CoverageSpan last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
      if (last != null && isAlike(last, entry.getValue())) {
        spans.set(
            spans.size() - 1,
            with(
                last,
                new TimeRange(last.range().fromNanos(), visible.toNanos()),
                last.bytes() + entry.getValue().bytes()));
      } else {
        spans.add(with(entry.getValue(), visible, entry.getValue().bytes()));
      }
    }
    return spans;
  }

  private static boolean isAlike(CoverageSpan a, CoverageSpan b) {
    return a.kind() == b.kind()
        && a.missing() == b.missing()
        && (a.file() == null ? b.file() == null : a.file().equals(b.file()))
        && a.detail().equals(b.detail())
        && a.absent().equals(b.absent());
  }
}
