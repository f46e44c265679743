package org.kblake.record.pvaccess;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.epics.pva.data.PVAStructure;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.TimedLayout;

/**
 * What a channel's server sends, and the events that it becomes. One thread at a time calls it: the
 * channel excludes the others.
 */
final class Subscription {

  private static final int FIRST_BYTES = 64;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final int channel;
  private final EventOutput output;
  private final ChannelEvent event = new ChannelEvent();
  private ByteBuffer bytes = ByteBuffer.allocate(FIRST_BYTES);

  /** The structure of the present connection, or null if there was no value. */
  private @Nullable NormativeStructure present;

  /** Whether the last connection event said so. Then there is a server. */
  private Servers.@Nullable Server server;

  /** When the last update was received, in nanoseconds since 1970 UTC. */
  private long updatedNanos;

  private boolean isMetadataDue;

  private ByteBuffer lastControl = NOTHING;
  private ByteBuffer lastDescription = NOTHING;

  /** Whether values are dropped, as an event stated. */
  private boolean isInterrupted;

  // What was announced last, which a reconnection announces again.
  private ValueType type = ValueType.CHAR;
  private int count;

  Subscription(int channel, EventOutput output) {
    this.channel = channel;
    this.output = output;
  }

  /** Returns whether the last connection event said that the channel is connected. */
  boolean isConnected() {
    return server != null;
  }

  /**
   * Takes an update.
   *
   * @param structure the same object in each call, with other contents
   * @param from the server's address
   * @return false if no log can hold values of this structure
   */
  boolean take(PVAStructure structure, BitSet changes, BitSet overruns, String from) {
    NormativeStructure known = present;
    @SuppressWarnings("ReferenceEquality") // to compare the contents is not meant
    boolean isFirst = known == null || known.structure() != structure;
    if (isFirst) {
      known = NormativeStructure.of(structure, output.conversions());
      present = known;
    }
    if (known == null) {
      disconnect(DisconnectReason.UNSUPPORTED_TYPE, NormativeStructure.describe(structure), true);
      return false;
    }
    noteOverruns(overruns);
    isMetadataDue |= isFirst || known.isMetadata(changes);
    if (isFirst || known.isEvent(changes)) {
      takeValue(known, from);
    }
    if (isMetadataDue && server != null) {
      isMetadataDue = !putMetadata(known);
    }
    return true;
  }

  private void noteOverruns(BitSet overruns) {
    long before = updatedNanos;
    updatedNanos = output.now();
    if (!overruns.isEmpty()) {
      output.droppedByServer().increment();
      Servers.Server connected = server;
      if (connected != null) {
        connected.dropped(before);
      }
    }
  }

  private void takeValue(NormativeStructure known, String from) {
    int elements = known.count();
    long size = TimedLayout.bytes(known.type(), elements);
    if (size > output.largestValue()) {
      drop(DisconnectReason.TOO_LARGE, "elements=" + elements);
    } else if (!known.isRepresentable()) {
      drop(DisconnectReason.CONTRADICTION, "state of no enum");
    } else {
      Servers.Server connected = connect(known.type(), elements, from);
      output.values().increment();
      connected.values.increment();
      if (bytes.capacity() < size) {
        bytes = ByteBuffer.allocate((int) size);
      }
      known.write(bytes.clear(), elements);
      event.begin(channel, EventKind.VALUE, output.now()).typed(known.type(), elements);
      output.put(event.with(bytes, 0, (int) size));
    }
  }

  /** Drops a value. Until the next one the channel is disconnected. */
  private void drop(DisconnectReason reason, String detail) {
    output.drop(channel);
    disconnect(reason, detail, !isInterrupted);
    isInterrupted = true;
  }

  /** Puts a connection event if there was none, or if a value is longer than announced. */
  private Servers.Server connect(ValueType elements, int number, String from) {
    if (elements != type) {
      type = elements;
      count = 0;
    }
    isInterrupted = false;
    Servers.Server connected = server;
    if (connected != null && number <= count) {
      return connected;
    }
    if (number > count) {
      count = count == 0 ? number : (int) Math.min(Integer.MAX_VALUE, powerOfTwo(number));
    }
    count = Math.max(1, count);
    if (connected == null) {
      connected = output.servers().connected(from);
      server = connected;
    }
    event.begin(channel, EventKind.CONNECTED, output.now()).typed(type, count);
    output.put(event.from(connected.name));
    return connected;
  }

  private static long powerOfTwo(int atLeast) {
    return Long.highestOneBit(2L * atLeast - 1);
  }

  /** Puts what differs from the metadata put last. Some servers say of all that it changed. */
  private boolean putMetadata(NormativeStructure known) {
    ByteBuffer control = Metadata.control(known.structure(), known.type());
    if (!control.equals(lastControl)) {
      event.begin(channel, EventKind.METADATA, output.now()).typed(known.type(), 1);
      if (!output.offer(event.with(control, 0, control.limit()))) {
        return false;
      }
      lastControl = control;
    }
    ByteBuffer text = Metadata.description(known.structure());
    if (!text.equals(lastDescription)) {
      event.begin(channel, EventKind.DESCRIPTION, output.now()).typed(ValueType.STRING, 1);
      if (!output.offer(event.with(text, 0, text.limit()))) {
        return false;
      }
      lastDescription = text;
    }
    return true;
  }

  /** Notes that the server's next value is the first one of another connection. */
  void end(DisconnectReason reason) {
    present = null;
    lastControl = NOTHING;
    lastDescription = NOTHING;
    isInterrupted = false;
    disconnect(reason, "", false);
  }

  /** Ends without an event, because the channel is not wanted any more. */
  void close() {
    if (server != null) {
      output.servers().disconnected(server, false);
      server = null;
    }
  }

  /**
   * Puts an event of a disconnection.
   *
   * @param isNews true if the event is put even if the channel was not connected
   */
  void disconnect(DisconnectReason reason, String detail, boolean isNews) {
    Servers.Server connected = server;
    if (connected != null) {
      server = null;
      output.servers().disconnected(connected, true);
    }
    if (connected != null || isNews) {
      event.begin(channel, EventKind.DISCONNECTED, output.now());
      output.put(event.because(reason, detail));
    }
  }
}
