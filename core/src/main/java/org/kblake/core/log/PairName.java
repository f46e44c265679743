package org.kblake.core.log;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the name of a pair's files says: {@code GROUP_yyyymmddhhmmss.log1} and {@code .log2}.
 *
 * @param group the group's name, without its system
 * @param stamp the local time at which the pair was begun, 14 digits; pairs follow in its order
 */
public record PairName(String group, String stamp) implements Comparable<PairName> {

  private static final Pattern FILE = Pattern.compile("(.+)_([0-9]{14})\\.log[12]");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  /** The name of a pair that begins at a time. */
  public static PairName at(String group, long nanos, ZoneId zone) {
    Instant instant = Instant.ofEpochSecond(0, nanos);
    return new PairName(group, STAMP.format(LocalDateTime.ofInstant(instant, zone)));
  }

  /** The pair that a file belongs to, or null if it is no index and no log. */
  static @Nullable PairName ofFile(String fileName) {
    Matcher matcher = FILE.matcher(fileName);
    return matcher.matches() ? new PairName(matcher.group(1), matcher.group(2)) : null;
  }

  public String indexFile() {
    return group + "_" + stamp + ".log1";
  }

  public String logFile() {
    return group + "_" + stamp + ".log2";
  }

  /** Whether the stamp is a time of the calendar. */
  boolean hasTime() {
    try {
      LocalDateTime.parse(stamp, STAMP);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /**
   * The stamp as nanoseconds since 1970 UTC; of a local time that exists twice the first.
   *
   * @throws DateTimeException if the stamp is no time
   */
  public long beginNanos(ZoneId zone) {
    long seconds = LocalDateTime.parse(stamp, STAMP).atZone(zone).toEpochSecond();
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  @Override
  public int compareTo(PairName other) {
    int byGroup = group.compareTo(other.group);
    return byGroup != 0 ? byGroup : stamp.compareTo(other.stamp);
  }
}
