package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.layout.Elements;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.RowMemory.Slab;

/**
 * The values of strings and waveforms, one after the other in slabs.
 *
 * <pre>
 *   WAVEFORM OF NUMBERS  elements i32 | element * elements, of the type's width
 *   STRINGS              elements i32 | (bytes u16 | UTF-8) * elements
 * </pre>
 *
 * Many threads may read after the last value was added.
 */
final class ValueSlabs {

  private final RowMemory memory;
  private final List<Slab> slabs = new ArrayList<>();
  private int end;

  ValueSlabs(RowMemory memory) {
    this.memory = memory;
  }

  /** Returns the bytes that a row's value takes in {@link EventColumns}. */
  static long columnBytes(EventColumns from, int row) {
    int first = from.waveform() ? from.listStarts[row] : row;
    int elements = from.waveform() ? from.listStarts[row + 1] - first : 1;
    return from.type() == ValueType.STRING
        ? from.textStarts[first + elements] - from.textStarts[first] + elements * 4L
        : elements * (long) Long.BYTES;
  }

  /**
   * Stores the value of a row.
   *
   * @return its address: slab number in the high 32 bits, offset in the low 32 bits
   */
  long add(EventColumns from, int row) throws IOException {
    int first = from.waveform() ? from.listStarts[row] : row;
    int elements = from.waveform() ? from.listStarts[row + 1] - first : 1;
    boolean text = from.type() == ValueType.STRING;
    int textBytes = text ? from.textStarts[first + elements] - from.textStarts[first] : 0;
    int bytes =
        Integer.BYTES
            + (text ? elements * Short.BYTES + textBytes : elements * from.type().bytes());
    ByteBuffer value = room(bytes);
    value.putInt(end, elements);
    if (text) {
      putTexts(from, first, elements, value, end + Integer.BYTES);
    } else {
      putNumbers(from.type(), from.values, first, elements, value, end + Integer.BYTES);
    }
    long bits = (long) (slabs.size() - 1) << 32 | end;
    end += bytes;
    return bits;
  }

  private static void putTexts(
      EventColumns from, int first, int elements, ByteBuffer to, int toAt) {
    int at = toAt;
    for (int i = first; i < first + elements; i++) {
      int start = from.textStarts[i];
      int length = from.textStarts[i + 1] - start;
      to.putShort(at, (short) length);
      to.put(at + Short.BYTES, from.text, start, length);
      at += Short.BYTES + length;
    }
  }

  private static void putNumbers(
      ValueType type, long[] from, int first, int elements, ByteBuffer to, int at) {
    switch (type.bytes()) {
      case Long.BYTES -> {
        for (int i = 0; i < elements; i++) {
          to.putLong(at + i * Long.BYTES, from[first + i]);
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < elements; i++) {
          to.putInt(at + i * Integer.BYTES, (int) from[first + i]);
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < elements; i++) {
          to.putShort(at + i * Short.BYTES, (short) from[first + i]);
        }
      }
      default -> {
        for (int i = 0; i < elements; i++) {
          to.put(at + i, (byte) from[first + i]);
        }
      }
    }
  }

  private ByteBuffer room(int bytes) throws IOException {
    Slab slab = slabs.isEmpty() ? null : slabs.get(slabs.size() - 1);
    if (slab == null || slab.bytes().capacity() - end < bytes) {
      slab = memory.slab(bytes);
      slabs.add(slab);
      end = 0;
    }
    return slab.bytes();
  }

  /**
   * Copies a value into a row of columns. Earlier rows must be filled.
   *
   * @param address the address that {@link #add} returned
   * @param present whether there is a value; if not, the row gets an empty one
   */
  void read(long address, boolean present, EventColumns into, int row) {
    boolean text = into.type() == ValueType.STRING;
    int element = into.waveform() ? into.listStarts[row] : row;
    if (!present) {
      if (into.waveform()) {
        into.listStarts[row + 1] = element;
      } else {
        into.textStarts[row + 1] = into.textStarts[row];
      }
      return;
    }
    ByteBuffer value = slabs.get((int) (address >>> 32)).bytes();
    int at = (int) address;
    int elements = value.getInt(at);
    at += Integer.BYTES;
    into.ensureElements(element + elements);
    if (text) {
      getTexts(value, at, elements, into, element);
    } else {
      Elements.copyBits(into.type(), value, at, elements, into.values, element);
    }
    if (into.waveform()) {
      into.listStarts[row + 1] = element + elements;
    }
  }

  private static void getTexts(
      ByteBuffer from, int fromAt, int elements, EventColumns into, int element) {
    int at = fromAt;
    for (int i = element; i < element + elements; i++) {
      int bytes = from.getShort(at);
      int start = into.textStarts[i];
      into.ensureText(start + bytes);
      from.get(at + Short.BYTES, into.text, start, bytes);
      into.textStarts[i + 1] = start + bytes;
      at += Short.BYTES + bytes;
    }
  }

  /** Removes all values, and returns the memory to the budget. */
  void clear() {
    slabs.forEach(memory::release);
    slabs.clear();
    end = 0;
  }
}
