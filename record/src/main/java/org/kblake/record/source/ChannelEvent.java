package org.kblake.record.source;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.kblake.core.model.ValueType;

/**
 * An event of a channel. A source hands out the same object again and again: it is valid until the
 * handler returns, and so are its bytes. Elements are decoded when they are asked for.
 */
public final class ChannelEvent {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int MOST_HASHED_BYTES = 64;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private int channel;
  private EventKind kind = EventKind.DISCONNECTED;
  private int type;
  private int count;
  private int lostBefore;
  private long receivedNanos;
  private ByteBuffer bytes = NOTHING;
  private int offset;
  private int length;

  /**
   * Begins another event, without bytes and losses.
   *
   * @param receivedNanos time of reception in nanoseconds since 1970 UTC
   */
  public ChannelEvent begin(int channel, EventKind kind, long receivedNanos) {
    this.channel = channel;
    this.kind = kind;
    this.receivedNanos = receivedNanos;
    type = 0;
    count = 0;
    lostBefore = 0;
    bytes = NOTHING;
    offset = 0;
    length = 0;
    return this;
  }

  /** Sets the type and the number of elements. */
  public ChannelEvent typed(ValueType type, int count) {
    this.type = type.code();
    this.count = count;
    return this;
  }

  /** Sets the circuit of a connection, as {@link CircuitCounts#server} names it. */
  public ChannelEvent from(String server) {
    return with(server);
  }

  /** Sets the reason of a disconnection. */
  public ChannelEvent because(DisconnectReason reason) {
    count = reason.ordinal();
    return this;
  }

  /**
   * Sets the reason of a disconnection.
   *
   * @param detail what else the source knows of it, in a few words
   */
  public ChannelEvent because(DisconnectReason reason, String detail) {
    return because(reason).with(detail);
  }

  private ChannelEvent with(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    return with(ByteBuffer.wrap(encoded), 0, encoded.length);
  }

  /**
   * Sets the bytes of a value ({@link TimedLayout}), of metadata or of a description.
   *
   * @param source where they are; it stays as it is
   * @param offset the position of the first byte
   * @param length the number of bytes
   */
  public ChannelEvent with(ByteBuffer source, int offset, int length) {
    bytes = source;
    this.offset = offset;
    this.length = length;
    return this;
  }

  void setCodes(int type, int count, int lostBefore) {
    this.type = type;
    this.count = count;
    this.lostBefore = lostBefore;
  }

  void addLost(int more) {
    lostBefore += more;
  }

  /** Returns a copy, which stays valid. */
  public ChannelEvent copy() {
    ByteBuffer copy = ByteBuffer.allocate(length);
    copy.put(0, bytes, offset, length);
    ChannelEvent event = new ChannelEvent().begin(channel, kind, receivedNanos);
    event.setCodes(type, count, lostBefore);
    return event.with(copy, 0, length);
  }

  int typeCode() {
    return type;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  int offset() {
    return offset;
  }

  /** Returns the number of bytes of a value, metadata or text. */
  public int length() {
    return length;
  }

  /** Returns the number that the source gave the channel. */
  public int channel() {
    return channel;
  }

  public EventKind kind() {
    return kind;
  }

  /** Returns the time of reception in nanoseconds since 1970 UTC. */
  public long receivedNanos() {
    return receivedNanos;
  }

  /** Returns how many events of the channel were lost directly before this one, in this process. */
  public int lostBefore() {
    return lostBefore;
  }

  /** Returns the type of the elements, if the event is no disconnection. */
  public ValueType type() {
    return ValueType.of(type);
  }

  /**
   * Returns the number of elements of a value, which may be 0, or the largest number of elements
   * that the server announced with a connection. An array may have more than announced.
   */
  public int count() {
    return count;
  }

  /** Returns the circuit of a connection, as {@link CircuitCounts#server} names it. */
  public String server() {
    return Bytes.text(bytes, offset, offset + length);
  }

  /** Returns why the channel is disconnected. */
  public DisconnectReason reason() {
    return DisconnectReason.of(count);
  }

  /** Returns what else is known of a disconnection, perhaps nothing. */
  public String detail() {
    return Bytes.text(bytes, offset, offset + length);
  }

  /** Returns the alarm status of a value, {@code menuAlarmStat} of EPICS. */
  public int status() {
    return bytes.getShort(offset + TimedLayout.STATUS_OFFSET) & 0xFFFF;
  }

  /** Returns the severity of a value, from 0 to 3 unless the server errs. */
  public int severity() {
    return bytes.getShort(offset + TimedLayout.SEVERITY_OFFSET) & 0xFFFF;
  }

  /** Returns whether the IOC's time stamp is set and has less than 10^9 nanoseconds. */
  public boolean isStamped() {
    int seconds = bytes.getInt(offset + TimedLayout.SECONDS_OFFSET);
    int nanoseconds = bytes.getInt(offset + TimedLayout.NANOSECONDS_OFFSET);
    return (seconds != 0 || nanoseconds != 0)
        && Integer.compareUnsigned(nanoseconds, NANOS_PER_SECOND) < 0;
  }

  /** Returns the IOC's time stamp in nanoseconds since 1970 UTC, if {@link #isStamped}. */
  public long stampNanos() {
    long seconds = bytes.getInt(offset + TimedLayout.SECONDS_OFFSET) & 0xFFFF_FFFFL;
    long nanoseconds = bytes.getInt(offset + TimedLayout.NANOSECONDS_OFFSET) & 0xFFFF_FFFFL;
    return (seconds + TimedLayout.EPOCH_SECONDS) * NANOS_PER_SECOND + nanoseconds;
  }

  /** Returns the IOC's time stamp as the server sent it: seconds and nanoseconds, 32 bits each. */
  public long stampBits() {
    return bytes.getLong(offset + TimedLayout.SECONDS_OFFSET);
  }

  /** Returns a number for the value: the same for the same status, severity and elements. */
  public int contentHash() {
    int from = TimedLayout.elementsOffset(type());
    int most = Math.min(3, severity());
    return contentHash(type(), status(), most, bytes, offset + from, Math.max(0, length - from));
  }

  /**
   * Returns a number for a value.
   *
   * @param at the first byte of the elements, whose order is that of the network
   * @param length the number of their bytes; the first ones are enough
   */
  public static int contentHash(
      ValueType type, int status, int severity, ByteBuffer bytes, int at, int length) {
    int hash = 31 * status + severity;
    int end = at + Math.min(length, MOST_HASHED_BYTES);
    if (type == ValueType.STRING) {
      // What follows the first text's end differs between network and log.
      end = Bytes.endOfText(bytes, at, Math.min(end, at + ValueType.STRING.bytes() - 1));
    }
    for (int i = at; i < end; i++) {
      hash = 31 * hash + bytes.get(i);
    }
    return hash;
  }

  /**
   * Returns an element of a value as a number. A double represents the numbers of each type
   * exactly.
   *
   * @throws IllegalStateException if the type is string
   */
  public double number(int element) {
    int at = elementOffset(element);
    return switch (type()) {
      case DOUBLE -> bytes.getDouble(at);
      case FLOAT -> bytes.getFloat(at);
      case LONG -> bytes.getInt(at);
      case SHORT -> bytes.getShort(at);
      case ENUM -> bytes.getShort(at) & 0xFFFF;
      case CHAR -> bytes.get(at) & 0xFF;
      case STRING -> throw new IllegalStateException("a string is not a number");
    };
  }

  /** Returns units, precision, limits or labels of metadata. */
  public ControlData control() {
    return ControlLayout.read(type(), bytes, offset);
  }

  /** Returns an element of a value of strings, or the description (element 0). */
  public String text(int element) {
    int at = kind == EventKind.DESCRIPTION ? offset : elementOffset(element);
    int end = Math.min(at + ValueType.STRING.bytes(), offset + length);
    return Bytes.text(bytes, at, end);
  }

  /**
   * Appends the elements of a value in the byte order of a log. A string takes 40 bytes: at most 39
   * of the server's, whatever their encoding, and zeros.
   *
   * @param target has room for {@link #count} elements; its order is that of the log
   */
  public void putElements(ByteBuffer target) {
    ValueType elements = type();
    if (elements == ValueType.STRING) {
      putStrings(target);
    } else if (elements.bytes() == 1 || target.order() == ByteOrder.BIG_ENDIAN) {
      Bytes.copy(bytes, elementOffset(0), target, count * elements.bytes());
    } else {
      for (int i = 0; i < count; i++) {
        int at = elementOffset(i);
        switch (elements.bytes()) {
          case 2 -> target.putShort(bytes.getShort(at));
          case 4 -> target.putInt(bytes.getInt(at));
          default -> target.putLong(bytes.getLong(at));
        }
      }
    }
  }

  private void putStrings(ByteBuffer target) {
    for (int i = 0; i < count; i++) {
      int at = elementOffset(i);
      int most = Math.min(at + ValueType.STRING.bytes() - 1, offset + length);
      int copied = Bytes.endOfText(bytes, at, most) - at;
      Bytes.copy(bytes, at, target, copied);
      for (int j = copied; j < ValueType.STRING.bytes(); j++) {
        target.put((byte) 0);
      }
    }
  }

  private int elementOffset(int element) {
    ValueType elements = type();
    return offset + TimedLayout.elementsOffset(elements) + element * elements.bytes();
  }
}
