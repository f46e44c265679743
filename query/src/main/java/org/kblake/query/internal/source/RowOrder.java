package org.kblake.query.internal.source;

/** The order of the events of a group. Those of one channel are in log order in both. */
public enum RowOrder {
  /** All events in log order. */
  LOG,

  /**
   * One channel after the other as far as events are read from blocks. It takes less time and
   * memory. {@link OrderedRows#isInLogOrder} says which rows are in log order. The columns have the
   * place of the others in the log if the readers read it.
   */
  CHANNELS
}
