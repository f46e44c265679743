package org.kblake.server.internal.api;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The elements of lists and the texts that an answer keeps in memory before it is written. Their
 * number has a limit, because a list can have millions of elements.
 */
final class ElementBudget {

  /** An element counts as one, and so do eight bytes of a text. */
  private static final long MOST = 1_000_000;

  private static final int TEXT_UNIT = 8;
  private static final int TOO_LARGE = 413;

  private long left = MOST;

  /** Takes the elements of rows [from, to). Returns false if they are too many, and takes none. */
  boolean take(EventColumns columns, int from, int to) {
    long size = size(columns, from, to);
    if (size > left) {
      return false;
    }
    left -= size;
    return true;
  }

  /**
   * Takes the elements of a row.
   *
   * @throws HttpStatusException if they are too many
   */
  void require(EventColumns columns, int row) {
    if (!take(columns, row, row + 1)) {
      throw new HttpStatusException(
          TOO_LARGE,
          "the values of the bins have more than "
              + MOST
              + " elements; ask for fewer bins or fewer channels");
    }
  }

  private static long size(EventColumns columns, int from, int to) {
    int first = columns.waveform() ? columns.listStarts[from] : from;
    int end = columns.waveform() ? columns.listStarts[to] : to;
    long elements = columns.waveform() ? end - first : 0;
    return columns.type() == ValueType.STRING
        ? elements + (columns.textStarts[end] - columns.textStarts[first]) / TEXT_UNIT
        : elements;
  }
}
