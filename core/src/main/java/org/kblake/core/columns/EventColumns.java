package org.kblake.core.columns;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * A batch of events of one value type as reused columns. Scans and decoders fill it, encoders and
 * answers read it. There is no object per event. The arrays are public for speed. They belong to
 * the batch, and are valid until it is filled again. {@link #asDouble}, {@link #asLong}, {@link
 * #asText} and {@link #asDoubles} return the value of a row whatever its type is.
 *
 * <pre>
 *   row         0        1        2   ..  count
 *   values      v0       v1       v2            scalars: one element a row, at the row's index
 *   listStarts  0    e0       e1      ..        waveforms: elements of row i are [i], [i+1)
 *   textStarts  0    t0       t1      ..        strings: bytes of element e in text are [e], [e+1)
 * </pre>
 *
 * A row whose state is not value has a zero scalar, an empty text, or no elements.
 */
public final class EventColumns {

  /** The number of rows of a full page. Most batches have as many. */
  public static final int PAGE_ROWS = 4096;

  private final ValueType type;
  private final boolean waveform;

  /** The number of rows in use. */
  public int count;

  /** Event times, nanoseconds since 1970 UTC. */
  public long[] timeNanos;

  /** Codes of {@link org.kblake.core.model.EventState}. */
  public byte[] state;

  /** EPICS {@code menuAlarmSevr}, 0 to 3. */
  public byte[] severity;

  /** EPICS {@code menuAlarmStat}, unsigned. */
  public short[] status;

  /** 1 if the event's time lies outside its segment's span, otherwise 0. */
  public byte[] stray;

  /** Ordinal of the event's segment. In a block it is counted from the block's first segment. */
  public int[] segment;

  /**
   * Nanoseconds from the event's time to the latest time before it in log order in its segment, at
   * least 0.
   */
  public long[] latenessNanos;

  /** Rank in log order among the segment's events of equal time + lateness. */
  public int[] tie;

  /**
   * Elements of every type except string: the bits of a double or float, or the integer itself.
   * Short and long are sign-extended, enum and char are zero-extended.
   */
  public long[] values;

  /** Waveforms only: the index of each row's first element; {@code count + 1} in use. */
  public int[] listStarts;

  /** Strings only: the index of each element's first byte in {@link #text}; elements + 1 in use. */
  public int[] textStarts;

  /** Strings only: well-formed UTF-8, no terminator. */
  public byte[] text;

  /**
   * @param type the type of every element
   * @param waveform whether rows hold lists of elements
   * @param rows the initial capacity in rows
   */
  public EventColumns(ValueType type, boolean waveform, int rows) {
    this.type = type;
    this.waveform = waveform;
    timeNanos = new long[rows];
    state = new byte[rows];
    severity = new byte[rows];
    status = new short[rows];
    stray = new byte[rows];
    segment = new int[rows];
    latenessNanos = new long[rows];
    tie = new int[rows];
    values = type == ValueType.STRING ? new long[0] : new long[rows];
    listStarts = waveform ? new int[rows + 1] : new int[0];
    textStarts = type == ValueType.STRING ? new int[rows + 1] : new int[0];
    text = type == ValueType.STRING ? new byte[rows * 16] : new byte[0];
  }

  /** Returns the type of every element. */
  public ValueType type() {
    return type;
  }

  /** Returns whether rows hold lists of elements. */
  public boolean waveform() {
    return waveform;
  }

  /** Returns the capacity in rows. */
  public int capacity() {
    return timeNanos.length;
  }

  /**
   * Returns the number of elements in use: rows for scalars, the sum of the lists' lengths for
   * waveforms.
   */
  public int elements() {
    return waveform ? listStarts[count] : count;
  }

  /** Returns whether the event of a row has a value. Connection events have none. */
  public boolean hasValue(int row) {
    return state[row] == EventState.VALUE_CODE;
  }

  /**
   * Returns the number of a row. A double represents the numbers of each type exactly. Of an enum
   * it is the index of the choice.
   *
   * @throws IllegalStateException if the row has no value, a string, or a list
   */
  public double asDouble(int row) {
    return type.number(values[scalar(row)]);
  }

  /**
   * Returns the integer of a row: a short, enum, char or long.
   *
   * @throws IllegalStateException if the row has no value, or its value is not an integer
   */
  public long asLong(int row) {
    if (!type.isInteger()) {
      throw new IllegalStateException("a " + type.text() + " is not an integer");
    }
    return values[scalar(row)];
  }

  /**
   * Returns the value of a row as text: a string as it is, a float or double with as many digits as
   * distinguish it from its neighbours, a list as {@code [1.0, 2.0]}.
   *
   * @throws IllegalStateException if the row has no value
   */
  public String asText(int row) {
    return value(row).toString();
  }

  /**
   * Returns the numbers of a row: the elements of a list, or a scalar alone.
   *
   * @return a new array; empty for an empty list
   * @throws IllegalStateException if the row has no value, or its elements are strings
   */
  public double[] asDoubles(int row) {
    requireNumbers();
    double[] numbers = new double[elementsEnd(row) - elementsStart(row)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = type.number(values[elementsStart(row) + i]);
    }
    return numbers;
  }

  /**
   * Returns the value of a row: {@link String}; {@link Integer} for short, enum, char and long;
   * {@link Float}; {@link Double}; or a {@link List} of these.
   *
   * @throws IllegalStateException if the row has no value
   */
  public Object value(int row) {
    int start = elementsStart(row);
    if (!waveform) {
      return element(start);
    }
    List<Object> list = new ArrayList<>();
    for (int element = start; element < elementsEnd(row); element++) {
      list.add(element(element));
    }
    return list;
  }

  private Object element(int element) {
    return switch (type) {
      case STRING ->
          new String(
              text,
              textStarts[element],
              textStarts[element + 1] - textStarts[element],
              StandardCharsets.UTF_8);
      case SHORT, ENUM, CHAR, LONG -> (int) values[element];
      // Not by a double: this would change the bits of a signaling NaN.
      case FLOAT -> Float.intBitsToFloat((int) values[element]);
      case DOUBLE -> type.number(values[element]);
    };
  }

  private int scalar(int row) {
    if (waveform) {
      throw new IllegalStateException("the row has a list: use asDoubles, asText or value");
    }
    requireNumbers();
    return elementsStart(row);
  }

  private void requireNumbers() {
    if (type == ValueType.STRING) {
      throw new IllegalStateException("a string is not a number: use asText or value");
    }
  }

  /** Returns the index of the first element of a row, after a check that the row has a value. */
  private int elementsStart(int row) {
    if (!hasValue(row)) {
      throw new IllegalStateException(
          "the row has no value: state=" + EventState.of(state[row]).text() + ", row=" + row);
    }
    return waveform ? listStarts[row] : row;
  }

  private int elementsEnd(int row) {
    return waveform ? listStarts[row + 1] : row + 1;
  }

  /** Ensures capacity for a number of rows. Existing rows are kept. */
  public void ensureRows(int rows) {
    if (rows <= timeNanos.length) {
      return;
    }
    int size = Math.max(rows, timeNanos.length + (timeNanos.length >> 1));
    timeNanos = Arrays.copyOf(timeNanos, size);
    state = Arrays.copyOf(state, size);
    severity = Arrays.copyOf(severity, size);
    status = Arrays.copyOf(status, size);
    stray = Arrays.copyOf(stray, size);
    segment = Arrays.copyOf(segment, size);
    latenessNanos = Arrays.copyOf(latenessNanos, size);
    tie = Arrays.copyOf(tie, size);
    if (waveform) {
      listStarts = Arrays.copyOf(listStarts, size + 1);
    } else {
      ensureElements(size);
    }
  }

  /** Ensures capacity for a number of elements. Existing elements are kept. */
  public void ensureElements(int elements) {
    if (type == ValueType.STRING) {
      if (elements + 1 > textStarts.length) {
        textStarts = Arrays.copyOf(textStarts, Math.max(elements + 1, textStarts.length * 3 / 2));
      }
    } else if (elements > values.length) {
      values = Arrays.copyOf(values, Math.max(elements, values.length * 3 / 2));
    }
  }

  /** Ensures capacity for a number of bytes of text. Existing text is kept. */
  public void ensureText(int bytes) {
    if (bytes > text.length) {
      text = Arrays.copyOf(text, Math.max(bytes, text.length * 3 / 2));
    }
  }

  /** Appends the rows [from, to) of columns of the same type. They are copied, array by array. */
  public void append(EventColumns source, int from, int to) {
    int at = count;
    int length = to - from;
    ensureRows(at + length);
    System.arraycopy(source.timeNanos, from, timeNanos, at, length);
    System.arraycopy(source.state, from, state, at, length);
    System.arraycopy(source.severity, from, severity, at, length);
    System.arraycopy(source.status, from, status, at, length);
    System.arraycopy(source.stray, from, stray, at, length);
    System.arraycopy(source.segment, from, segment, at, length);
    System.arraycopy(source.latenessNanos, from, latenessNanos, at, length);
    System.arraycopy(source.tie, from, tie, at, length);

    int firstElement = source.waveform() ? source.listStarts[from] : from;
    int elements = source.waveform() ? source.listStarts[to] - firstElement : length;
    int elementAt = waveform() ? listStarts[at] : at;
    ensureElements(Math.addExact(elementAt, elements));
    if (source.type() == ValueType.STRING) {
      appendTexts(source, firstElement, elements, elementAt);
    } else {
      System.arraycopy(source.values, firstElement, values, elementAt, elements);
    }
    if (source.waveform()) {
      appendStarts(source.listStarts, from, length, listStarts, at);
    }
    count = at + length;
  }

  private void appendTexts(EventColumns source, int firstElement, int elements, int elementAt) {
    int firstByte = source.textStarts[firstElement];
    int bytes = source.textStarts[firstElement + elements] - firstByte;
    int byteAt = textStarts[elementAt];
    ensureText(Math.addExact(byteAt, bytes));
    System.arraycopy(source.text, firstByte, text, byteAt, bytes);
    appendStarts(source.textStarts, firstElement, elements, textStarts, elementAt);
  }

  /** Appends the starts of {@code length} elements, shifted to continue after the existing ones. */
  private static void appendStarts(int[] source, int from, int length, int[] into, int at) {
    int by = into[at] - source[from];
    for (int i = 1; i <= length; i++) {
      into[at + i] = source[from + i] + by;
    }
  }
}
