package org.kblake.query.answer;

import java.io.IOException;
import java.util.List;
import org.kblake.query.question.EventQuery;

/**
 * Thrown at the end of an answer, when all that could be read was given and events may be missing
 * all the same. {@link EventQuery#allowIncomplete()} asks for it not to be thrown.
 */
public final class IncompleteAnswerException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient CoverageReport coverage;

  public IncompleteAnswerException(CoverageReport coverage) {
    super(message(coverage.missing()));
    this.coverage = coverage;
  }

  private static String message(List<CoverageSpan> missing) {
    String more = missing.size() > 1 ? " (and " + (missing.size() - 1) + " more)" : "";
    return "answer is incomplete: " + missing.get(0) + more;
  }

  /** What is missing and why. */
  public CoverageReport coverage() {
    return coverage;
  }
}
