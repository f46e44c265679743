package org.kblake.core.archive;

import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.layout.LogLayout;

/**
 * The settings of an archive.
 *
 * @param zone the zone of the times in file names
 * @param zoneName the name of the zone, as stores record it
 * @param disorderBoundNanos the largest difference by which an event may be earlier than events
 *     written before it
 * @param closedAfterNanos a pair whose files are unchanged for this time is closed
 * @param supersededAfterNanos a pair whose files are unchanged for this time is closed if a later
 *     pair exists
 * @param tail whether the last bytes of a growing log are final
 * @param settleNanos a provisional tail that is unchanged for this time is final
 * @param layouts the byte layouts that are tried, in this order
 */
public record ArchiveSettings(
    ZoneId zone,
    String zoneName,
    long disorderBoundNanos,
    long closedAfterNanos,
    long supersededAfterNanos,
    TailRule tail,
    long settleNanos,
    List<LogLayout> layouts) {

  /** The zone of KEK. */
  private static final String TOKYO = "Asia/Tokyo";

  public ArchiveSettings {
    layouts = List.copyOf(layouts);
    if (disorderBoundNanos < 0
        || closedAfterNanos < 0
        || supersededAfterNanos < 0
        || settleNanos < 0) {
      throw new IllegalArgumentException(
          "a duration is negative: disorderBoundNanos="
              + disorderBoundNanos
              + ", closedAfterNanos="
              + closedAfterNanos
              + ", supersededAfterNanos="
              + supersededAfterNanos
              + ", settleNanos="
              + settleNanos);
    }
  }

  /** Returns Asia/Tokyo, 10 min, 1 h, 60 s, AUTO, 2 s, and the installed layouts. */
  public static ArchiveSettings defaults() {
    return defaults(ZoneId.of(TOKYO), TOKYO);
  }

  /**
   * Returns the defaults with a zone.
   *
   * @param zoneName the name of the zone, as stores record it
   */
  public static ArchiveSettings defaults(ZoneId zone, String zoneName) {
    return new ArchiveSettings(
        zone,
        zoneName,
        TimeUnit.MINUTES.toNanos(10),
        TimeUnit.HOURS.toNanos(1),
        TimeUnit.SECONDS.toNanos(60),
        TailRule.AUTO,
        TimeUnit.SECONDS.toNanos(2),
        LogLayout.installed());
  }

  /** Returns these settings with another zone, whose id is its name. */
  public ArchiveSettings withZone(ZoneId newZone) {
    return withZone(newZone, newZone.getId());
  }

  /**
   * Returns these settings with another zone.
   *
   * @param name the name by which users write the zone, such as an alias; stores record it
   */
  public ArchiveSettings withZone(ZoneId newZone, String name) {
    return new ArchiveSettings(
        newZone,
        name,
        disorderBoundNanos,
        closedAfterNanos,
        supersededAfterNanos,
        tail,
        settleNanos,
        layouts);
  }

  /** Returns these settings with another disorder bound, in nanoseconds. */
  public ArchiveSettings withDisorderBoundNanos(long nanos) {
    return new ArchiveSettings(
        zone, zoneName, nanos, closedAfterNanos, supersededAfterNanos, tail, settleNanos, layouts);
  }

  /**
   * Returns these settings with another time, in nanoseconds, after which an unchanged pair is
   * closed.
   */
  public ArchiveSettings withClosedAfterNanos(long nanos) {
    return new ArchiveSettings(
        zone,
        zoneName,
        disorderBoundNanos,
        nanos,
        supersededAfterNanos,
        tail,
        settleNanos,
        layouts);
  }

  /**
   * Returns these settings with another time, in nanoseconds, after which an unchanged pair is
   * closed if a later pair exists.
   */
  public ArchiveSettings withSupersededAfterNanos(long nanos) {
    return new ArchiveSettings(
        zone, zoneName, disorderBoundNanos, closedAfterNanos, nanos, tail, settleNanos, layouts);
  }

  /** Returns these settings with another rule for the last bytes of a growing log. */
  public ArchiveSettings withTail(TailRule rule) {
    return new ArchiveSettings(
        zone,
        zoneName,
        disorderBoundNanos,
        closedAfterNanos,
        supersededAfterNanos,
        rule,
        settleNanos,
        layouts);
  }

  /** Returns these settings with another settle time of a provisional tail, in nanoseconds. */
  public ArchiveSettings withSettleNanos(long nanos) {
    return new ArchiveSettings(
        zone,
        zoneName,
        disorderBoundNanos,
        closedAfterNanos,
        supersededAfterNanos,
        tail,
        nanos,
        layouts);
  }
}
