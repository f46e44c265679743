package org.kblake.query.internal.reading;

import java.io.InterruptedIOException;
import org.kblake.query.answer.CoverageReport;

/** The part of an answer that comes from one group. */
public interface GroupAnswer {

  /** Returns what is planned to be read. */
  Reading reading();

  /** Returns the coverage of what was read so far. */
  default CoverageReport coverage() {
    return reading().report().report();
  }

  /**
   * Returns the same.
   *
   * @throws InterruptedIOException if the thread is interrupted
   */
  default CoverageReport stoppableCoverage() throws InterruptedIOException {
    return reading().report().stoppableReport();
  }

  /** Returns the bytes of log of what was read so far. For any thread. */
  default long bytesRead() {
    return reading().report().bytesRead();
  }
}
