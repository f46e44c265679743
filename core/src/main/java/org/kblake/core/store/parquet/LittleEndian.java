package org.kblake.core.store.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words in byte arrays, at any position, in Parquet's byte order. */
final class LittleEndian {

  /** View handles take as long to make as some hundred thousand words byte by byte. */
  private static final boolean COLD = ColdStart.IS_COLD;

  private LittleEndian() {}

  private static final class Views {
    static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INT =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  }

  static long getLong(byte[] bytes, int at) {
    if (COLD) {
      return getInt(bytes, at) & 0xffff_ffffL | (long) getInt(bytes, at + 4) << 32;
    }
    return (long) Views.LONG.get(bytes, at);
  }

  static int getInt(byte[] bytes, int at) {
    if (COLD) {
      return bytes[at] & 0xff
          | (bytes[at + 1] & 0xff) << 8
          | (bytes[at + 2] & 0xff) << 16
          | bytes[at + 3] << 24;
    }
    return (int) Views.INT.get(bytes, at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    if (COLD) {
      putInt(bytes, at, (int) value);
      putInt(bytes, at + 4, (int) (value >>> 32));
    } else {
      Views.LONG.set(bytes, at, value);
    }
  }

  static void putInt(byte[] bytes, int at, int value) {
    if (COLD) {
      bytes[at] = (byte) value;
      bytes[at + 1] = (byte) (value >>> 8);
      bytes[at + 2] = (byte) (value >>> 16);
      bytes[at + 3] = (byte) (value >>> 24);
    } else {
      Views.INT.set(bytes, at, value);
    }
  }
}
