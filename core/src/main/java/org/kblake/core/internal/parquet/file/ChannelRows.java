package org.kblake.core.internal.parquet.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The position of a channel's rows in a row group.
 *
 * @param name the channel's name
 * @param firstRow the first row, counted from the row group's first
 * @param rows the number of rows, at least 1
 * @param firstPage the page that contains the first row
 * @param pages the number of pages that contain any of the rows
 */
public record ChannelRows(String name, int firstRow, int rows, int firstPage, int pages) {

  /**
   * Returns the channels of a row group.
   *
   * @param starts the first row of each channel, and as the last element the number of rows
   */
  public static List<ChannelRows> in(int[] pageRows, List<String> names, int[] starts) {
    List<ChannelRows> channels = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      int firstPage = pageOf(pageRows, starts[i]);
      int lastPage = pageOf(pageRows, starts[i + 1] - 1);
      channels.add(
          new ChannelRows(
              names.get(i),
              starts[i],
              starts[i + 1] - starts[i],
              firstPage,
              lastPage - firstPage + 1));
    }
    return List.copyOf(channels);
  }

  private static int pageOf(int[] pageRows, int row) {
    int found = Arrays.binarySearch(pageRows, row);
    return found >= 0 ? found : -found - 2;
  }
}
