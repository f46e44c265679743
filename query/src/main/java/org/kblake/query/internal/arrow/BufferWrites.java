package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;

/**
 * Writes arrays into buffers at any byte position. A single element is written separately, because
 * a bulk put is slow for it, and rows of many channels arrive one by one.
 */
final class BufferWrites {

  private static final byte[] ZEROS = new byte[1 << 10];

  private BufferWrites() {}

  /** Writes zeros. */
  static void zeros(int length, ByteBuffer into, int at) {
    for (int done = 0; done < length; done += ZEROS.length) {
      into.put(at + done, ZEROS, 0, Math.min(ZEROS.length, length - done));
    }
  }

  static void longs(long[] from, int first, int count, ByteBuffer into, int at) {
    if (count == 1) {
      into.putLong(at, from[first]);
    } else {
      into.slice(at, count * Long.BYTES)
          .order(into.order())
          .asLongBuffer()
          .put(0, from, first, count);
    }
  }

  static void ints(int[] from, int first, int count, ByteBuffer into, int at) {
    if (count == 1) {
      into.putInt(at, from[first]);
    } else {
      into.slice(at, count * Integer.BYTES)
          .order(into.order())
          .asIntBuffer()
          .put(0, from, first, count);
    }
  }

  static void shorts(short[] from, int first, int count, ByteBuffer into, int at) {
    if (count == 1) {
      into.putShort(at, from[first]);
    } else {
      into.slice(at, count * Short.BYTES)
          .order(into.order())
          .asShortBuffer()
          .put(0, from, first, count);
    }
  }

  static void bytes(byte[] from, int first, int count, ByteBuffer into, int at) {
    if (count == 1) {
      into.put(at, from[first]);
    } else {
      into.put(at, from, first, count);
    }
  }
}
