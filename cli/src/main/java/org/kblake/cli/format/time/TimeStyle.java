package org.kblake.cli.format.time;

import java.time.ZoneId;
import java.util.Locale;

/** The styles of times in text formats. */
public enum TimeStyle {
  /** {@code 2022-03-15T03:18:51.270000000+09:00}. */
  ISO,
  /** Nanoseconds since 1970 UTC. */
  EPOCH_NS;

  /** Returns the name of the style in options: {@code iso}, {@code epoch-ns}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * @param zone the zone of the local time and offset that {@link #ISO} writes
   */
  public TimeText text(ZoneId zone) {
    return switch (this) {
      case ISO -> new IsoTimeText(zone);
      case EPOCH_NS -> new EpochTimeText();
    };
  }
}
