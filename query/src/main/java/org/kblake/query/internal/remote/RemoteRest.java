package org.kblake.query.internal.remote;

import java.io.IOException;
import org.kblake.query.question.EventQuery;

/** Continues an answer whose server went away. */
public interface RemoteRest {

  /**
   * Continues an answer.
   *
   * @param why why the server does not go on
   * @return the rest; without rows if it cannot be read, and then its coverage says so
   */
  ContinuedRows open(EventQuery query, ContinuedRows.Sent sent, IOException why) throws IOException;
}
