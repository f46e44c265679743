package org.kblake.core.archive;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.kblake.core.internal.start.ColdStart;

/** Finds time zones by their names. */
public final class Zones {

  /** The zone of KEK. */
  static final String TOKYO = "Asia/Tokyo";

  /** Its offset since 1951, long before any event. */
  private static final ZoneOffset TOKYO_OFFSET = ZoneOffset.ofHours(9);

  private Zones() {}

  /**
   * A zone. A cold process gets Asia/Tokyo as its single offset, because loading all zones takes
   * longer than finding an hour of events.
   *
   * @throws DateTimeException if there is no such zone
   */
  public static ZoneId of(String name) {
    return ColdStart.IS_COLD && name.equals(TOKYO) ? TOKYO_OFFSET : ZoneId.of(name);
  }
}
