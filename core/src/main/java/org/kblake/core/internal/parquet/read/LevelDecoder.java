package org.kblake.core.internal.parquet.read;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.ByteCursor;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.page.PageBody;

/**
 * Decodes the levels of value pages: which rows have a value, and which elements belong to which
 * row. See {@link ScalarLevels} and {@link ListLevels}. Reusable, not thread safe.
 */
final class LevelDecoder {

  /**
   * The number of bytes that are read first. They contain all levels of a page in which each row
   * has a value, so that such a page is not copied.
   */
  private static final int PEEKED_BYTES = 16;

  private final byte[] peeked = new byte[PEEKED_BYTES + 16];
  private int[] definition = new int[EventFormat.PAGE_ROWS];
  private int[] repetition = new int[0];
  private int[] starts = new int[0];
  private int valuesFrom;
  private int values;

  /** Returns the index of the first value in the body of the page decoded last. */
  int valuesFrom() {
    return valuesFrom;
  }

  /** Returns the number of values of the page decoded last. */
  int values() {
    return values;
  }

  /** Decodes a page of scalars. */
  void decodeScalars(PageBody page, int rows) throws MalformedPageException {
    if (page.isPlain()) {
      int length = Math.min(PEEKED_BYTES, page.size());
      page.stored().get(peeked, 0, length);
      if (isRunOfOnes(peeked, length, rows)) {
        return;
      }
    }
    byte[] bytes = page.bytes();
    if (isRunOfOnes(bytes, page.size(), rows)) {
      return;
    }
    valuesFrom = end(bytes, 0, page.size());
    HybridEncoding.decode(bytes, 4, valuesFrom, 1, definition, 0, rows);
    int sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += definition[i];
    }
    values = sum;
  }

  private boolean isRunOfOnes(byte[] bytes, int length, int rows) throws MalformedPageException {
    int levels = length < 4 ? -1 : LittleEndian.getInt(bytes, 0);
    if (levels < 2 || levels > Math.min(PEEKED_BYTES, length) - 4) {
      return false;
    }
    ByteCursor cursor = new ByteCursor(bytes, 4, 4 + levels);
    if (cursor.varint() != (long) rows << 1 || cursor.next() != 1) {
      return false;
    }
    valuesFrom = 4 + levels;
    values = rows;
    return true;
  }

  /**
   * Reduces the page of scalars decoded last to some of its rows.
   *
   * @param rows the rows, in ascending order
   * @param chosen receives the indices of their values among those of the page
   */
  void chooseScalars(int pageRows, RowIndices rows, RowIndices chosen) {
    chosen.clear();
    boolean everyRow = values == pageRows;
    int row = 0;
    int value = 0;
    for (int i = 0; i < rows.count; i++) {
      if (everyRow) {
        chosen.add(rows.at[i]);
      } else {
        for (; row < rows.at[i]; row++) {
          value += definition[row];
        }
        if (definition[row] != 0) {
          chosen.add(value);
        }
        // Rows ascend, so the overwritten entry was already read.
        definition[i] = definition[row];
      }
    }
    values = chosen.count;
  }

  /** Moves the values of the page decoded last to their rows. Rows without a value become 0. */
  void spread(long[] values, int at, int rows) {
    int from = at + this.values;
    for (int row = rows - 1; row >= 0; row--) {
      values[at + row] = definition[row] == 0 ? 0 : values[--from];
    }
  }

  /**
   * Moves the starts of the texts of the page decoded last to their rows. Rows without a value
   * become empty.
   */
  void spreadTexts(int[] starts, int at, int rows) {
    int from = at + values;
    for (int row = rows - 1; row >= 0; row--) {
      starts[at + row + 1] = starts[from];
      from -= definition[row];
    }
  }

  /**
   * Decodes a page of waveforms into the starts of its rows' lists.
   *
   * @param row the index in the batch of the page's first row, whose start is already set
   */
  void decodeLists(PageBody page, int rows, EventColumns into, int row)
      throws MalformedPageException {
    decodeLists(page, rows, into.listStarts, row);
  }

  /**
   * Decodes the lists of some rows of a page of waveforms.
   *
   * @param rows the rows, in ascending order
   * @param chosen receives the indices of their elements among those of the page
   * @param into receives the starts of their lists, from row 0 on
   */
  void chooseLists(
      PageBody page, int pageRows, RowIndices rows, RowIndices chosen, EventColumns into)
      throws MalformedPageException {
    if (starts.length <= pageRows) {
      starts = new int[pageRows + 1];
    }
    starts[0] = 0;
    decodeLists(page, pageRows, starts, 0);
    chosen.clear();
    for (int i = 0; i < rows.count; i++) {
      into.listStarts[i] = chosen.count;
      for (int element = starts[rows.at[i]]; element < starts[rows.at[i] + 1]; element++) {
        chosen.add(element);
      }
    }
    into.listStarts[rows.count] = chosen.count;
  }

  private void decodeLists(PageBody page, int rows, int[] into, int row)
      throws MalformedPageException {
    byte[] bytes = page.bytes();
    int entries = page.header().values();
    int endOfRepetition = end(bytes, 0, page.size());
    valuesFrom = end(bytes, endOfRepetition, page.size());
    HybridEncoding.expectCount(bytes, 4, endOfRepetition, 1, entries);
    HybridEncoding.expectCount(bytes, endOfRepetition + 4, valuesFrom, 2, entries);
    if (repetition.length < entries) {
      repetition = new int[entries];
    }
    if (definition.length < entries) {
      definition = new int[entries];
    }
    HybridEncoding.decode(bytes, 4, endOfRepetition, 1, repetition, 0, entries);
    int highest =
        HybridEncoding.decode(bytes, endOfRepetition + 4, valuesFrom, 2, definition, 0, entries);
    if (highest > ListLevels.ELEMENT) {
      throw new MalformedPageException("definition level " + highest, "at most 2");
    }
    int begun = 0;
    int first = into[row];
    int element = first;
    for (int i = 0; i < entries; i++) {
      if (repetition[i] == 0) {
        if (begun == rows) {
          throw new MalformedPageException("more than " + rows + " rows", Integer.toString(rows));
        }
        into[row + begun++] = element;
      } else if (begun == 0 || definition[i] != ListLevels.ELEMENT) {
        throw new MalformedPageException("a list entry without an element", "an element");
      }
      element += definition[i] == ListLevels.ELEMENT ? 1 : 0;
    }
    if (begun != rows) {
      throw new MalformedPageException(begun + " rows", Integer.toString(rows));
    }
    into[row + rows] = element;
    values = element - first;
  }

  private static int end(byte[] bytes, int from, int size) throws MalformedPageException {
    int length = size - from < 4 ? -1 : LittleEndian.getInt(bytes, from);
    if (length < 0 || length > size - from - 4) {
      throw new MalformedPageException(
          "levels of " + length + " bytes", "at most " + (size - from - 4));
    }
    return from + 4 + length;
  }
}
