package org.kblake.cli.run.status;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.status.RunStatus.Disk;
import org.kblake.cli.run.status.RunStatus.GroupNumbers;

/**
 * What the numbers of groups come to for the store as a whole: the same from a process and from
 * files. Only groups that are followed count: of others nothing is behind, and they do not fill the
 * disk by themselves.
 *
 * @param groups all groups
 * @param disk the store's disk
 */
public record StoreFigures(List<GroupNumbers> groups, Disk disk) {

  public StoreFigures {
    groups = groups.stream().filter(GroupNumbers::followed).toList();
  }

  /**
   * Share of the log that is in columns, 0 to 1, of what is to be; null if nothing is to be, or a
   * group is away and the size of its log is unknown.
   */
  public @Nullable Double coverage() {
    if (groups.isEmpty() || groups.stream().anyMatch(GroupNumbers::away)) {
      return null;
    }
    long covered = groups.stream().mapToLong(GroupNumbers::coveredBytes).sum();
    return share(covered, covered + groups.stream().mapToLong(GroupNumbers::pendingBytes).sum());
  }

  /** A share, 0 to 1; nothing is all of nothing. */
  public static double share(long part, long all) {
    return all == 0 ? 1 : (double) part / all;
  }

  /** The group that is furthest behind; null if none is followed. */
  public @Nullable GroupNumbers furthestBehind() {
    return groups.stream().max(Comparator.comparingLong(GroupNumbers::lagSeconds)).orElse(null);
  }

  /**
   * When the disk will be full at the pace of the last week; null if the store will not fill it.
   */
  public @Nullable Double daysUntilFull() {
    long perDay = groups.stream().mapToLong(GroupNumbers::storedBytesPerDay).sum();
    return perDay <= 0 || disk.bounded() ? null : (double) disk.freeBytes() / perDay;
  }
}
