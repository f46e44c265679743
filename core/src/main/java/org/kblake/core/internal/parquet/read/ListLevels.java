package org.kblake.core.internal.parquet.read;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.model.EventState;

/**
 * The repetition and definition levels of waveforms. Each element has an entry, and each row
 * without elements has one.
 *
 * <pre>
 *   repetition: length (4 bytes) | runs of 1 bit:  0 begins a row, 1 continues it
 *   definition: length (4 bytes) | runs of 2 bits: 0 no value, 1 an empty list, 2 an element
 * </pre>
 */
public final class ListLevels implements Levels {

  static final int NO_LIST = 0;
  static final int NO_ELEMENT = 1;
  static final int ELEMENT = 2;

  private final EventColumns rows;
  private final int[] pageRows;
  private final int[] valueStarts;
  private final int[] entries;
  private int[] repetition = new int[0];
  private int[] definition = new int[0];

  public ListLevels(EventColumns rows, int[] pageRows) {
    this.rows = rows;
    this.pageRows = pageRows;
    int pages = pageRows.length - 1;
    valueStarts = new int[pages + 1];
    entries = new int[pages];
    for (int page = 0; page < pages; page++) {
      valueStarts[page] = rows.listStarts[pageRows[page]];
      int empty = 0;
      for (int row = pageRows[page]; row < pageRows[page + 1]; row++) {
        empty += rows.listStarts[row] == rows.listStarts[row + 1] ? 1 : 0;
      }
      entries[page] = rows.listStarts[pageRows[page + 1]] - valueStarts[page] + empty;
    }
    valueStarts[pages] = rows.listStarts[pageRows[pages]];
  }

  @Override
  public void put(int page, ByteOutput body) {
    int count = entries[page];
    if (repetition.length < count) {
      repetition = new int[count];
      definition = new int[count];
    }
    int at = 0;
    for (int row = pageRows[page]; row < pageRows[page + 1]; row++) {
      int elements = rows.listStarts[row + 1] - rows.listStarts[row];
      repetition[at] = 0;
      if (elements == 0) {
        boolean value = rows.state[row] == EventState.VALUE_CODE;
        definition[at++] = value ? NO_ELEMENT : NO_LIST;
      } else {
        definition[at++] = ELEMENT;
        for (int i = 1; i < elements; i++) {
          repetition[at] = 1;
          definition[at++] = ELEMENT;
        }
      }
    }
    ScalarLevels.put(repetition, count, 1, body);
    ScalarLevels.put(definition, count, 2, body);
  }

  @Override
  public int entries(int page) {
    return entries[page];
  }

  @Override
  public int[] valueStarts() {
    return valueStarts;
  }
}
