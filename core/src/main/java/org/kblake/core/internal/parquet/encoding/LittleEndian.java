package org.kblake.core.internal.parquet.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes words in byte arrays, at any position, in Parquet's byte order. */
public final class LittleEndian {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  public static long getLong(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public static int getInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  public static void putInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }
}
