package org.kblake.record.importing.appliance;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The bytes of a file of the appliance, written by its description and without any code of the
 * product or of protocol buffers.
 */
public final class PbFileBytes {

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final int type;
  private final long yearSeconds;

  /**
   * @param type the number of the payload type, 0 to 14
   */
  public PbFileBytes(String name, int type, int year, int elements) {
    this.type = type;
    yearSeconds = LocalDate.of(year, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    Message header = new Message();
    header.integer(1, type).text(2, name).integer(3, year).integer(4, elements);
    header.bytes(15, new Message().text(1, "PREC").text(2, "3").get());
    line(header.get());
  }

  static int year(long nanos) {
    return Instant.ofEpochSecond(0, nanos).atOffset(ZoneOffset.UTC).getYear();
  }

  /** A message of protocol buffers. */
  static final class Message {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message varint(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        out.write((int) (rest & 0x7F | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
      return this;
    }

    Message integer(int field, long value) {
      return varint(field << 3).varint(value);
    }

    Message bytes(int field, byte[] value) {
      varint(field << 3 | 2).varint(value.length);
      out.writeBytes(value);
      return this;
    }

    Message text(int field, String value) {
      return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message raw(byte[] bytes) {
      out.writeBytes(bytes);
      return this;
    }

    byte[] get() {
      return out.toByteArray();
    }
  }

  /**
   * Adds a sample.
   *
   * @param elements numbers, as raw bits of floats and doubles; or texts
   * @param lost seconds since 1970, or -1 for no such field
   */
  public void sample(
      long nanos, Object[] elements, int severity, int status, long lost, long regained) {
    Message sample = new Message();
    sample.integer(1, Math.floorDiv(nanos, 1_000_000_000L) - yearSeconds);
    sample.integer(2, Math.floorMod(nanos, 1_000_000_000L));
    value(sample, elements);
    if (severity != 0) {
      sample.integer(4, severity);
    }
    if (status != 0) {
      sample.integer(5, status);
    }
    if (lost >= 0) {
      sample.bytes(7, new Message().text(1, "cnxlostepsecs").text(2, "" + lost).get());
    }
    if (regained >= 0) {
      sample.bytes(7, new Message().text(1, "cnxregainedepsecs").text(2, "" + regained).get());
      sample.bytes(7, new Message().text(1, "startup").text(2, "true").get());
    }
    line(sample.get());
  }

  private void value(Message sample, Object[] elements) {
    int scalar = type % 7;
    if (scalar == 0) {
      for (Object each : elements) {
        sample.text(3, (String) each);
      }
    } else if (scalar == 4) {
      ByteArrayOutputStream chars = new ByteArrayOutputStream();
      for (Object each : elements) {
        chars.write(((Long) each).intValue());
      }
      sample.bytes(3, chars.toByteArray());
    } else {
      Message packed = new Message();
      for (Object each : elements) {
        number(packed, scalar, (Long) each);
      }
      if (type >= 7) {
        sample.bytes(3, packed.get());
      } else {
        int wire = scalar == 1 || scalar == 3 ? 0 : scalar == 6 ? 1 : 5;
        sample.varint(3 << 3 | wire).raw(packed.get());
      }
    }
  }

  private static void number(Message packed, int scalar, long value) {
    switch (scalar) {
      case 1, 3 -> packed.varint(Integer.toUnsignedLong((int) (value << 1 ^ value >> 63)));
      case 2, 5 ->
          packed.raw(
              ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt((int) value).array());
      default ->
          packed.raw(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
    }
  }

  /** Adds a line, escaped. */
  void line(byte[] bytes) {
    for (byte each : bytes) {
      switch (each) {
        case 0x1B -> file.writeBytes(new byte[] {0x1B, 1});
        case 0x0A -> file.writeBytes(new byte[] {0x1B, 2});
        case 0x0D -> file.writeBytes(new byte[] {0x1B, 3});
        default -> file.write(each);
      }
    }
    file.write(0x0A);
  }

  /** Adds bytes as they are. */
  void raw(byte[] bytes) {
    file.writeBytes(bytes);
  }

  /** Returns all bytes so far. */
  public byte[] get() {
    return file.toByteArray();
  }
}
