package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.format.number.Digits;
import org.kblake.format.number.ExponentText;
import org.kblake.format.text.TextBuffer;

/**
 * Writes elements of values: floating-point numbers as {@code %e} of C, integers and enums as plain
 * decimals. Strings differ between formats. Not thread safe.
 */
abstract class Cells {

  private final ExponentText exponents = new ExponentText();

  /** Returns the number of elements of a row whose state is value. */
  static int count(EventColumns columns, int row) {
    return columns.waveform() ? columns.listStarts[row + 1] - columns.listStarts[row] : 1;
  }

  /** Returns the index of the first element of a row. */
  static int first(EventColumns columns, int row) {
    return columns.waveform() ? columns.listStarts[row] : row;
  }

  /** Appends an element. */
  final void write(EventColumns columns, int element, TextBuffer target) throws IOException {
    switch (columns.type()) {
      case DOUBLE -> number(Double.longBitsToDouble(columns.values[element]), target);
      case FLOAT -> number(Float.intBitsToFloat((int) columns.values[element]), target);
      case SHORT, ENUM, CHAR, LONG -> {
        target.ensure(Digits.MAX_LONG_BYTES);
        target.position = Digits.writeLong(columns.values[element], target.bytes, target.position);
      }
      case STRING ->
          writeText(
              columns.text, columns.textStarts[element], columns.textStarts[element + 1], target);
    }
  }

  private void number(double value, TextBuffer target) throws IOException {
    target.ensure(ExponentText.MAX_BYTES);
    target.position = exponents.write(value, target.bytes, target.position);
  }

  /** Appends a string, the bytes [from, to) in UTF-8. */
  abstract void writeText(byte[] text, int from, int to, TextBuffer target) throws IOException;
}
