package org.kblake.query.internal.source;

import java.io.IOException;

/** Leaves out the first events of each channel. */
public final class SkippingSource extends DelegatedRuns {

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
  EventRuns source() {
    return source;
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
  public int from() {
    return source.from() + skipped;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
