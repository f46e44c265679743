package org.kblake.record.host;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.host.Rows.Counter;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ControlLayout;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.TimedLayout;

/** A channel of a counter, and what it gave last. The thread that samples uses it. */
final class HostChannel {

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int ELEMENT = TimedLayout.elementsOffset(ValueType.DOUBLE);
  private static final int UNITS = 8;

  private final int number;
  private final String name;
  private final ChannelEvent event = new ChannelEvent();
  private final ByteBuffer bytes =
      ByteBuffer.allocate((int) TimedLayout.bytes(ValueType.DOUBLE, 1));

  private @Nullable Counter counter;
  private boolean isConnected;
  private double last;

  HostChannel(int number, String name) {
    this.number = number;
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isConnected() {
    return isConnected;
  }

  /** Sets the counter, or null if the machine has none of the name. */
  void find(@Nullable Counter found) {
    counter = found;
  }

  /**
   * Puts the events of a sample.
   *
   * @param nanos the sample's time in nanoseconds since 1970 UTC
   * @param origin the directory of the files
   * @return the number of values
   */
  int put(EventQueue events, long nanos, String origin) {
    Counter now = counter;
    if (now == null) {
      return 0;
    }
    if (!now.isPresent()) {
      if (isConnected) {
        isConnected = false;
        events.put(
            event
                .begin(number, EventKind.DISCONNECTED, nanos)
                .because(DisconnectReason.REMOVED_BY_SERVER, "not in " + now.file()));
      }
      return 0;
    }
    if (!isConnected) {
      isConnected = true;
      connect(events, nanos, now, origin);
    } else if (now.value() == last) {
      return 0;
    }
    putValue(events, nanos, now.value());
    return 1;
  }

  private void connect(EventQueue events, long nanos, Counter now, String origin) {
    events.put(
        event.begin(number, EventKind.CONNECTED, nanos).typed(ValueType.DOUBLE, 1).from(origin));
    ByteBuffer control = ByteBuffer.allocate(ControlLayout.bytes(ValueType.DOUBLE));
    control.put(UNITS, now.unit().getBytes(StandardCharsets.US_ASCII));
    boolean unused =
        events.offer(
            event
                .begin(number, EventKind.METADATA, nanos)
                .typed(ValueType.DOUBLE, 1)
                .with(control, 0, control.capacity()));
  }

  private void putValue(EventQueue events, long nanos, double value) {
    last = value;
    long seconds = Math.floorDiv(nanos, NANOS_PER_SECOND) - TimedLayout.EPOCH_SECONDS;
    bytes.putInt(TimedLayout.SECONDS_OFFSET, (int) seconds);
    bytes.putInt(TimedLayout.NANOSECONDS_OFFSET, (int) Math.floorMod(nanos, NANOS_PER_SECOND));
    bytes.putDouble(ELEMENT, value);
    events.put(
        event
            .begin(number, EventKind.VALUE, nanos)
            .typed(ValueType.DOUBLE, 1)
            .with(bytes, 0, bytes.capacity()));
  }
}
