package org.kblake.record.log;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.NavigableSet;
import org.kblake.core.log.PairName;

/** The names of a group's pairs. Their order is that of the pairs. */
final class PairNames {

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");
  private static final String LEAP_SECOND = "60";

  private final PairDirectories directories;
  private final Path directory;
  private final String group;
  private final ZoneId zone;

  PairNames(PairDirectories directories, Path directory, String group, ZoneId zone) {
    this.directories = directories;
    this.directory = directory;
    this.group = group;
    this.zone = zone;
  }

  /** Returns the pairs that have at least one file, without those whose stamp is no time. */
  NavigableSet<PairName> existing() throws IOException {
    return directories.pairs(directory, group);
  }

  /**
   * Returns the name of a new pair: that of the time, but later than all others.
   *
   * @param nanos the time, nanoseconds since 1970 UTC
   */
  PairName next(long nanos, Collection<PairName> others) {
    PairName name = PairName.at(group, nanos, zone);
    PairName latest = others.stream().max(PairName::compareTo).orElse(null);
    return latest == null || name.compareTo(latest) > 0 ? name : after(latest);
  }

  private PairName after(PairName latest) {
    String stamp = latest.stamp();
    if (stamp.endsWith(LEAP_SECOND)) {
      stamp = stamp.substring(0, stamp.length() - LEAP_SECOND.length()) + "59";
    }
    return new PairName(group, LocalDateTime.parse(stamp, STAMP).plusSeconds(1).format(STAMP));
  }

  /** Returns whether a recorder keeps stamps beside a pair. */
  boolean hasStamps(PairName pair) {
    return bytes(String.valueOf(StampsFile.path(directory, pair).getFileName())) >= 0;
  }

  /** Returns the size of a file of a pair in bytes, or -1 if it is not known now. */
  long bytes(String file) {
    try {
      return directories.files().bytes(directory.resolve(file));
    } catch (IOException e) {
      // The file may be a link into a volume that is away.
      return -1;
    }
  }
}
