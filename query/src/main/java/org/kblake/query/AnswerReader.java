package org.kblake.query;

import java.io.IOException;
import java.util.List;
import org.kblake.core.model.Channel;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;

/**
 * A reader of an answer, step by step. Channel numbers are indexes into {@link #channels()}. For
 * one thread at a time. The caller closes it.
 */
abstract sealed class AnswerReader implements AutoCloseable
    permits RowReader, GridReader, TrendReader {

  final AnswerState state;

  AnswerReader(AnswerState state) {
    this.state = state;
  }

  /** Returns the channels of the answer, in the order of the question. */
  public abstract List<Channel> channels();

  /**
   * Returns the coverage of the answer. Before its end, it covers the part read so far; at the end
   * it is complete.
   */
  public CoverageReport coverage() {
    return state.coverage();
  }

  /** Returns the sources of the answer. Estimates of bytes and events may read a few files. */
  public ReadPlan plan() throws IOException {
    return state.report().plan();
  }

  /**
   * Returns the bytes of log of what was read so far, from logs and from columns. Any thread may
   * call this.
   */
  public long bytesRead() {
    return state.report().rawBytes();
  }

  @Override
  public abstract void close() throws IOException;

  /** Returns the kind of reader and the question. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + " of " + state.query();
  }
}
