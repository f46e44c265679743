package org.kblake.core.internal.parquet.write;

import java.util.Arrays;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.model.ValueType;

/**
 * Finds the rows at which pages begin. All columns have their page breaks at the same rows: after
 * {@link EventFormat#PAGE_ROWS} rows, before the plain values would exceed {@link
 * EventFormat#PAGE_BYTES}, and at the first row of a channel with {@link EventFormat#NEW_PAGE_ROWS}
 * rows.
 */
final class PageBreaks {

  private int[] starts = new int[16];
  private int pages;

  private PageBreaks() {}

  /**
   * @param channelStarts the first row of each channel, and as the last element the number of rows
   * @return the first row of each page, and as the last element the number of rows
   */
  static int[] of(EventColumns rows, int[] channelStarts) {
    PageBreaks breaks = new PageBreaks();
    for (int channel = 0; channel + 1 < channelStarts.length; channel++) {
      int from = channelStarts[channel];
      int to = channelStarts[channel + 1];
      if (to - from >= EventFormat.NEW_PAGE_ROWS) {
        breaks.add(from);
      }
    }
    int[] wanted = Arrays.copyOf(breaks.starts, breaks.pages);
    breaks.pages = 0;
    breaks.cut(rows, wanted);
    breaks.add(rows.count);
    return Arrays.copyOf(breaks.starts, breaks.pages);
  }

  private void cut(EventColumns rows, int[] wanted) {
    boolean fixed = !rows.waveform() && rows.type() != ValueType.STRING;
    int next = 0;
    int start = 0;
    add(0);
    for (int row = 0; row < rows.count; ) {
      while (next < wanted.length && wanted[next] < start + EventFormat.SMALL_PAGE_ROWS) {
        next++;
      }
      int end = next < wanted.length ? wanted[next] : rows.count;
      end = Math.min(end, start + EventFormat.PAGE_ROWS);
      if (fixed) {
        row = end;
      } else {
        long bytes = 0;
        while (row < end) {
          long more = valueBytes(rows, row);
          if (more > EventFormat.MAX_ROW_BYTES) {
            throw new IllegalArgumentException(
                "value too large: bytes=" + more + ", most=" + EventFormat.MAX_ROW_BYTES);
          }
          if (row > start && bytes + more > EventFormat.PAGE_BYTES) {
            break;
          }
          bytes += more;
          row++;
        }
      }
      if (row < rows.count) {
        add(row);
      }
      start = row;
    }
  }

  /** Returns the size of a row's plain value in bytes. */
  private static long valueBytes(EventColumns rows, int row) {
    int from = rows.waveform() ? rows.listStarts[row] : row;
    int to = rows.waveform() ? rows.listStarts[row + 1] : row + 1;
    if (rows.type() == ValueType.STRING) {
      return rows.textStarts[to] - rows.textStarts[from] + 4L * (to - from);
    }
    return (long) NumberKind.of(rows.type()).bytes() * (to - from);
  }

  private void add(int row) {
    if (pages == starts.length) {
      starts = Arrays.copyOf(starts, 2 * pages);
    }
    starts[pages++] = row;
  }
}
