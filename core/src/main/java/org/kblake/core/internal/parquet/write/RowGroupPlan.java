package org.kblake.core.internal.parquet.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.kblake.core.internal.parquet.file.EventFormat;

/**
 * Divides the rows of a file into row groups. A channel of {@link #OWN_ROWS} rows or {@link
 * #OWN_BYTES} has its own row groups. Smaller channels share a row group of up to {@link
 * #SHARED_ROWS} rows. No row group exceeds {@link #MAX_BYTES} or {@link #MAX_ROWS}. Channels keep
 * their order inside a row group. A shared row group stays open while large channels are added, so
 * that alternating small and large channels do not make row groups of a few rows.
 */
public final class RowGroupPlan {

  /** A channel with this number of rows has its own row groups. */
  public static final int OWN_ROWS = 4096;

  /** A channel with this number of bytes has its own row groups. */
  public static final long OWN_BYTES = 1 << 20;

  /** The largest number of rows of a row group that channels share. */
  public static final int SHARED_ROWS = 65_536;

  /**
   * The largest number of rows of a row group. An encoder needs 37 bytes of heap for each row, and
   * the same again while it encodes.
   */
  public static final int MAX_ROWS = 1 << 17;

  /**
   * The largest number of bytes of values of a row group with more than one row, if rows have
   * similar sizes.
   */
  public static final long MAX_BYTES = 4 << 20;

  /** The largest number of bytes of values if a channel's longest rows are all in one row group. */
  public static final long MAX_UNEVEN_BYTES = 2 * MAX_BYTES;

  /**
   * A range of a channel's rows.
   *
   * @param channel the channel's number in the order given to {@link #of}
   * @param fromRow the first row, counted from the channel's first
   * @param toRow the row behind the last
   */
  public record Rows(int channel, long fromRow, long toRow) {}

  private final List<List<Rows>> rowGroups = new ArrayList<>();
  private List<Rows> shared = new ArrayList<>();
  private long sharedRows;
  private long sharedBytes;

  private RowGroupPlan() {}

  /**
   * Plans a file. Each row is assumed to have the mean size of its channel's rows, unless some rows
   * are much longer.
   *
   * @param channels the number of channels, in the order in which rows are sorted
   * @param rows the number of rows of each channel; a channel without rows is excluded
   * @param bytes the size of each channel's values in an encoder: 8 bytes per element, or the bytes
   *     of text
   * @param rowBytes the size of each channel's longest row, measured as {@code bytes}
   * @return the row groups in file order, each with its channels' rows in order
   */
  public static List<List<Rows>> of(
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
    shared.add(new Rows(channel, 0, rows));
    sharedRows += rows;
    sharedBytes += bytes;
  }

  private void addOwn(int channel, long rows, long bytes, long rowBytes) {
    long most = Math.min(MAX_ROWS, (long) (MAX_BYTES / (double) bytes * rows));
    most = Math.max(1, Math.min(most, MAX_UNEVEN_BYTES / rowBytes));
    if (most > EventFormat.PAGE_ROWS) {
      most -= most % EventFormat.PAGE_ROWS;
    }
    for (long from = 0; from < rows; from += most) {
      rowGroups.add(List.of(new Rows(channel, from, Math.min(rows, from + most))));
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
