package org.kblake.query.internal.source;

import java.io.IOException;

/** Skips the first events of each channel. */
public final class SkippingSource extends EventRows {

  private final EventRows source;

  /** The number of events still to be skipped, by the answer's channel. */
  private final long[] skips;

  /**
   * @param source the events; closed with this source
   * @param skips the number of events to skip, by channel; not copied
   */
  public SkippingSource(EventRows source, long[] skips) {
    this.source = source;
    this.skips = skips;
  }

  @Override
  public boolean next() throws IOException {
    while (source.next()) {
      if (moveTo(source, skip(source, skips))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the number of the first of some rows that are skipped, and counts them as skipped.
   *
   * @param skips the number of events still to be skipped, by channel; none for more channels
   */
  public static int skip(EventRows rows, long[] skips) {
    int channel = rows.channel();
    if (channel >= skips.length) {
      return 0;
    }
    int skipped = (int) Math.min(rows.to() - rows.from(), skips[channel]);
    skips[channel] -= skipped;
    return skipped;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
