package org.kblake.core.log;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the names of a pair's files: {@code GROUP_yyyymmddhhmmss.log1} and {@code .log2}.
 *
 * @param group the group's name, without its system
 * @param stamp the local time at which the pair was begun, 14 digits; orders the pairs of a group
 */
public record PairName(String group, String stamp) implements Comparable<PairName> {

  // Parsed without a DateTimeFormatter, because a read of one hour lists all the hundreds of pairs
  // of a group.

  private static final int STAMP_DIGITS = 14;
  private static final String ENDING = ".logN";

  /** Returns the name of a pair that begins at a time. */
  public static PairName at(String group, long nanos, ZoneId zone) {
    Instant instant = Instant.ofEpochSecond(0, nanos);
    LocalDateTime time = LocalDateTime.ofInstant(instant, zone);
    long digits = time.getYear() * 10_000L + time.getMonthValue() * 100L + time.getDayOfMonth();
    digits = digits * 1_000_000 + time.getHour() * 10_000L + time.getMinute() * 100L;
    String stamp = Long.toString(digits + time.getSecond());
    return new PairName(group, "0".repeat(STAMP_DIGITS - stamp.length()) + stamp);
  }

  /**
   * Returns the name of the pair that a file belongs to, or null if the file is neither index nor
   * log.
   */
  public static @Nullable PairName ofFile(String fileName) {
    int end = fileName.length() - ENDING.length();
    int start = end - STAMP_DIGITS;
    if (start < 2
        || fileName.charAt(start - 1) != '_'
        || !(fileName.endsWith(".log1") || fileName.endsWith(".log2"))
        || !LogPosition.isNumber(fileName, start, end, STAMP_DIGITS)) {
      return null;
    }
    return new PairName(fileName.substring(0, start - 1), fileName.substring(start, end));
  }

  public String indexFile() {
    return group + "_" + stamp + ".log1";
  }

  public String logFile() {
    return group + "_" + stamp + ".log2";
  }

  /** Returns whether the stamp is a valid date and time. */
  public boolean hasTime() {
    try {
      time();
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /**
   * Returns the earliest time that the stamp may mean, nanoseconds since 1970 UTC. In an hour that
   * the zone repeats, it may mean two.
   *
   * @throws DateTimeException if the stamp is not a valid date and time
   */
  public long beginNanos(ZoneId zone) {
    LocalDateTime time = time();
    long earliest = Long.MAX_VALUE;
    for (ZoneOffset offset : offsets(time, zone)) {
      earliest = Math.min(earliest, time.toEpochSecond(offset));
    }
    return TimeUnit.SECONDS.toNanos(earliest);
  }

  /**
   * Returns the latest time that the stamp may mean, nanoseconds since 1970 UTC.
   *
   * @throws DateTimeException if the stamp is not a valid date and time
   */
  public long latestBeginNanos(ZoneId zone) {
    LocalDateTime time = time();
    long latest = Long.MIN_VALUE;
    for (ZoneOffset offset : offsets(time, zone)) {
      latest = Math.max(latest, time.toEpochSecond(offset));
    }
    return TimeUnit.SECONDS.toNanos(latest);
  }

  private static List<ZoneOffset> offsets(LocalDateTime time, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    if (!offsets.isEmpty()) {
      return offsets;
    }
    // A clock of this zone skips the time. The archiver's clock had one of the two offsets.
    ZoneOffsetTransition skip = zone.getRules().getTransition(time);
    return List.of(skip.getOffsetBefore(), skip.getOffsetAfter());
  }

  private LocalDateTime time() {
    if (stamp.length() != STAMP_DIGITS
        || !LogPosition.isNumber(stamp, 0, STAMP_DIGITS, STAMP_DIGITS)) {
      throw new DateTimeException("stamp is not 14 digits: " + stamp);
    }
    // A clock that counts a leap second shows 60.
    int second = number(12, 14);
    int leap = second == 60 ? 1 : 0;
    return LocalDateTime.of(
            number(0, 4), number(4, 6), number(6, 8), number(8, 10), number(10, 12), second - leap)
        .plusSeconds(leap);
  }

  private int number(int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + stamp.charAt(i) - '0';
    }
    return number;
  }

  @Override
  public int compareTo(PairName other) {
    int byGroup = group.compareTo(other.group);
    return byGroup != 0 ? byGroup : stamp.compareTo(other.stamp);
  }
}
