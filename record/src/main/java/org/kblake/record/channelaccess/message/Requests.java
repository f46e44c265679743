package org.kblake.record.channelaccess.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;

/**
 * Appends requests to a buffer in network byte order. The buffer must have room: {@link #NAMED}
 * bytes for a message with a name, {@link #LARGEST} without.
 */
public final class Requests {

  /** The size of the message with the version in bytes. */
  public static final int VERSION_BYTES = MessageLayout.HEADER;

  /** The size of the largest message without a name in bytes. */
  public static final int LARGEST = 40;

  /** The largest size of a name in bytes. Servers refuse longer ones. */
  public static final int LARGEST_NAME = 499;

  /** The size of the largest message with a name in bytes. */
  public static final int NAMED = MessageLayout.HEADER + 504;

  /** {@code DBR_TIME_STRING}, the first of the types with status and time stamp. */
  private static final int TIME_TYPES = 14;

  /** {@code DBR_CTRL_STRING}, the first of the types with units and limits. */
  private static final int CONTROL_TYPES = 28;

  private static final int SEQUENCE_NUMBER_IS_VALID = 1;
  private static final int DO_NOT_REPLY = 5;

  private Requests() {}

  /** Returns the code of a value with status and time stamp. */
  public static int timeType(ValueType type) {
    return TIME_TYPES + type.code();
  }

  /** Returns the type of the elements of a value with status and time stamp, or null. */
  public static @Nullable ValueType ofTimeType(int code) {
    boolean isTimeType = code >= TIME_TYPES && code < TIME_TYPES + ValueType.count();
    return isTimeType ? ValueType.of(code - TIME_TYPES) : null;
  }

  /** Returns the code of a value with units and limits. */
  public static int controlType(ValueType type) {
    return CONTROL_TYPES + type.code();
  }

  /** Returns the size in bytes of a request with a name. */
  public static int bytesWith(String name) {
    return MessageLayout.HEADER + payload(name.getBytes(StandardCharsets.UTF_8));
  }

  private static int payload(byte[] name) {
    return MessageLayout.padded(name.length + 1);
  }

  /** Begins a datagram of searches. */
  public static void searchVersion(ByteBuffer target, int sequence) {
    header(target, MessageCommand.VERSION, SEQUENCE_NUMBER_IS_VALID, MessageCommand.MINOR_VERSION);
    numbers(target, sequence, 0);
  }

  /** Asks for the server of a channel. A server without it does not answer. */
  public static void search(ByteBuffer target, int channel, String name) {
    named(
        target,
        MessageCommand.SEARCH,
        name,
        DO_NOT_REPLY,
        MessageCommand.MINOR_VERSION,
        channel,
        channel);
  }

  /** Begins a circuit. */
  public static void version(ByteBuffer target) {
    header(target, MessageCommand.VERSION, 0, MessageCommand.MINOR_VERSION);
    numbers(target, 0, 0);
  }

  public static void hostName(ByteBuffer target, String name) {
    named(target, MessageCommand.HOST_NAME, name, 0, 0, 0, 0);
  }

  public static void clientName(ByteBuffer target, String name) {
    named(target, MessageCommand.CLIENT_NAME, name, 0, 0, 0, 0);
  }

  public static void createChannel(ByteBuffer target, int channel, String name) {
    named(target, MessageCommand.CREATE_CHANNEL, name, 0, 0, channel, MessageCommand.MINOR_VERSION);
  }

  /**
   * Subscribes to a channel.
   *
   * @param count the number of elements, at least 0
   * @param mask the kinds of events, {@code DBE_VALUE} and so on
   */
  public static void subscribe(
      ByteBuffer target, ChannelNumbers channel, ValueType type, int count, int mask) {
    counted(target, MessageCommand.EVENT_ADD, 16, timeType(type), count, channel);
    // The low, high and period of old servers, which none uses.
    target.putInt(0).putInt(0).putInt(0).putShort((short) mask).putShort((short) 0);
  }

  /**
   * Reads a channel once.
   *
   * @param type the code of the type, such as {@link #controlType}
   * @param count the number of elements, at least 0
   */
  public static void read(ByteBuffer target, ChannelNumbers channel, int type, int count) {
    counted(target, MessageCommand.READ_NOTIFY, 0, type, count, channel);
  }

  public static void clearChannel(ByteBuffer target, ChannelNumbers channel) {
    header(target, MessageCommand.CLEAR_CHANNEL, 0, 0);
    numbers(target, channel.server(), channel.client());
  }

  public static void echo(ByteBuffer target) {
    header(target, MessageCommand.ECHO, 0, 0);
    numbers(target, 0, 0);
  }

  /** Asks the repeater of this machine for beacons. */
  public static void registerAtRepeater(ByteBuffer target, int address) {
    header(target, MessageCommand.REPEATER_REGISTER, 0, 0);
    numbers(target, 0, address);
  }

  private static void header(ByteBuffer target, int command, int type, int count) {
    sized(target, command, 0, type, count);
  }

  private static void sized(ByteBuffer target, int command, int size, int type, int count) {
    target.putShort((short) command).putShort((short) size);
    target.putShort((short) type).putShort((short) count);
  }

  private static void counted(
      ByteBuffer target, int command, int size, int type, int count, ChannelNumbers channel) {
    boolean isExtended = count >= MessageLayout.EXTENDED;
    sized(
        target, command, isExtended ? MessageLayout.EXTENDED : size, type, isExtended ? 0 : count);
    numbers(target, channel.server(), channel.client());
    if (isExtended) {
      target.putInt(size).putInt(count);
    }
  }

  private static void numbers(ByteBuffer target, int first, int second) {
    target.putInt(first).putInt(second);
  }

  private static void named(
      ByteBuffer target, int command, String name, int type, int count, int first, int second) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    int size = payload(text);
    sized(target, command, size, type, count);
    numbers(target, first, second);
    target.put(text);
    for (int i = text.length; i < size; i++) {
      target.put((byte) 0);
    }
  }
}
