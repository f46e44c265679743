package org.kblake.query;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.question.Question;

/** What a reader of an answer knows of its question, its report, its end and its close. */
final class AnswerState {

  private final Question<?> query;
  private final AnswerReport report;
  private final Runnable onClose;

  /** The coverage of the whole answer; null before its end. */
  private @Nullable CoverageReport whole;

  private boolean closed;

  AnswerState(Question<?> query, AnswerReport report, Runnable onClose) {
    this.query = query;
    this.report = report;
    this.onClose = onClose;
  }

  /**
   * @param reader the kind of reader
   */
  void requireOpen(String reader) throws IOException {
    if (closed) {
      throw new IOException(reader + " is closed: " + query);
    }
  }

  /** Returns the coverage of the part read so far; at the end, of the answer. */
  CoverageReport coverage() {
    return whole == null ? report.coverage() : whole;
  }

  /**
   * Ends the answer.
   *
   * @throws IncompleteAnswerException if it may miss something, unless the question allows it
   */
  void end() throws IOException {
    if (whole == null) {
      whole = report.stoppableCoverage();
    }
    if (!query.allowsIncomplete() && !whole.isComplete()) {
      throw new IncompleteAnswerException(whole);
    }
  }

  AnswerReport report() {
    return report;
  }

  Question<?> query() {
    return query;
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns whether the reader was open, and tells its close. */
  boolean close() {
    boolean open = !closed;
    closed = true;
    if (open) {
      onClose.run();
    }
    return open;
  }
}
