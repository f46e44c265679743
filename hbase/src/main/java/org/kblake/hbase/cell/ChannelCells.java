package org.kblake.hbase.cell;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.kblake.core.columns.EventColumns;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;

/**
 * The cells of one channel, in one array.
 *
 * <pre>
 *   data    place | value | place | value ...     place: a key without the channel
 *   starts  ^       ^       ^       ^             two for each cell
 * </pre>
 */
final class ChannelCells {

  private static final int FIRST_BYTES = 512;
  private static final int FIRST_STARTS = 32;

  private final byte[] prefix;
  private ByteBuffer data = ByteBuffer.allocate(FIRST_BYTES);
  private int[] starts = new int[FIRST_STARTS];
  private int cells;
  private boolean sorted = true;

  /**
   * @param prefix the first bytes of the channel's keys; kept
   */
  ChannelCells(byte[] prefix) {
    this.prefix = prefix;
  }

  byte[] prefix() {
    return prefix;
  }

  /** Returns the bytes of memory. */
  long bytes() {
    return data.capacity() + (long) Integer.BYTES * starts.length;
  }

  int cells() {
    return cells;
  }

  /** Adds the event of a row. */
  void add(EventColumns columns, int row, long stamp, long offset) {
    int valueBytes = EventValue.bytes(columns, row);
    ensure(EventKey.MAX_PLACE_BYTES + valueBytes);
    starts[2 * cells] = data.position();
    EventKey.putPlace(
        data, columns.timeNanos[row], stamp, offset, columns.latenessNanos[row], columns.tie[row]);
    starts[2 * cells + 1] = data.position();
    EventValue.put(data, columns, row);
    cells++;
    starts[2 * cells] = data.position();
    sorted = sorted && (cells == 1 || compare(cells - 2, cells - 1) < 0);
  }

  private void ensure(int bytes) {
    if (bytes > data.remaining()) {
      int size =
          Math.toIntExact(Math.max(data.position() + (long) bytes, data.capacity() * 3L / 2));
      data = ByteBuffer.wrap(Arrays.copyOf(data.array(), size)).position(data.position());
    }
    if (2 * cells + 3 > starts.length) {
      starts = Arrays.copyOf(starts, starts.length * 3 / 2);
    }
  }

  private int compare(int one, int other) {
    byte[] bytes = data.array();
    return Arrays.compareUnsigned(
        bytes,
        starts[2 * one],
        starts[2 * one + 1],
        bytes,
        starts[2 * other],
        starts[2 * other + 1]);
  }

  /** Returns the cells in the order of their keys. */
  int[] order() {
    return sorted
        ? IntStream.range(0, cells).toArray()
        : IntStream.range(0, cells).boxed().sorted(this::compare).mapToInt(i -> i).toArray();
  }

  /** Copies the key of a cell. Returns its bytes. */
  int copyRow(int cell, byte[] target) {
    int place = starts[2 * cell + 1] - starts[2 * cell];
    System.arraycopy(prefix, 0, target, 0, prefix.length);
    System.arraycopy(data.array(), starts[2 * cell], target, prefix.length, place);
    return prefix.length + place;
  }

  byte[] data() {
    return data.array();
  }

  int valueAt(int cell) {
    return starts[2 * cell + 1];
  }

  int valueBytes(int cell) {
    return starts[2 * cell + 2] - starts[2 * cell + 1];
  }
}
