package org.kblake.core.internal.parquet.encoding;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Bytes being put together. Open on purpose: encoders ask for room, write into the array and
 * advance the size themselves. Reused; grows as needed and never shrinks.
 */
public final class ByteOutput extends OutputStream {

  public byte[] bytes;

  /** Bytes in use. */
  public int size;

  public ByteOutput(int capacity) {
    bytes = new byte[capacity];
  }

  public void reset() {
    size = 0;
  }

  /** Ensures room for a number of further bytes. */
  public void ensure(int more) {
    if (bytes.length - size < more) {
      long wanted = Math.max((long) size + more, bytes.length + (bytes.length >> 1L));
      if (size + (long) more > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "row group passes 2 GiB: bytes=" + size + ", more=" + more);
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

  /** ULEB128. */
  public void putVarint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Zigzag ULEB128. */
  void putZigzag(long value) {
    putVarint((value << 1) ^ (value >> 63));
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }
}
