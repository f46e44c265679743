package org.kblake.query.internal.source;

import java.io.IOException;

/** Skips the first events of each channel. */
public final class SkippingSource extends EventRuns {

  private final EventRuns source;

  /** The number of events still to be skipped, by the answer's channel. */
  private final long[] skips;

  /**
   * @param source the events; closed with this source
   * @param skips the number of events to skip, by channel; not copied
   */
  public SkippingSource(EventRuns source, long[] skips) {
    this.source = source;
    this.skips = skips;
  }

  @Override
  public boolean next() throws IOException {
    while (source.next()) {
      int rows = source.to() - source.from();
      int skipped = (int) Math.min(rows, skips[source.channel()]);
      skips[source.channel()] -= skipped;
      if (moveTo(source, skipped)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
