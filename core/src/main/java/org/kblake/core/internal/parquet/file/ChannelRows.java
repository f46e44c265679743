package org.kblake.core.internal.parquet.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where a channel's rows lie in a row group.
 *
 * @param name the channel's name
 * @param firstRow counted from the row group's first
 * @param rows at least 1
 * @param firstPage the page that holds the first row
 * @param pages pages that hold any of the rows
 */
public record ChannelRows(String name, int firstRow, int rows, int firstPage, int pages) {

  /**
   * The channels of a row group.
   *
   * @param starts the first row of each channel, and the number of rows at last
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
