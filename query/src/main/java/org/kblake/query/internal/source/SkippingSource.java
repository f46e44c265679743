package org.kblake.query.internal.source;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;

/** Leaves out the first events of each channel. */
public final class SkippingSource implements EventRuns {

  private final EventRuns source;

  /** By the answer's channel: how many are still to be excluded. */
  private final long[] skips;

  private int skipped;

  /**
   * @param source closed with this
   * @param skips by channel, how many of its events are excluded; not copied
   */
  public SkippingSource(EventRuns source, long[] skips) {
    this.source = source;
    this.skips = skips;
  }

  @Override
  public boolean next() throws IOException {
    while (source.next()) {
      int rows = source.to() - source.from();
      skipped = (int) Math.min(rows, skips[source.channel()]);
      skips[source.channel()] -= skipped;
      if (skipped < rows) {
        return true;
      }
    }
    return false;
  }

  @Override
  public EventColumns columns() {
    return source.columns();
  }

  @Override
  public int from() {
    return source.from() + skipped;
  }

  @Override
  public int to() {
    return source.to();
  }

  @Override
  public int channel() {
    return source.channel();
  }

  @Override
  public int group() {
    return source.group();
  }

  @Override
  public long orderKey(int row) throws IOException {
    return source.orderKey(row);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
