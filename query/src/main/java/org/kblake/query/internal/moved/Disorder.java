package org.kblake.query.internal.moved;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.source.PlaceLostException;

/**
 * The disorder of a group's log in the window: the delay that most events do not exceed, compared
 * with the latest time before them in log order.
 *
 * <p>Events that come in another order are kept until those before them are known, and are then
 * sorted. So the answer does not depend on the order in which they are read.
 */
final class Disorder {

  /** The share of events that arrive within the disorder. */
  private static final double IN_ORDER = 0.95;

  private static final int MAX_LATENESSES = 4096;

  /** The most events that are kept; they have about 12 MiB. */
  private static final int MAX_KEPT = 1 << 18;

  private static final Comparator<Kept> LOG_ORDER =
      Comparator.comparingLong(Kept::segment)
          .thenComparingLong(Kept::orderNanos)
          .thenComparingInt(Kept::tie);

  private final long windowNanos;
  private final Sample latenesses = new Sample(MAX_LATENESSES);
  private final List<Kept> kept = new ArrayList<>();
  private long latestNanos = Long.MIN_VALUE;

  Disorder(long windowNanos) {
    this.windowNanos = windowNanos;
  }

  /** An event, and its place in log order. */
  private record Kept(long segment, long orderNanos, int tie, long nanos) {}

  /**
   * Adds the events of the present rows that are in the window.
   *
   * @throws PlaceLostException if too many events come in another order than that of the log
   */
  void add(GroupSource rows) throws IOException {
    EventColumns columns = rows.columns();
    boolean inOrder = rows.isInLogOrder();
    if (inOrder && !kept.isEmpty()) {
      sort();
    }
    for (int row = rows.from(); row < rows.to(); row++) {
      long nanos = columns.timeNanos[row];
      if (nanos >= windowNanos) {
        if (inOrder) {
          add(nanos);
        } else {
          long orderNanos = nanos + columns.latenessNanos[row];
          kept.add(new Kept(rows.orderKey(row), orderNanos, columns.tie[row], nanos));
        }
      }
    }
    if (kept.size() > MAX_KEPT) {
      throw new PlaceLostException("the window has too many events");
    }
  }

  private void add(long nanos) {
    latestNanos = Math.max(latestNanos, nanos);
    latenesses.add((double) (latestNanos - nanos));
  }

  private void sort() {
    kept.sort(LOG_ORDER);
    kept.forEach(event -> add(event.nanos()));
    kept.clear();
  }

  /** Returns the disorder; 0 if the window has no events. Nothing may be added afterwards. */
  long nanos() {
    sort();
    return latenesses.count() == 0 ? 0 : (long) latenesses.quantile(IN_ORDER);
  }
}
