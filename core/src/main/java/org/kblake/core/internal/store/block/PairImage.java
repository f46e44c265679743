package org.kblake.core.internal.store.block;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The data of a pair that a block stores besides the events: the record table, the identity of the
 * pair, and for a closed pair all that is needed to write both files again.
 *
 * @param stamp the pair
 * @param indexHead the index file's bytes before the milestone table
 * @param firstMilestoneSha256 the SHA-256 of the log's first event
 * @param milestoneIntervalNanos the median interval of the milestones in the index when the block
 *     was made
 * @param closing the end of the pair, or null if the pair may still grow or the block does not
 *     contain its end
 */
public record PairImage(
    String stamp,
    byte[] indexHead,
    byte[] firstMilestoneSha256,
    long milestoneIntervalNanos,
    @Nullable Closing closing) {

  /**
   * The end of a closed pair.
   *
   * @param logBytes the size of the log file
   * @param indexTail the index file's bytes from the milestone table to the end
   * @param logModifiedNanos the log's modification time, nanoseconds since 1970 UTC
   * @param indexModifiedNanos the index's modification time, nanoseconds since 1970 UTC
   */
  public record Closing(
      long logBytes, byte[] indexTail, long logModifiedNanos, long indexModifiedNanos) {}

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(stamp);
    writeBytes(out, indexHead);
    writeBytes(out, firstMilestoneSha256);
    out.writeLong(milestoneIntervalNanos);
    out.writeBoolean(closing != null);
    if (closing != null) {
      out.writeLong(closing.logBytes);
      writeBytes(out, closing.indexTail);
      out.writeLong(closing.logModifiedNanos);
      out.writeLong(closing.indexModifiedNanos);
    }
  }

  static PairImage read(DataInputStream in) throws IOException {
    String stamp = in.readUTF();
    byte[] indexHead = readBytes(in);
    byte[] firstMilestoneSha256 = readBytes(in);
    long interval = in.readLong();
    Closing closing =
        in.readBoolean()
            ? new Closing(in.readLong(), readBytes(in), in.readLong(), in.readLong())
            : null;
    return new PairImage(stamp, indexHead, firstMilestoneSha256, interval, closing);
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("length " + length + " in a section with " + in.available() + " left");
    }
    return in.readNBytes(length);
  }
}
