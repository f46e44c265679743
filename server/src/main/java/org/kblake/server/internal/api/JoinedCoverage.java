package org.kblake.server.internal.api;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/**
 * The coverage of a group in several reads of one answer. Its log grows between them: what is known
 * is what all of them know.
 */
final class JoinedCoverage {

  private final Map<CoverageSpan, CoverageSpan> spans = new LinkedHashMap<>();

  /** Adds the spans of a read. */
  void add(Collection<CoverageSpan> read) {
    read.forEach(span -> spans.merge(key(span), span, JoinedCoverage::weaker));
  }

  /** Spans with the same key differ in the end of what a read found. */
  private static CoverageSpan key(CoverageSpan span) {
    long fixed =
        span.kind() == SpanKind.PENDING ? span.range().toNanos() : span.range().fromNanos();
    return new CoverageSpan(
        span.group(),
        span.kind(),
        new TimeRange(fixed, fixed),
        span.file(),
        0,
        span.missing(),
        span.detail(),
        span.absent());
  }

  private static CoverageSpan weaker(CoverageSpan first, CoverageSpan second) {
    boolean isFirstShorter =
        first.range().toNanos() - first.range().fromNanos()
            <= second.range().toNanos() - second.range().fromNanos();
    boolean isShorterWeaker = first.kind() == SpanKind.ANSWERED;
    return isFirstShorter == isShorterWeaker ? first : second;
  }

  /** Returns the spans, in the order of the reads. */
  Collection<CoverageSpan> spans() {
    return spans.values();
  }
}
