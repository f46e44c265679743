package org.kblake.core.internal.parquet.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;

/**
 * The bytes of one read. Ranges of the file are requested in ascending order. Ranges that are close
 * to each other are read together. All are read into one reused buffer.
 */
public final class FetchedBytes {

  /** Reading this number of unused bytes costs less than another read. */
  private static final int SMALL_GAP = 1 << 14;

  private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private long[] offsets = new long[8];
  private long[] ends = new long[8];
  private int[] places = new int[8];
  private int ranges;

  public void begin() {
    ranges = 0;
  }

  /**
   * Requests a range, which must not begin before an earlier one.
   *
   * @param gap the largest number of unrequested bytes between this range and the previous one with
   *     which both are read together
   */
  public void request(long offset, long bytes, int gap) {
    long reach = Math.max(gap, SMALL_GAP);
    if (ranges > 0 && offset - ends[ranges - 1] <= reach) {
      ends[ranges - 1] = Math.max(ends[ranges - 1], offset + bytes);
      return;
    }
    if (ranges == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * ranges);
      ends = Arrays.copyOf(ends, 2 * ranges);
      places = Arrays.copyOf(places, 2 * ranges);
    }
    offsets[ranges] = offset;
    ends[ranges] = offset + bytes;
    ranges++;
  }

  /** Reads the requested ranges. */
  public void read(ByteSource source) throws IOException {
    long total = 0;
    for (int i = 0; i < ranges; i++) {
      total += ends[i] - offsets[i];
    }
    if (total > buffer.capacity()) {
      grow(source, total);
    }
    int place = 0;
    for (int i = 0; i < ranges; i++) {
      int length = (int) (ends[i] - offsets[i]);
      places[i] = place;
      buffer.limit(place + length).position(place);
      source.read(offsets[i], buffer);
      place += length;
    }
    buffer.clear();
  }

  private void grow(ByteSource source, long total) throws IOException {
    long size = source.size();
    for (int i = 0; i < ranges; i++) {
      if (ends[i] > size) {
        throw new CorruptBlockException(
            source.file(), size, "the end of the file", "pages up to " + ends[i]);
      }
    }
    if (total > Integer.MAX_VALUE - 8) {
      throw new CorruptBlockException(
          source.file(), offsets[0], "pages of " + total + " bytes", "below 2 GiB");
    }
    long capacity = Math.min(Integer.MAX_VALUE - 8, total + (total >> 2));
    buffer = ByteBuffer.allocateDirect((int) capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the buffer with the bytes that were read. The caller sets position and limit. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Returns the index in the buffer of the byte at a file offset, which must have been requested.
   */
  public int place(long offset) {
    for (int i = 0; i < ranges; i++) {
      if (offset >= offsets[i] && offset <= ends[i]) {
        return places[i] + (int) (offset - offsets[i]);
      }
    }
    throw new IllegalStateException("offset was not read: " + offset);
  }
}
