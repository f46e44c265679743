package org.kblake.query.internal.source;

import java.io.IOException;

/** Skips the first events of each channel. */
public final class SkippingSource extends EventRuns {

  private final EventRuns source;

  /** By the answer's channel, the number of events that are still to be skipped. */
  private final long[] skips;

  /**
   * @param source the events; closed with this
   * @param skips by channel, the number of events to skip; not copied
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
