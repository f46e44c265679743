package org.kblake.transfer.message;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * What a builder has of a file.
 *
 * @param bytes the file's size
 * @param checksum the CRC32C of its overlap: its last {@value #OVERLAP_BYTES} bytes, or all
 */
public record FilePosition(long bytes, int checksum) {

  /** The most bytes at the end of a file that are compared. */
  public static final int OVERLAP_BYTES = 1 << 16;

  /** The position in a file that does not exist, or is empty. */
  public static final FilePosition NONE = new FilePosition(0, 0);

  /** Returns the position at a number of bytes, which the file must have. */
  public static FilePosition of(FileChannel file, long bytes) throws IOException {
    int overlap = (int) Math.min(bytes, OVERLAP_BYTES);
    ByteBuffer buffer = ByteBuffer.allocate(overlap);
    while (buffer.hasRemaining()) {
      if (file.read(buffer, bytes - buffer.remaining()) < 0) {
        throw new EOFException("the file became shorter");
      }
    }
    CRC32C sum = new CRC32C();
    sum.update(buffer.flip());
    return new FilePosition(bytes, (int) sum.getValue());
  }
}
