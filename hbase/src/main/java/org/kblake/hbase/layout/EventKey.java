package org.kblake.hbase.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;

/**
 * The key of an event's row, big-endian. Keys sort as events do: by channel, then by time, then in
 * log order. So the events of a channel in a range of time are one range of rows.
 *
 * <pre>
 *   name (UTF-8) | 0 | SYSTEM/GROUP (UTF-8) | 0 | time (8) | stamp (6) | offset (4) | late
 *
 *   name    0 in it is written as 0, 0xFF
 *   time    nanoseconds since 1970 UTC, with the sign bit inverted
 *   stamp   the pair: the digits yyyymmddhhmmss as a number
 *   offset  the begin of the event's segment in the log of the pair, bytes
 *   late    lateness and tie, each as its number of bytes (1) and these bytes; absent if both are 0
 * </pre>
 *
 * Stamp, offset, time + lateness and tie are the event's place in log order. No two events of a
 * group have the same.
 *
 * @param channel the channel
 * @param timeNanos the event's time, nanoseconds since 1970 UTC
 * @param stamp the pair, as a number of 14 digits
 * @param offset the begin of the segment, at most 2^32 - 1
 * @param latenessNanos nanoseconds from the event's time to the latest time before it in its
 *     segment
 * @param tie the rank among the segment's events of equal time + lateness
 */
public record EventKey(
    Channel channel, long timeNanos, long stamp, long offset, long latenessNanos, int tie) {

  /** The most bytes of a key behind the channel. */
  public static final int MAX_PLACE_BYTES = 8 + 6 + 4 + 1 + Long.BYTES + 1 + Integer.BYTES;

  /** The most bytes of a row's key in HBase. */
  private static final int MAX_ROW_BYTES = Short.MAX_VALUE;

  private static final int FIXED_PLACE_BYTES = 8 + 6 + 4;
  private static final int STAMP_DIGITS = 14;
  private static final byte ESCAPE = (byte) 0xFF;

  /**
   * Returns the first bytes of the keys of a channel.
   *
   * @throws IOException if the name is too long for HBase
   */
  public static byte[] channelPrefix(Channel channel) throws IOException {
    byte[] name = channel.name().getBytes(StandardCharsets.UTF_8);
    byte[] group = channel.group().toString().getBytes(StandardCharsets.UTF_8);
    int zeros = 0;
    for (byte each : name) {
      zeros += each == 0 ? 1 : 0;
    }
    int length = name.length + zeros + 1 + group.length + 1;
    if (length + MAX_PLACE_BYTES > MAX_ROW_BYTES) {
      throw new IOException(
          "name is too long for a row of HBase: bytes="
              + name.length
              + ", channel="
              + channel.name().substring(0, 40)
              + "...");
    }
    ByteBuffer prefix = ByteBuffer.allocate(length);
    for (byte each : name) {
      prefix.put(each);
      if (each == 0) {
        prefix.put(ESCAPE);
      }
    }
    return prefix.put((byte) 0).put(group).put((byte) 0).array();
  }

  /** Returns the first key of a channel at a time, or later. */
  public static byte[] at(byte[] channelPrefix, long nanos) {
    return ByteBuffer.allocate(channelPrefix.length + Long.BYTES)
        .put(channelPrefix)
        .putLong(nanos ^ Long.MIN_VALUE)
        .array();
  }

  /** Writes the part of a key behind the channel: at most {@link #MAX_PLACE_BYTES}. */
  public static void putPlace(
      ByteBuffer out, long timeNanos, long stamp, long offset, long latenessNanos, int tie) {
    out.putLong(timeNanos ^ Long.MIN_VALUE);
    out.putShort((short) (stamp >>> Integer.SIZE)).putInt((int) stamp);
    out.putInt((int) offset);
    if (latenessNanos != 0 || tie != 0) {
      putNumber(out, latenessNanos);
      putNumber(out, tie);
    }
  }

  /** Writes a number so that smaller numbers sort first. */
  private static void putNumber(ByteBuffer out, long number) {
    int bytes = (Long.SIZE - Long.numberOfLeadingZeros(number) + Byte.SIZE - 1) / Byte.SIZE;
    out.put((byte) bytes);
    for (int i = bytes - 1; i >= 0; i--) {
      out.put((byte) (number >>> i * Byte.SIZE));
    }
  }

  /**
   * Returns the bytes of the key.
   *
   * @throws IOException if the name is too long for HBase
   */
  public byte[] row() throws IOException {
    byte[] prefix = channelPrefix(channel);
    ByteBuffer row = ByteBuffer.allocate(prefix.length + MAX_PLACE_BYTES).put(prefix);
    putPlace(row, timeNanos, stamp, offset, latenessNanos, tie);
    byte[] bytes = new byte[row.position()];
    row.get(0, bytes);
    return bytes;
  }

  /**
   * Reads a key.
   *
   * @throws CorruptRowException if the row is not one of {@link #row}
   */
  public static EventKey of(byte[] row) throws CorruptRowException {
    int nameEnd = nameEnd(row);
    int groupEnd = nameEnd + 1;
    while (groupEnd < row.length && row[groupEnd] != 0) {
      groupEnd++;
    }
    if (groupEnd + 1 + FIXED_PLACE_BYTES > row.length) {
      throw new CorruptRowException("a key is too short", row);
    }
    Channel channel = new Channel(group(row, nameEnd + 1, groupEnd), name(row, nameEnd));
    ByteBuffer place = ByteBuffer.wrap(row).position(groupEnd + 1);
    long nanos = place.getLong() ^ Long.MIN_VALUE;
    long stamp =
        (long) Short.toUnsignedInt(place.getShort()) << Integer.SIZE
            | Integer.toUnsignedLong(place.getInt());
    long offset = Integer.toUnsignedLong(place.getInt());
    long lateness = place.hasRemaining() ? number(place, row) : 0;
    long tie = place.hasRemaining() ? number(place, row) : 0;
    if (place.hasRemaining() || tie < 0 || tie > Integer.MAX_VALUE || lateness < 0) {
      throw new CorruptRowException("a key is wrong behind its time", row);
    }
    return new EventKey(channel, nanos, stamp, offset, lateness, (int) tie);
  }

  private static int nameEnd(byte[] row) throws CorruptRowException {
    for (int i = 0; i < row.length; i++) {
      if (row[i] == 0) {
        if (i + 1 == row.length || row[i + 1] != ESCAPE) {
          return i;
        }
        i++;
      }
    }
    throw new CorruptRowException("a key has no group", row);
  }

  private static String name(byte[] row, int end) {
    byte[] name = new byte[end];
    int length = 0;
    for (int i = 0; i < end; i++) {
      name[length++] = row[i];
      i += row[i] == 0 ? 1 : 0;
    }
    return new String(name, 0, length, StandardCharsets.UTF_8);
  }

  /** A group and its bytes. Adjacent rows mostly have the same one. */
  private record ReadGroup(byte[] bytes, Group group) {}

  private static volatile @Nullable ReadGroup lastGroup;

  private static Group group(byte[] row, int from, int end) throws CorruptRowException {
    ReadGroup last = lastGroup;
    if (last != null && Arrays.equals(last.bytes, 0, last.bytes.length, row, from, end)) {
      return last.group;
    }
    byte[] bytes = Arrays.copyOfRange(row, from, Math.max(from, end));
    try {
      Group group = Group.parse(new String(bytes, StandardCharsets.UTF_8));
      lastGroup = new ReadGroup(bytes, group);
      return group;
    } catch (IllegalArgumentException e) {
      throw new CorruptRowException("a key has no group", row);
    }
  }

  private static long number(ByteBuffer in, byte[] row) throws CorruptRowException {
    int bytes = in.get();
    if (bytes < 0 || bytes > Long.BYTES || bytes > in.remaining()) {
      throw new CorruptRowException("a key is wrong behind its time", row);
    }
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number = number << Byte.SIZE | Byte.toUnsignedInt(in.get());
    }
    return number;
  }

  /** Returns the pair, by the {@code yyyymmddhhmmss} of its file names. */
  public String stampText() {
    return String.format(Locale.ROOT, "%0" + STAMP_DIGITS + "d", stamp);
  }
}
