package org.kblake.core.internal.parquet.read;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.model.EventState;

/**
 * The definition levels of scalars: 1 if the state is value, otherwise 0.
 *
 * <pre>
 *   length of the runs (4 bytes) | runs of 1 bit, {@link HybridEncoding}
 * </pre>
 */
public final class ScalarLevels implements Levels {

  private final EventColumns rows;
  private final int[] pageRows;
  private final int[] valueStarts;
  private final int[] scratch = new int[EventFormat.PAGE_ROWS];

  public ScalarLevels(EventColumns rows, int[] pageRows) {
    this.rows = rows;
    this.pageRows = pageRows;
    valueStarts = new int[pageRows.length];
    for (int page = 0; page + 1 < pageRows.length; page++) {
      int values = 0;
      for (int row = pageRows[page]; row < pageRows[page + 1]; row++) {
        values += rows.state[row] == EventState.VALUE_CODE ? 1 : 0;
      }
      valueStarts[page + 1] = valueStarts[page] + values;
    }
  }

  @Override
  public void put(int page, ByteOutput body) {
    int count = entries(page);
    for (int i = 0; i < count; i++) {
      scratch[i] = rows.state[pageRows[page] + i] == EventState.VALUE_CODE ? 1 : 0;
    }
    put(scratch, count, 1, body);
  }

  /** Appends levels behind the length of their bytes. */
  public static void put(int[] levels, int count, int width, ByteOutput body) {
    int length = body.size;
    body.putInt(0);
    HybridEncoding.encode(levels, 0, count, width, body);
    LittleEndian.putInt(body.bytes, length, body.size - length - 4);
  }

  @Override
  public int entries(int page) {
    return pageRows[page + 1] - pageRows[page];
  }

  @Override
  public int[] valueStarts() {
    return valueStarts;
  }
}
