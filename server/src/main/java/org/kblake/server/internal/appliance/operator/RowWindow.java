package org.kblake.server.internal.appliance.operator;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.RowCopy;

/** The first or the last event of each bin in log order, of any type. */
final class RowWindow implements BinWindow {

  private static final long MAX_BYTES = 16 << 20;

  private final boolean last;
  private @Nullable EventColumns[] rows = new EventColumns[0];
  private long bytes;

  RowWindow(boolean last) {
    this.last = last;
  }

  @Override
  public void clear(int bins) {
    rows = new EventColumns[bins];
    bytes = 0;
  }

  @Override
  public boolean add(int bin, EventColumns columns, int row) {
    EventColumns before = rows[bin];
    if (before != null && !last) {
      return true;
    }
    bytes += RowCopy.bytes(columns, row) - (before == null ? 0 : RowCopy.bytes(before, 0));
    if (bytes > MAX_BYTES && rows.length > 1) {
      return false;
    }
    if (before != null && isSameKind(before, columns) && isScalarNumber(columns)) {
      before.count = 0;
      RowCopy.append(columns, row, before);
    } else {
      rows[bin] = RowCopy.of(columns, row);
    }
    return true;
  }

  private static boolean isSameKind(EventColumns one, EventColumns other) {
    return one.type() == other.type() && one.waveform() == other.waveform();
  }

  private static boolean isScalarNumber(EventColumns columns) {
    return !columns.waveform() && columns.values.length > 0;
  }

  @Override
  public boolean has(int bin) {
    return rows[bin] != null;
  }

  @Override
  public void fill(int bin, AnsweredSample sample) {
    EventColumns row = rows[bin];
    if (row == null) {
      throw new IllegalStateException("no event: bin=" + bin);
    }
    sample.set(sample.timeNanos(), row, 0);
  }

  @Override
  public void fillWith(AnsweredSample sample, EventColumns columns, int row) {
    sample.set(sample.timeNanos(), columns, row);
  }
}
