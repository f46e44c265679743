package org.kblake.core.internal.parquet.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.kblake.core.internal.parquet.file.EventFormat;

/**
 * Which rows share a row group. A channel of {@link #OWN_ROWS} rows or {@link #OWN_BYTES} has its
 * own row groups, smaller ones share one up to {@link #SHARED_ROWS} rows, and every row group
 * closes at {@link #MAX_BYTES} or {@link #MAX_ROWS}. Channels keep their order inside a row group;
 * small ones go past big ones, so that a file in which they alternate does not fall into row groups
 * of a few rows.
 */
public final class RowGroupPlan {

  /** A channel with this number of rows has its own row groups. */
  public static final int OWN_ROWS = 4096;

  /** A channel with this number of bytes has its own row groups. */
  public static final long OWN_BYTES = 1 << 20;

  /** Rows of a row group that channels share. */
  public static final int SHARED_ROWS = 65_536;

  /** Rows of any row group: an encoder has 37 bytes of heap for each, and as much at work. */
  public static final int MAX_ROWS = 1 << 17;

  /** Bytes of values of any row group that holds more than one row, if rows are alike. */
  public static final long MAX_BYTES = 4 << 20;

  /** The same where a channel's longest rows come all together. */
  public static final long MOST_BYTES = 2 * MAX_BYTES;

  /**
   * Some of a channel's rows.
   *
   * @param channel the channel's number in the order given to {@link #of}
   * @param fromRow counted from the channel's first row
   * @param toRow the row behind the last
   */
  public record Stretch(int channel, long fromRow, long toRow) {}

  private final List<List<Stretch>> rowGroups = new ArrayList<>();
  private List<Stretch> shared = new ArrayList<>();
  private long sharedRows;
  private long sharedBytes;

  private RowGroupPlan() {}

  /**
   * Plans a file. A row's bytes are taken to be its channel's mean, if none is much longer.
   *
   * @param channels how many, in the order in which rows are sorted
   * @param rows of each channel; a channel of none is excluded
   * @param bytes of each channel's values as an encoder holds them: 8 an element, or bytes of text
   * @param rowBytes of each channel's longest row, in the same way
   * @return the row groups in file order, each a list of stretches in channel order
   */
  public static List<List<Stretch>> of(
      int channels, IntToLongFunction rows, IntToLongFunction bytes, IntToLongFunction rowBytes) {
    RowGroupPlan plan = new RowGroupPlan();
    for (int channel = 0; channel < channels; channel++) {
      plan.add(
          channel,
          rows.applyAsLong(channel),
          bytes.applyAsLong(channel),
          rowBytes.applyAsLong(channel));
    }
    plan.closeShared();
    return List.copyOf(plan.rowGroups);
  }

  private void add(int channel, long rows, long bytes, long rowBytes) {
    if (rows == 0) {
      return;
    }
    if (rows >= OWN_ROWS || bytes >= OWN_BYTES) {
      addOwn(channel, rows, bytes, rowBytes);
      return;
    }
    if (sharedRows + rows > SHARED_ROWS || sharedBytes + bytes > MAX_BYTES) {
      closeShared();
    }
    shared.add(new Stretch(channel, 0, rows));
    sharedRows += rows;
    sharedBytes += bytes;
  }

  private void addOwn(int channel, long rows, long bytes, long rowBytes) {
    long most = Math.min(MAX_ROWS, (long) (MAX_BYTES / (double) bytes * rows));
    most = Math.max(1, Math.min(most, MOST_BYTES / rowBytes));
    if (most > EventFormat.PAGE_ROWS) {
      most -= most % EventFormat.PAGE_ROWS;
    }
    for (long from = 0; from < rows; from += most) {
      rowGroups.add(List.of(new Stretch(channel, from, Math.min(rows, from + most))));
    }
  }

  private void closeShared() {
    if (!shared.isEmpty()) {
      rowGroups.add(List.copyOf(shared));
      shared = new ArrayList<>();
      sharedRows = 0;
      sharedBytes = 0;
    }
  }
}
