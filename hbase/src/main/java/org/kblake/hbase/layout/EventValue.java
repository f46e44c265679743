package org.kblake.hbase.layout;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.layout.Elements;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * The value of an event's cell, big-endian.
 *
 * <pre>
 *   kind (1) | severity (1) | status (2) | elements
 *
 *   kind      bits 0 to 2: {@link ValueType}, bit 3: 1 for a list, bits 4 and 5: {@link EventState},
 *             bit 6: 1 for a stray
 *   elements  none without a value
 *             numbers: each in the bytes of its type
 *             a string: its UTF-8
 *             a list of strings: each as its number of bytes (1) and its UTF-8
 * </pre>
 *
 * @param type the type of elements
 * @param waveform whether the value is a list
 * @param state the state
 * @param severity 0 to 3
 * @param status 0 to 65535
 * @param stray whether the time lies outside of the segment's span
 * @param bits the elements of a number, as in {@link EventColumns#values}; empty for strings
 * @param texts the elements of a string as UTF-8; empty for numbers
 */
public record EventValue(
    ValueType type,
    boolean waveform,
    EventState state,
    int severity,
    int status,
    boolean stray,
    long[] bits,
    byte[][] texts) {

  private static final int HEAD_BYTES = 4;
  private static final int WAVEFORM = 1 << 3;
  private static final int STATE_SHIFT = 4;
  private static final int STRAY = 1 << 6;
  private static final int TYPE_MASK = 7;
  private static final int STATE_MASK = 3;
  private static final int MAX_SEVERITY = 3;

  /** Returns the bytes of a row's value. */
  public static int bytes(EventColumns columns, int row) {
    if (!columns.hasValue(row)) {
      return HEAD_BYTES;
    }
    int from = columns.waveform() ? columns.listStarts[row] : row;
    int to = columns.waveform() ? columns.listStarts[row + 1] : row + 1;
    if (columns.type() != ValueType.STRING) {
      return HEAD_BYTES + (to - from) * columns.type().bytes();
    }
    int text = columns.textStarts[to] - columns.textStarts[from];
    return HEAD_BYTES + text + (columns.waveform() ? to - from : 0);
  }

  /** Writes the value of a row: {@link #bytes} bytes. */
  public static void put(ByteBuffer out, EventColumns columns, int row) {
    int kind =
        columns.type().code()
            | (columns.waveform() ? WAVEFORM : 0)
            | columns.state[row] << STATE_SHIFT
            | (columns.stray[row] == 0 ? 0 : STRAY);
    out.put((byte) kind).put(columns.severity[row]).putShort(columns.status[row]);
    if (!columns.hasValue(row)) {
      return;
    }
    int from = columns.waveform() ? columns.listStarts[row] : row;
    int to = columns.waveform() ? columns.listStarts[row + 1] : row + 1;
    for (int element = from; element < to; element++) {
      if (columns.type() == ValueType.STRING) {
        int start = columns.textStarts[element];
        int length = columns.textStarts[element + 1] - start;
        if (columns.waveform()) {
          out.put((byte) length);
        }
        out.put(columns.text, start, length);
      } else {
        Elements.putBits(columns.type(), out, out.position(), columns.values[element]);
        out.position(out.position() + columns.type().bytes());
      }
    }
  }

  /**
   * Reads a value.
   *
   * @param row the key of its row, for messages
   * @throws CorruptRowException if the bytes are not those of a value
   */
  public static EventValue of(byte[] value, byte[] row) throws CorruptRowException {
    if (value.length < HEAD_BYTES) {
      throw new CorruptRowException("a value is too short", row);
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    int kind = Byte.toUnsignedInt(in.get());
    int severity = Byte.toUnsignedInt(in.get());
    int status = Short.toUnsignedInt(in.getShort());
    int type = kind & TYPE_MASK;
    int state = kind >> STATE_SHIFT & STATE_MASK;
    if (type >= ValueType.count()
        || state > EventState.VALUE_CODE
        || severity > MAX_SEVERITY
        || kind > (STRAY | STRAY - 1)) {
      throw new CorruptRowException("a value has an unknown kind", row);
    }
    ValueType valueType = ValueType.of(type);
    boolean waveform = (kind & WAVEFORM) != 0;
    boolean isText = valueType == ValueType.STRING;
    boolean hasValue = state == EventState.VALUE_CODE;
    return new EventValue(
        valueType,
        waveform,
        EventState.of(state),
        severity,
        status,
        (kind & STRAY) != 0,
        hasValue && !isText ? numbers(in, valueType, waveform, row) : new long[0],
        hasValue && isText ? texts(value, waveform, row) : new byte[0][]);
  }

  private static long[] numbers(ByteBuffer in, ValueType type, boolean waveform, byte[] row)
      throws CorruptRowException {
    long[] bits = new long[in.remaining() / type.bytes()];
    if (in.remaining() % type.bytes() != 0 || bits.length == 0 || !waveform && bits.length > 1) {
      throw new CorruptRowException("a value has a wrong length", row);
    }
    Elements.copyBits(type, in, in.position(), bits.length, bits, 0);
    return bits;
  }

  private static byte[][] texts(byte[] value, boolean waveform, byte[] row)
      throws CorruptRowException {
    if (!waveform) {
      return new byte[][] {Arrays.copyOfRange(value, HEAD_BYTES, value.length)};
    }
    ByteBuffer in = ByteBuffer.wrap(value).position(HEAD_BYTES);
    byte[][] texts = new byte[4][];
    int count = 0;
    while (in.hasRemaining()) {
      int length = Byte.toUnsignedInt(in.get());
      if (length > in.remaining()) {
        throw new CorruptRowException("a value has a wrong length", row);
      }
      if (count == texts.length) {
        texts = Arrays.copyOf(texts, 2 * count);
      }
      texts[count] = new byte[length];
      in.get(texts[count++]);
    }
    if (count == 0) {
      throw new CorruptRowException("a value has a wrong length", row);
    }
    return Arrays.copyOf(texts, count);
  }

  /** Returns whether the bytes of a value are those of a stray. */
  public static boolean isStray(byte[] value) {
    return value.length > 0 && (value[0] & STRAY) != 0;
  }

  /** Returns the number of elements; 0 without a value. */
  public int elements() {
    return type == ValueType.STRING ? texts.length : bits.length;
  }
}
