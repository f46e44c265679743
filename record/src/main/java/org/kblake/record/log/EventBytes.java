package org.kblake.record.log;

import java.nio.ByteBuffer;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.EventState;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * The bytes of a channel's event in a log. A value without elements, which a log cannot have, is an
 * event "connected" with the value's severity and status.
 */
final class EventBytes {

  private static final int SEVERITY_INVALID = 3;
  private static final int STATUS_COMM = 9;

  private final LogLayout layout;
  private final PairEncoder encoder;

  EventBytes(LogLayout layout, PairEncoder encoder) {
    this.layout = layout;
    this.encoder = encoder;
  }

  /** Returns the number of bytes of an event. */
  static int length(LogLayout layout, ChannelEvent event) {
    return layout.recordHeaderBytes() + valueBytes(event);
  }

  private static int valueBytes(ChannelEvent event) {
    return event.kind() == EventKind.VALUE ? event.count() * event.type().bytes() : 0;
  }

  /**
   * Writes an event whose type is that of its record.
   *
   * @param at the position in the buffer, which has room for it
   * @param nanos the event's time, nanoseconds since 1970 UTC
   */
  void put(ByteBuffer buffer, int at, int ordinal, long nanos, ChannelEvent event) {
    boolean isValue = event.kind() == EventKind.VALUE;
    boolean isDown = event.kind() == EventKind.DISCONNECTED;
    int severity = isDown ? SEVERITY_INVALID : 0;
    int status = isDown ? STATUS_COMM : 0;
    if (isValue) {
      severity = Math.min(event.severity(), SEVERITY_INVALID);
      status = event.status();
    }
    int bytes = valueBytes(event);
    int state = isDown ? EventState.DISCONNECTED.code() : EventState.CONNECTED.code();
    if (bytes > 0) {
      state = EventState.VALUE_CODE;
    }
    if (bytes > 0) {
      int valueAt = at + layout.recordHeaderBytes();
      event.putElements(buffer.limit(valueAt + bytes).position(valueAt));
      buffer.clear();
    }
    encoder.event(buffer, at, ordinal, nanos, state, severity, status, bytes);
  }
}
