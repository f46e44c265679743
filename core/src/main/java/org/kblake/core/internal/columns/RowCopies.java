package org.kblake.core.internal.columns;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

/** Copies rows into other columns of the same type, array by array. */
public final class RowCopies {

  private RowCopies() {}

  /** Appends the rows [from, to). */
  public static void append(EventColumns source, int from, int to, EventColumns into) {
    int at = into.count;
    int length = to - from;
    into.ensureRows(at + length);
    System.arraycopy(source.timeNanos, from, into.timeNanos, at, length);
    System.arraycopy(source.state, from, into.state, at, length);
    System.arraycopy(source.severity, from, into.severity, at, length);
    System.arraycopy(source.status, from, into.status, at, length);
    System.arraycopy(source.stray, from, into.stray, at, length);
    System.arraycopy(source.segment, from, into.segment, at, length);
    System.arraycopy(source.latenessNanos, from, into.latenessNanos, at, length);
    System.arraycopy(source.tie, from, into.tie, at, length);

    int firstElement = source.waveform() ? source.listStarts[from] : from;
    int elements = source.waveform() ? source.listStarts[to] - firstElement : length;
    int elementAt = into.waveform() ? into.listStarts[at] : at;
    into.ensureElements(Math.addExact(elementAt, elements));
    if (source.type() == ValueType.STRING) {
      appendTexts(source, firstElement, elements, into, elementAt);
    } else {
      System.arraycopy(source.values, firstElement, into.values, elementAt, elements);
    }
    if (source.waveform()) {
      appendStarts(source.listStarts, from, length, into.listStarts, at);
    }
    into.count = at + length;
  }

  private static void appendTexts(
      EventColumns source, int firstElement, int elements, EventColumns into, int elementAt) {
    int firstByte = source.textStarts[firstElement];
    int bytes = source.textStarts[firstElement + elements] - firstByte;
    int byteAt = into.textStarts[elementAt];
    into.ensureText(Math.addExact(byteAt, bytes));
    System.arraycopy(source.text, firstByte, into.text, byteAt, bytes);
    appendStarts(source.textStarts, firstElement, elements, into.textStarts, elementAt);
  }

  /** Appends the starts of {@code length} elements, shifted to continue after the existing ones. */
  private static void appendStarts(int[] source, int from, int length, int[] into, int at) {
    int by = into[at] - source[from];
    for (int i = 1; i <= length; i++) {
      into[at + i] = source[from + i] + by;
    }
  }
}
