package org.kblake.query.internal.trend;

import java.util.Arrays;
import org.kblake.core.model.EventState;

/**
 * The times at which one channel is disconnected, from its events in log order. At a time the last
 * event in log order counts whose time is not later. So an event decides about all times from its
 * own on, until a later event in log order. Memory grows with the number of disconnections only.
 *
 * <pre>
 *   bounds   begin | end | begin | end ..    ascending; the last end may be MAX_VALUE
 * </pre>
 */
final class DisconnectedSpans {

  private long[] bounds = {};
  private int used;

  /** Adds the next event in log order. */
  void add(long nanos, int state) {
    if (used > 0 && bounds[used - 1] > nanos) {
      cut(nanos);
    }
    if (state == EventState.DISCONNECTED.code()) {
      if (used > 0 && bounds[used - 1] == nanos) {
        bounds[used - 1] = Long.MAX_VALUE;
        return;
      }
      if (used == bounds.length) {
        bounds = Arrays.copyOf(bounds, Math.max(4, 2 * used));
      }
      bounds[used++] = nanos;
      bounds[used++] = Long.MAX_VALUE;
    }
  }

  private void cut(long nanos) {
    while (used > 0 && bounds[used - 2] >= nanos) {
      used -= 2;
    }
    if (used > 0 && bounds[used - 1] > nanos) {
      bounds[used - 1] = nanos;
    }
  }

  int count() {
    return used / 2;
  }

  long from(int span) {
    return bounds[2 * span];
  }

  long to(int span) {
    return bounds[2 * span + 1];
  }
}
