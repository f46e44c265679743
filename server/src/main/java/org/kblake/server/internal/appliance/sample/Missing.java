package org.kblake.server.internal.appliance.sample;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/**
 * The times from which samples may be missing in an answer, because files could not be read.
 *
 * @param spans empty if the answer is complete
 * @param notes one line each: the look-back ended without a value
 */
public record Missing(List<CoverageSpan> spans, List<String> notes) {

  /** Nothing is missing. */
  public static final Missing NOTHING = new Missing(List.of(), List.of());

  private static final long SECOND = 1_000_000_000L;

  public Missing {
    spans = List.copyOf(spans);
    notes = List.copyOf(notes);
  }

  /** Returns what a coverage report lists. */
  public static Missing of(CoverageReport coverage) {
    List<CoverageSpan> missing = coverage.missing();
    return new Missing(missing, coverage.lookBackNotes());
  }

  /** Returns what is missing here or there. */
  public Missing and(Missing other) {
    List<CoverageSpan> all = new ArrayList<>(spans);
    all.addAll(other.spans);
    Set<String> lines = new LinkedHashSet<>(notes);
    lines.addAll(other.notes);
    return new Missing(all, List.copyOf(lines));
  }

  /** Returns whether the answer is complete. */
  public boolean isNothing() {
    return spans.isEmpty();
  }

  /** Returns whether a later request may find what is missing now. */
  public boolean isTemporary() {
    return spans.stream()
        .anyMatch(span -> span.kind() == SpanKind.UNAVAILABLE || span.kind() == SpanKind.PENDING);
  }

  /** Returns one line: kind, group and times of the first span. It names no files. */
  public String text() {
    CoverageSpan first = spans.get(0);
    TimeRange range = first.range();
    return first.kind().text()
        + ": group="
        + first.group()
        + ", from="
        + instant(range.fromNanos())
        + ", to="
        + instant(range.toNanos())
        + (spans.size() > 1 ? " (and " + (spans.size() - 1) + " more)" : "");
  }

  private static java.time.Instant instant(long nanos) {
    return java.time.Instant.ofEpochSecond(
        Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
  }
}
