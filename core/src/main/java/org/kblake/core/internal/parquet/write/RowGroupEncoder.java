package org.kblake.core.internal.parquet.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.PageTimes;
import org.kblake.core.model.ValueType;

/**
 * Collects the rows of a row group and encodes them. Reusable, not thread safe. Its memory is
 * bounded, because {@link RowGroupPlan} limits the size of a row group.
 */
public final class RowGroupEncoder {

  private final List<String> names = new ArrayList<>();
  private final ByteOutput out = new ByteOutput(1 << 16);
  private int[] channelStarts = new int[16];
  private @Nullable EventColumns held;
  private @Nullable ColumnsEncoder columns;
  private @Nullable String channel;

  /** Begins a row group. Collected rows of an unfinished row group are dropped. */
  public void begin(ValueType type, boolean waveform, WriteProfile profile) {
    if (held == null || held.type() != type || held.waveform() != waveform) {
      held = new EventColumns(type, waveform, EventFormat.PAGE_ROWS);
    }
    EventFileSchema schema = EventFileSchema.of(type, waveform, profile);
    if (columns == null || !columns.isFor(schema, profile)) {
      columns = new ColumnsEncoder(schema, profile);
    }
    held.count = 0;
    names.clear();
    channel = null;
  }

  /** Begins the rows of a channel. A channel without rows is not written. */
  public void channel(String name) {
    channel = name;
  }

  /**
   * Adds rows of the current channel, in log order. They are copied.
   *
   * @throws IllegalStateException if no channel was begun
   */
  public void append(EventColumns rows) {
    append(rows, 0, rows.count);
  }

  /**
   * Adds some rows of the current channel, in log order. They are copied.
   *
   * @throws IllegalStateException if no channel was begun
   */
  public void append(EventColumns rows, int from, int to) {
    EventColumns target = held;
    if (target == null || (channel == null && names.isEmpty())) {
      throw new IllegalStateException("no channel was begun");
    }
    if (rows.type() != target.type() || rows.waveform() != target.waveform()) {
      throw new IllegalArgumentException(
          "rows of another type: type=" + rows.type() + ", waveform=" + rows.waveform());
    }
    if (from == to) {
      return;
    }
    if (channel != null) {
      if (names.size() + 1 == channelStarts.length) {
        channelStarts = Arrays.copyOf(channelStarts, 2 * channelStarts.length);
      }
      channelStarts[names.size()] = target.count;
      names.add(channel);
      channel = null;
    }
    target.append(rows, from, to);
  }

  /**
   * Encodes the collected rows.
   *
   * @throws IllegalStateException if there are no rows
   */
  public EncodedRowGroup finish() {
    if (held == null || columns == null || held.count == 0) {
      throw new IllegalStateException("a row group without rows");
    }
    channelStarts[names.size()] = held.count;
    int[] starts = Arrays.copyOf(channelStarts, names.size() + 1);
    int[] pageRows = PageBreaks.of(held, starts);
    out.reset();
    List<EncodedColumn> encoded = columns.encode(held, List.copyOf(names), starts, pageRows, out);
    RowGroupLayout layout = layout(held, starts, pageRows);
    EncodedRowGroup rowGroup =
        new EncodedRowGroup(columns.schema(), out.toByteArray(), encoded, layout);
    held.count = 0;
    names.clear();
    channel = null;
    return rowGroup;
  }

  private RowGroupLayout layout(EventColumns rows, int[] starts, int[] pageRows) {
    int pages = pageRows.length - 1;
    long[] mins = new long[pages];
    long[] maxs = new long[pages];
    for (int page = 0; page < pages; page++) {
      mins[page] = PageTimes.min(rows, pageRows[page], pageRows[page + 1]);
      maxs[page] = PageTimes.max(rows, pageRows[page], pageRows[page + 1]);
    }
    return new RowGroupLayout(
        ChannelRows.in(pageRows, names, starts), pageRows, mins, maxs, List.of());
  }
}
