package org.kblake.query.internal.remote;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.question.EventQuery;

/** Continues an answer whose server went away. */
public interface RemoteRest {

  /**
   * Continues an answer.
   *
   * @param resolution the channels of the answer
   * @param position the place after the rows that the server sent; null if it is unknown
   * @param coverage what is missing before the place; null for nothing
   * @param why why the server does not go on
   * @return the rest; without rows if it cannot be read, and then its coverage says so
   */
  ContinuedRows open(
      EventQuery query,
      ChannelResolution resolution,
      @Nullable AnswerPosition position,
      @Nullable CoverageReport coverage,
      IOException why)
      throws IOException;
}
