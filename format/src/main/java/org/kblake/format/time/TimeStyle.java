package org.kblake.format.time;

import java.time.ZoneId;
import java.util.Locale;

/** The styles of times in text formats. */
public enum TimeStyle {
  /** {@code 2022-03-15T03:18:51.270000000+09:00}. */
  ISO,
  /** {@code 2022-03-15 03:18:51}: local time without offset, truncated to the second. */
  SECONDS,
  /** {@code 2022-03-15 03:18:51.270}: local time without offset, truncated to the millisecond. */
  MILLIS,
  /** Nanoseconds since 1970 UTC. */
  EPOCH_NS;

  /** Returns the name of the style in options, such as {@code epoch-ns}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * @param zone the zone of local times and offsets
   */
  public TimeText text(ZoneId zone) {
    return switch (this) {
      case ISO -> new IsoTimeText(zone);
      case SECONDS -> new LocalTimeText(zone, false);
      case MILLIS -> new LocalTimeText(zone, true);
      case EPOCH_NS -> new EpochTimeText();
    };
  }
}
