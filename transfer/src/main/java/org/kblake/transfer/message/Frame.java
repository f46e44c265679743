package org.kblake.transfer.message;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The header of a frame on a data connection:
 *
 * <pre>
 * length int32 | number int32 | stamp int64 | offset int64 | kind int32 | CRC32C int32
 * </pre>
 *
 * @param length the bytes of payload that follow
 * @param number that of the group on this connection
 * @param stamp the digits of the pair's stamp, as a number; 0 if the frame is not of a pair
 * @param offset that of the payload in its file; 0 if the frame is not of a file
 */
public record Frame(int length, int number, long stamp, long offset, Kind kind) {

  /** The bytes of a header. */
  public static final int HEADER_BYTES = 32;

  /** The most bytes of a payload. */
  public static final int MAX_BYTES = 1 << 18;

  private static final int SUMMED_BYTES = HEADER_BYTES - Integer.BYTES;

  /** What a frame is. The numbers on the wire begin with 1. */
  public enum Kind {
    /** The collector gives a group; the payload is its name. */
    GIVE,
    /** Bytes of a log. */
    LOG,
    /** Bytes of an index. */
    INDEX,
    /** The collector takes a group away. */
    TAKE,
    /** The collector cannot send a group; the payload is the reason. */
    FAILED,
    /** The collector asks for the position of a pair, which the builder states. */
    ASK;

    private static final Kind[] ALL = values();
  }

  /** Returns a frame that is not of a pair. */
  public static Frame of(Kind kind, int number, int length) {
    return new Frame(length, number, 0, 0, kind);
  }

  /**
   * Writes the header, which the caller flips.
   *
   * @param payload its bytes; the position is kept
   */
  public void put(ByteBuffer out, ByteBuffer payload) {
    int start = out.position();
    out.putInt(length).putInt(number).putLong(stamp).putLong(offset).putInt(kind.ordinal() + 1);
    out.putInt(checksum(out, start, payload));
  }

  /** Reads a header. Its checksum is not compared yet. */
  public static Frame read(ByteBuffer in) throws ProtocolException {
    int length = in.getInt();
    if (length < 0 || length > MAX_BYTES) {
      throw new ProtocolException(
          "frame has a wrong length: length=" + length + ", expected 0 to " + MAX_BYTES);
    }
    int number = in.getInt();
    long stamp = in.getLong();
    long offset = in.getLong();
    int kind = in.getInt();
    if (kind < 1 || kind > Kind.ALL.length) {
      throw new ProtocolException("frame has an unknown kind: kind=" + kind);
    }
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      throw new ProtocolException("frame has a wrong offset: offset=" + offset);
    }
    return new Frame(length, number, stamp, offset, Kind.ALL[kind - 1]);
  }

  /**
   * Compares the checksum.
   *
   * @param header the bytes of the header, from 0 on
   * @param payload its bytes; the position is kept
   * @throws ProtocolException if it differs
   */
  public static void requireChecksum(ByteBuffer header, ByteBuffer payload)
      throws ProtocolException {
    if (header.getInt(SUMMED_BYTES) != checksum(header, 0, payload)) {
      throw new ProtocolException("frame has a wrong checksum; its bytes are sent again");
    }
  }

  private static int checksum(ByteBuffer header, int start, ByteBuffer payload) {
    CRC32C sum = new CRC32C();
    sum.update(header.duplicate().limit(start + SUMMED_BYTES).position(start));
    sum.update(payload.duplicate());
    return (int) sum.getValue();
  }
}
