package org.kblake.query.answer;

import java.util.List;

/**
 * The channels that left their own habit around an instant.
 *
 * @param all the movements, the earliest first; those that the disorder of their group's log does
 *     not tell apart by size
 * @param coverage the coverage of the baseline and the window
 */
public record Movements(List<Movement> all, CoverageReport coverage) {

  public Movements {
    all = List.copyOf(all);
  }

  /**
   * Returns the spans without an answer, such as those when the archiver was down. What differs
   * before and after such a span is no movement.
   */
  public List<CoverageSpan> gaps() {
    return coverage.spans().stream().filter(span -> span.kind() != SpanKind.ANSWERED).toList();
  }
}
