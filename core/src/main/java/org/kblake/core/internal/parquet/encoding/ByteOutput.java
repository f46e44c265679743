package org.kblake.core.internal.parquet.encoding;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * A growing array of bytes. The fields are public for speed: encoders call {@link #ensure}, write
 * into the array and advance the size themselves. Reusable. The array never shrinks.
 */
public final class ByteOutput extends OutputStream {

  public byte[] bytes;

  /** The number of bytes in use. */
  public int size;

  public ByteOutput(int capacity) {
    bytes = new byte[capacity];
  }

  public void reset() {
    size = 0;
  }

  /** Ensures capacity for a number of further bytes. */
  public void ensure(int more) {
    if (bytes.length - size < more) {
      long wanted = Math.max((long) size + more, bytes.length + (bytes.length >> 1L));
      if (size + (long) more > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "row group exceeds 2 GiB: bytes=" + size + ", more=" + more);
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
    }
  }

  @Override
  public void write(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    ensure(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  public void putInt(int value) {
    ensure(4);
    LittleEndian.putInt(bytes, size, value);
    size += 4;
  }

  public void putLong(long value) {
    ensure(8);
    LittleEndian.putLong(bytes, size, value);
    size += 8;
  }

  /** Appends a ULEB128 number. */
  public void putVarint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Appends a zigzag ULEB128 number. */
  void putZigzag(long value) {
    putVarint((value << 1) ^ (value >> 63));
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }
}
