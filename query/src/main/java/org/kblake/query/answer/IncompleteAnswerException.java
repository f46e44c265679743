package org.kblake.query.answer;

import java.io.IOException;
import java.util.List;

/**
 * Thrown at the end of an answer if events may be missing. Everything that could be read was
 * returned before. {@link org.kblake.query.question.Question#allowIncomplete()} suppresses it.
 */
public final class IncompleteAnswerException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient CoverageReport coverage;

  /**
   * @param coverage the coverage report of the answer, which has missing spans
   */
  public IncompleteAnswerException(CoverageReport coverage) {
    super(message(coverage.missing()));
    this.coverage = coverage;
  }

  private static String message(List<CoverageSpan> missing) {
    String more = missing.size() > 1 ? " (and " + (missing.size() - 1) + " more)" : "";
    return "answer is incomplete: " + missing.get(0) + more;
  }

  /** Returns the missing spans and the reasons. */
  public CoverageReport coverage() {
    return coverage;
  }
}
