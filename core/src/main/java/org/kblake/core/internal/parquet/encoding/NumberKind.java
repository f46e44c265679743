package org.kblake.core.internal.parquet.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.format.Type;
import org.kblake.core.model.ValueType;

/**
 * The physical types of numbers. In memory each is a {@code long}, see {@link
 * org.kblake.core.columns.EventColumns#values}.
 *
 * <p>Smallest and largest values are kept as keys. The order of keys as {@code long} is the order
 * of the values. The key of an integer is the integer. The key of a negative floating-point number
 * has all bits inverted except the sign.
 */
public enum NumberKind {
  INT32(Type.INT32, 4),
  INT64(Type.INT64, 8),
  FLOAT(Type.FLOAT, 4),
  DOUBLE(Type.DOUBLE, 8);

  private final Type parquet;
  private final int bytes;

  NumberKind(Type parquet, int bytes) {
    this.parquet = parquet;
    this.bytes = bytes;
  }

  /** Returns the kind of a value column. Strings have none. */
  public static NumberKind of(ValueType type) {
    return switch (type) {
      case STRING -> throw new IllegalArgumentException("strings are not numbers");
      case SHORT, ENUM, CHAR, LONG -> INT32;
      case FLOAT -> FLOAT;
      case DOUBLE -> DOUBLE;
    };
  }

  public Type parquet() {
    return parquet;
  }

  /** Returns the size of a plain value in bytes. */
  public int bytes() {
    return bytes;
  }

  public boolean floating() {
    return this == FLOAT || this == DOUBLE;
  }

  public void putPlain(long[] values, int from, int to, ByteOutput out) {
    int count = to - from;
    out.ensure(count * bytes);
    if (bytes == 8) {
      ByteBuffer.wrap(out.bytes, out.size, count * 8)
          .slice()
          .order(ByteOrder.LITTLE_ENDIAN)
          .asLongBuffer()
          .put(values, from, count);
    } else {
      for (int i = 0; i < count; i++) {
        LittleEndian.putInt(out.bytes, out.size + 4 * i, (int) values[from + i]);
      }
    }
    out.size += count * bytes;
  }

  /** Reads plain values from the buffer's position on. The buffer's byte order is little-endian. */
  public void getPlain(ByteBuffer from, long[] into, int at, int count) {
    if (bytes == 8) {
      from.asLongBuffer().get(into, at, count);
    } else {
      int position = from.position();
      for (int i = 0; i < count; i++) {
        into[at + i] = from.getInt(position + 4 * i);
      }
    }
  }

  /** Reads one plain value. The buffer's byte order is little-endian. */
  public long plainAt(ByteBuffer from, int position) {
    return bytes == 8 ? from.getLong(position) : from.getInt(position);
  }

  /** Returns whether any of the values is NaN. */
  public boolean anyNaN(long[] values, int from, int to) {
    long sign = 0;
    if (this == DOUBLE) {
      for (int i = from; i < to; i++) {
        sign |= 0x7FF0_0000_0000_0000L - (values[i] & Long.MAX_VALUE);
      }
    } else if (this == FLOAT) {
      for (int i = from; i < to; i++) {
        sign |= 0x7F80_0000L - (values[i] & Integer.MAX_VALUE);
      }
    }
    return sign < 0;
  }

  long key(long value) {
    return switch (this) {
      case INT32, INT64 -> value;
      case FLOAT -> floatKey(value);
      case DOUBLE -> doubleKey(value);
    };
  }

  private static long floatKey(long value) {
    return (int) value ^ ((int) value >> 31 & Integer.MAX_VALUE);
  }

  private static long doubleKey(long value) {
    return value ^ (value >> 63 & Long.MAX_VALUE);
  }

  /**
   * The keys of the smallest and of the largest value. Parquet requires -0.0 if the smallest value
   * is a zero, and +0.0 if the largest value is a zero.
   */
  public record Range(long minKey, long maxKey) {}

  /** Returns the range of at least one value. */
  public Range range(long[] values, int from, int to) {
    return switch (this) {
      case INT32, INT64 -> rangeOfIntegers(values, from, to);
      case FLOAT -> withBothZeros(rangeOfFloats(values, from, to));
      case DOUBLE -> withBothZeros(rangeOfDoubles(values, from, to));
    };
  }

  private static Range withBothZeros(Range range) {
    return new Range(range.minKey == 0 ? -1 : range.minKey, range.maxKey == -1 ? 0 : range.maxKey);
  }

  private static Range rangeOfIntegers(long[] values, int from, int to) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    return new Range(min, max);
  }

  private static Range rangeOfFloats(long[] values, int from, int to) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      long key = floatKey(values[i]);
      min = Math.min(min, key);
      max = Math.max(max, key);
    }
    return new Range(min, max);
  }

  private static Range rangeOfDoubles(long[] values, int from, int to) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      long key = doubleKey(values[i]);
      min = Math.min(min, key);
      max = Math.max(max, key);
    }
    return new Range(min, max);
  }

  /** Returns the plain bytes of the value with a key. */
  public byte[] plain(long key) {
    byte[] plain = new byte[bytes];
    long value = key(key);
    if (bytes == 8) {
      LittleEndian.putLong(plain, 0, value);
    } else {
      LittleEndian.putInt(plain, 0, (int) value);
    }
    return plain;
  }
}
