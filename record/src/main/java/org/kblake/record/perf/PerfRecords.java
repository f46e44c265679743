package org.kblake.record.perf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The records that {@code perf record -o -} writes: a header of 16 bytes, then records, each with
 * its type (4 bytes), flags (2) and size (2), in the order of bytes of the machine.
 */
final class PerfRecords {

  private static final long MAGIC = 0x32454C4946524550L;
  private static final int FILE_HEADER = 16;
  private static final int HEADER = 8;
  private static final int SIZE_OFFSET = 6;
  private static final int LARGEST_RECORD = 0xFFFF;

  private static final int LOST = 2;
  private static final int THROTTLE = 5;
  private static final int SAMPLE = 9;
  private static final int LOST_SAMPLES = 13;
  private static final int ATTRIBUTE = 64;
  private static final int MOST_TYPES = 256;
  private static final int LOST_OFFSET = HEADER + 8;

  private final InputStream in;
  private final PerfHandler handler;
  private final PerfSample sample = new PerfSample();
  private ByteBuffer bytes = ByteBuffer.allocate(4 * LARGEST_RECORD);
  private int length;
  private @Nullable PerfLayout layout;

  /**
   * @param in is not closed
   */
  PerfRecords(InputStream in, PerfHandler handler) {
    this.in = in;
    this.handler = handler;
  }

  /**
   * Hands out all records, up to the end. A last record that is cut is left out.
   *
   * @throws MalformedPerfException if the bytes are no records
   */
  void readAll() throws IOException {
    int at = 0;
    boolean isBegun = false;
    while (fill(at)) {
      at = 0;
      if (!isBegun && length >= FILE_HEADER) {
        at = header();
        isBegun = true;
      }
      if (isBegun) {
        at = handOut(at);
        handler.endOfBatch();
      }
    }
  }

  /** Moves what is left to the begin, and reads on. Returns false at the end. */
  private boolean fill(int from) throws IOException {
    System.arraycopy(bytes.array(), from, bytes.array(), 0, length - from);
    length -= from;
    int read = in.read(bytes.array(), length, bytes.capacity() - length);
    length += Math.max(0, read);
    return read > 0;
  }

  private int header() throws MalformedPerfException {
    bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getLong(0) != MAGIC) {
      bytes = bytes.order(ByteOrder.BIG_ENDIAN);
    }
    if (bytes.getLong(0) != MAGIC || bytes.getLong(HEADER) != FILE_HEADER) {
      throw new MalformedPerfException("the output of perf does not begin with PERFILE2");
    }
    return FILE_HEADER;
  }

  /** Hands out whole records. Returns where the first one begins that is not whole. */
  private int handOut(int from) throws MalformedPerfException {
    int at = from;
    while (length - at >= HEADER) {
      int type = bytes.getInt(at);
      int size = bytes.getShort(at + SIZE_OFFSET) & 0xFFFF;
      if (size < HEADER || type < 0 || type >= MOST_TYPES) {
        throw new MalformedPerfException(
            "bytes of perf are no record: type=" + type + ", bytes=" + size);
      }
      if (length - at < size) {
        break;
      }
      handOut(type, at, size);
      at += size;
    }
    return at;
  }

  private void handOut(int type, int at, int size) throws MalformedPerfException {
    PerfLayout known = layout;
    if (type == ATTRIBUTE && known == null) {
      layout = PerfLayout.of(bytes, at, size);
    } else if (type == SAMPLE) {
      if (known == null) {
        throw new MalformedPerfException("perf does not describe its samples");
      }
      known.read(bytes, at, size, sample);
      handler.sample(sample);
    } else if (known != null && type == LOST && size >= LOST_OFFSET + 8) {
      handler.lost(known.core(bytes, at, size), bytes.getLong(at + LOST_OFFSET));
    } else if (known != null && type == LOST_SAMPLES && size >= HEADER + 8) {
      handler.lost(known.core(bytes, at, size), bytes.getLong(at + HEADER));
    } else if (known != null && type == THROTTLE) {
      handler.lost(known.core(bytes, at, size), PerfHandler.UNKNOWN);
    }
  }
}
