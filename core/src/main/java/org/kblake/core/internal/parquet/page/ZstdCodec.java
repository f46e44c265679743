package org.kblake.core.internal.parquet.page;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/** Zstandard, by the native library or by Java. Safe for many threads. */
interface ZstdCodec {

  /**
   * Decompresses the bytes between a buffer's position and limit. Both stay unchanged.
   *
   * @param from a direct buffer
   * @return the number of bytes written
   * @throws MalformedPageException if the bytes are damaged, or decompress to more than {@code
   *     room} bytes
   */
  int decompress(ByteBuffer from, byte[] into, int room) throws MalformedPageException;

  /** Returns the largest number of bytes that so many bytes can become. */
  int bound(int plainBytes);

  /**
   * Compresses the first bytes of an array.
   *
   * @param into has {@link #bound} bytes after {@code offset}
   * @return the number of bytes written
   */
  int compress(byte[] from, int length, byte[] into, int offset);

  /** Returns a stream that compresses, and closes {@code out}. */
  OutputStream stream(OutputStream out) throws IOException;
}
