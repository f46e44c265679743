package org.kblake.record.standby;

import java.util.List;
import org.kblake.record.log.StampOrder;
import org.kblake.record.source.EventKind;

/**
 * Where the log of the recorder before this one ends for a channel.
 *
 * @param order what the stamps say
 * @param later the events that the log has after it
 */
record Mark(StampOrder order, List<Later> later) {

  /** Returns whether the last event is a disconnection. */
  boolean isDown() {
    EventKind last = later.isEmpty() ? order.kind() : later.get(later.size() - 1).kind();
    return last == EventKind.DISCONNECTED;
  }

  /**
   * An event of the log, whose stamp is not known.
   *
   * @param hash its content, if it is a value
   */
  record Later(EventKind kind, int hash) {}
}
