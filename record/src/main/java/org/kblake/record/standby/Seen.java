package org.kblake.record.standby;

import org.kblake.record.log.StampOrder;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * An event that a standby has received.
 *
 * @param kind a value, a connection or a disconnection
 * @param isCounted whether it is a value, and not the one before it once more
 * @param isEmpty whether it is a value without elements, which a log has as a connection
 * @param isExact whether the number is that which any recorder counts
 * @param number the value's number among those of its stamp
 * @param stamp the IOC's stamp of the value, or of the one before a connection
 * @param hash the content of the value
 * @param receivedNanos when it was received, nanoseconds since 1970 UTC
 * @param connectedNanos when the channel was connected before it
 */
record Seen(
    EventKind kind,
    boolean isCounted,
    boolean isEmpty,
    boolean isExact,
    int number,
    long stamp,
    int hash,
    long receivedNanos,
    long connectedNanos) {

  /**
   * Returns an event.
   *
   * @param order where the channel is, the event included
   */
  static Seen of(ChannelEvent event, StampOrder order) {
    boolean isValue = event.kind() == EventKind.VALUE;
    return new Seen(
        event.kind(),
        isValue && !order.isRepeat(),
        isValue && event.count() == 0,
        order.isExact(),
        order.number(),
        order.stamp(),
        order.hash(),
        event.receivedNanos(),
        order.connectedNanos());
  }

  boolean isConnection() {
    return kind != EventKind.VALUE;
  }
}
