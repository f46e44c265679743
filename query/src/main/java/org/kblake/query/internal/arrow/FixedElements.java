package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/** Elements of a fixed width. */
final class FixedElements implements ElementBuffers {

  /**
   * Copies elements into an Arrow buffer. Elements are first converted to their width in arrays of
   * a few kilobytes. These loops compile to vector instructions, and a bulk put compiles to a
   * memory copy. Single puts into a buffer do not.
   */
  interface Copier {
    int SCRATCH = 1024;

    /** Returns the bytes of an element in the buffer. */
    int width();

    /**
     * @param from the first element of the rows
     * @param at its position in the buffer, in bytes
     */
    void copy(EventColumns rows, int from, int count, ByteBuffer into, int at);
  }

  private final BatchBuffer data;
  private final Copier copier;
  private int count;

  FixedElements(BufferAllocator allocator, Copier copier) {
    data = new BatchBuffer(allocator);
    this.copier = copier;
  }

  /** Returns the copier of values in their own type. */
  static Copier narrowing(ValueType type) {
    return switch (type) {
      case DOUBLE -> new ToLongs();
      case FLOAT, LONG -> new ToInts();
      case SHORT, ENUM -> new ToShorts();
      case CHAR -> new ToBytes();
      case STRING -> throw new IllegalArgumentException("text has no fixed width");
    };
  }

  @Override
  public void begin(int capacity) {
    data.begin(Math.multiplyExact(capacity, copier.width()));
    count = 0;
  }

  @Override
  public void append(EventColumns rows, int from, int to) {
    int width = copier.width();
    int used = count * width;
    data.ensure(used, Math.addExact(used, Math.multiplyExact(to - from, width)));
    copier.copy(rows, from, to - from, data.bytes(), used);
    count += to - from;
  }

  @Override
  public void appendZeros(int more) {
    int width = copier.width();
    int used = count * width;
    int length = Math.multiplyExact(more, width);
    data.ensure(used, Math.addExact(used, length));
    BufferWrites.zeros(length, data.bytes(), used);
    count += more;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public void addBuffers(List<ArrowBuf> buffers) {
    buffers.add(data.filled((long) count * copier.width()));
  }

  @Override
  public void close() {
    data.close();
  }

  private static final class ToLongs implements Copier {
    @Override
    public int width() {
      return Long.BYTES;
    }

    @Override
    public void copy(EventColumns rows, int from, int count, ByteBuffer into, int at) {
      BufferWrites.longs(rows.values, from, count, into, at);
    }
  }

  private static final class ToInts implements Copier {
    private final int[] scratch = new int[SCRATCH];

    @Override
    public int width() {
      return Integer.BYTES;
    }

    @Override
    public void copy(EventColumns rows, int from, int count, ByteBuffer into, int at) {
      long[] values = rows.values;
      for (int done = 0; done < count; done += SCRATCH) {
        int length = Math.min(SCRATCH, count - done);
        for (int i = 0; i < length; i++) {
          scratch[i] = (int) values[from + done + i];
        }
        BufferWrites.ints(scratch, 0, length, into, at + done * Integer.BYTES);
      }
    }
  }

  private static final class ToShorts implements Copier {
    private final short[] scratch = new short[SCRATCH];

    @Override
    public int width() {
      return Short.BYTES;
    }

    @Override
    public void copy(EventColumns rows, int from, int count, ByteBuffer into, int at) {
      long[] values = rows.values;
      for (int done = 0; done < count; done += SCRATCH) {
        int length = Math.min(SCRATCH, count - done);
        for (int i = 0; i < length; i++) {
          scratch[i] = (short) values[from + done + i];
        }
        BufferWrites.shorts(scratch, 0, length, into, at + done * Short.BYTES);
      }
    }
  }

  private static final class ToBytes implements Copier {
    private final byte[] scratch = new byte[SCRATCH];

    @Override
    public int width() {
      return Byte.BYTES;
    }

    @Override
    public void copy(EventColumns rows, int from, int count, ByteBuffer into, int at) {
      long[] values = rows.values;
      for (int done = 0; done < count; done += SCRATCH) {
        int length = Math.min(SCRATCH, count - done);
        for (int i = 0; i < length; i++) {
          scratch[i] = (byte) values[from + done + i];
        }
        into.put(at + done, scratch, 0, length);
      }
    }
  }
}
