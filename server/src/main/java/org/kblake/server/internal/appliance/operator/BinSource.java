package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;

/** The values of the bins that have events, in the order of time. */
interface BinSource extends AutoCloseable {

  /** Moves to the next bin that has an event. Returns false if there is none. */
  boolean next() throws IOException;

  /** Returns the number of the bin. */
  long bin();

  /** Sets value, severity and status of a sample to those of the bin. */
  void fill(AnsweredSample sample);

  /**
   * Sets value, severity and status of a sample to those of a bin with this event alone.
   *
   * @return false if the event has no value that the operator is for
   */
  boolean fillWith(AnsweredSample sample, EventColumns columns, int row);

  /** Returns what is missing. Complete after {@link #next} has returned false. */
  Missing missing();

  @Override
  void close() throws IOException;
}
