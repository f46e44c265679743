package org.kblake.cli.format.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of a page while it is made: little-endian, growing, reused. */
final class PageBytes {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  byte[] bytes = new byte[1 << 16];
  int size;

  void ensure(int room) {
    if (bytes.length - size < room) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, room)));
    }
  }

  void putByte(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void putInt(int value) {
    ensure(Integer.BYTES);
    INTS.set(bytes, size, value);
    size += Integer.BYTES;
  }

  void putLong(long value) {
    ensure(Long.BYTES);
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
  }

  /** Replaces four bytes that were put before. */
  void setInt(int at, int value) {
    INTS.set(bytes, at, value);
  }

  /** Seven bits a byte, the lowest first. */
  void putVarint(int value) {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      putByte(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    putByte(rest);
  }

  void put(byte[] source, int from, int length) {
    ensure(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }
}
