package org.kblake.server.internal.appliance.operator;

import org.kblake.core.columns.EventColumns;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/** What is collected of the events of some adjacent bins. */
interface BinWindow {

  /** Removes everything, and sets the number of bins. */
  void clear(int bins);

  /**
   * Takes an event with a value.
   *
   * @return false if the memory is used up
   */
  boolean add(int bin, EventColumns columns, int row);

  /** Returns whether a bin has an event. */
  boolean has(int bin);

  /** Sets value, severity and status of a sample to those of a bin. */
  void fill(int bin, AnsweredSample sample);

  /** Sets value, severity and status of a sample to those of a bin with this event alone. */
  void fillWith(AnsweredSample sample, EventColumns columns, int row);
}
