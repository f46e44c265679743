package org.kblake.query.answer;

import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.TimeRange;

/**
 * The coverage of an answer. For every group of the answer the spans adjoin and divide the whole
 * range. It is the same for raw logs and for columns.
 *
 * @param range the range of the question
 * @param spans by group, then by time
 * @param strays events of the segments read whose time lies outside of their segment's span, of any
 *     channel of the group; the answer has them only if the question includes strays
 * @param backwardSteps number of milestones whose time is earlier than that of the milestone before
 * @param notes one line each, for people: blocks that could not be used, logs cut at their end, and
 *     the like
 */
public record CoverageReport(
    TimeRange range,
    List<CoverageSpan> spans,
    long strays,
    long backwardSteps,
    List<String> notes) {

  public CoverageReport {
    spans = List.copyOf(spans);
    notes = List.copyOf(notes);
  }

  /** Whether no event of the range can be missing from the answer. */
  public boolean isComplete() {
    return missing().isEmpty();
  }

  /** The spans of which events may be missing. */
  public List<CoverageSpan> missing() {
    List<CoverageSpan> missing = new ArrayList<>();
    for (CoverageSpan span : spans) {
      if (span.missing()) {
        missing.add(span);
      }
    }
    return missing;
  }
}
