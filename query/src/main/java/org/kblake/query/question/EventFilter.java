package org.kblake.query.question;

import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;

/** Selects rows of an answer by their own fields. It is applied after the rows were read. */
@FunctionalInterface
public interface EventFilter {

  /**
   * Returns whether a row is part of the answer.
   *
   * @param channel the name of the row's channel
   * @param events not to be changed or kept
   */
  boolean matches(String channel, EventColumns events, int row);

  /**
   * Checks that this filter can be applied to an answer, before it is read. The default accepts all
   * channels.
   *
   * @throws RuntimeException if it cannot
   */
  default void check(List<Channel> channels) {}

  /** Returns the first of the rows [from, to) that matches; {@code to} if none does. */
  default int nextMatch(String channel, EventColumns events, int from, int to) {
    int row = from;
    while (row < to && !matches(channel, events, row)) {
      row++;
    }
    return row;
  }

  /** Returns the first of the rows [from, to) that does not match; {@code to} if all do. */
  default int endOfMatches(String channel, EventColumns events, int from, int to) {
    int row = from;
    while (row < to && matches(channel, events, row)) {
      row++;
    }
    return row;
  }
}
