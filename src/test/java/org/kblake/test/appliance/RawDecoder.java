package org.kblake.test.appliance;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes a body of {@code getData.raw}. It is written from the description of the protocol, and
 * shares no code with the server.
 */
final class RawDecoder {

  /** A chunk: its header and its samples. */
  record Chunk(
      int type,
      String name,
      int year,
      int elementCount,
      Map<String, String> headers,
      List<Decoded> samples) {}

  /**
   * A sample.
   *
   * @param value a Long (integers, bits of floating-point numbers) or a String for each element
   */
  record Decoded(
      long nanos, List<Object> value, int severity, int status, Map<String, String> fields) {}

  private RawDecoder() {}

  static List<Chunk> decode(byte[] body) {
    List<Chunk> chunks = new ArrayList<>();
    List<byte[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < body.length; i++) {
      if (body[i] == '\n') {
        if (i == start) {
          chunks.add(chunk(lines));
          lines.clear();
        } else {
          lines.add(Arrays.copyOfRange(body, start, i));
        }
        start = i + 1;
      }
    }
    if (start != body.length) {
      throw new AssertionError("the last line has no end");
    }
    if (!lines.isEmpty()) {
      chunks.add(chunk(lines));
    }
    return chunks;
  }

  /** Returns all samples of a body. */
  static List<Decoded> samples(byte[] body) {
    return decode(body).stream().flatMap(chunk -> chunk.samples().stream()).toList();
  }

  private static Chunk chunk(List<byte[]> lines) {
    int type = -1;
    int year = 0;
    int elementCount = 1;
    String name = "";
    Map<String, String> headers = new LinkedHashMap<>();
    for (Field field : fields(unescaped(lines.get(0)))) {
      switch (field.number) {
        case 1 -> type = (int) field.varint;
        case 2 -> name = text(field.bytes);
        case 3 -> year = (int) field.varint;
        case 4 -> elementCount = (int) field.varint;
        case 15 -> put(headers, field.bytes);
        default -> throw new AssertionError("unknown field of a header: " + field.number);
      }
    }
    long yearSeconds = LocalDate.of(year, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    List<Decoded> samples = new ArrayList<>();
    for (byte[] line : lines.subList(1, lines.size())) {
      samples.add(sample(unescaped(line), type, yearSeconds));
    }
    return new Chunk(type, name, year, elementCount, headers, samples);
  }

  private static Decoded sample(byte[] message, int type, long yearSeconds) {
    long seconds = -1;
    long nano = -1;
    int severity = 0;
    int status = 0;
    List<Object> value = new ArrayList<>();
    Map<String, String> fields = new LinkedHashMap<>();
    for (Field field : fields(message)) {
      switch (field.number) {
        case 1 -> seconds = field.varint;
        case 2 -> nano = field.varint;
        case 3 -> values(field, type, value);
        case 4 -> severity = (int) field.varint;
        case 5 -> status = (int) field.varint;
        case 7 -> put(fields, field.bytes);
        default -> throw new AssertionError("unknown field of a sample: " + field.number);
      }
    }
    if (seconds < 0 || nano < 0 || nano > 999_999_999 || seconds >= 366 * 86_400) {
      throw new AssertionError("wrong time: " + seconds + " " + nano);
    }
    return new Decoded(
        (yearSeconds + seconds) * 1_000_000_000 + nano, value, severity, status, fields);
  }

  private static void values(Field field, int type, List<Object> value) {
    switch (type) {
      case 0, 7 -> value.add(text(field.bytes));
      case 1, 3 -> value.add(zigzag(field.varint));
      case 2 -> value.add(field.varint & 0xffffffffL);
      case 5, 6 -> value.add(field.varint);
      case 4, 11 -> {
        for (byte each : field.bytes) {
          value.add((long) (each & 0xff));
        }
      }
      case 8, 10 -> {
        int[] at = {0};
        while (at[0] < field.bytes.length) {
          value.add(zigzag(varint(field.bytes, at)));
        }
      }
      case 9, 12 -> {
        ByteBuffer packed = ByteBuffer.wrap(field.bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (packed.hasRemaining()) {
          value.add(type == 9 ? packed.getInt() & 0xffffffffL : packed.getInt());
        }
      }
      case 13 -> {
        ByteBuffer packed = ByteBuffer.wrap(field.bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (packed.hasRemaining()) {
          value.add(packed.getLong());
        }
      }
      default -> throw new AssertionError("unknown type: " + type);
    }
  }

  private static void put(Map<String, String> target, byte[] message) {
    List<Field> fields = fields(message);
    target.put(text(fields.get(0).bytes), text(fields.get(1).bytes));
  }

  private record Field(int number, long varint, byte[] bytes) {}

  private static List<Field> fields(byte[] message) {
    List<Field> fields = new ArrayList<>();
    int[] at = {0};
    while (at[0] < message.length) {
      long tag = varint(message, at);
      int number = (int) (tag >>> 3);
      switch ((int) tag & 7) {
        case 0 -> fields.add(new Field(number, varint(message, at), new byte[0]));
        case 1 -> {
          fields.add(new Field(number, little(message, at[0]).getLong(), new byte[0]));
          at[0] += 8;
        }
        case 2 -> {
          int length = (int) varint(message, at);
          fields.add(new Field(number, 0, Arrays.copyOfRange(message, at[0], at[0] + length)));
          at[0] += length;
        }
        case 5 -> {
          fields.add(new Field(number, little(message, at[0]).getInt(), new byte[0]));
          at[0] += 4;
        }
        default -> throw new AssertionError("unknown wire type: " + tag);
      }
    }
    return fields;
  }

  private static ByteBuffer little(byte[] message, int at) {
    return ByteBuffer.wrap(message, at, message.length - at).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long varint(byte[] message, int[] at) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = message[at[0]++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static long zigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] unescaped(byte[] line) {
    ByteBuffer out = ByteBuffer.allocate(line.length);
    for (int i = 0; i < line.length; i++) {
      if (line[i] == 0x0d) {
        throw new AssertionError("an unescaped carriage return");
      }
      if (line[i] == 0x1b) {
        i++;
        switch (line[i]) {
          case 1 -> out.put((byte) 0x1b);
          case 2 -> out.put((byte) 0x0a);
          case 3 -> out.put((byte) 0x0d);
          default -> throw new AssertionError("unknown escape: " + line[i]);
        }
      } else {
        out.put(line[i]);
      }
    }
    return Arrays.copyOf(out.array(), out.position());
  }
}
