package org.kblake.cli.run.status;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.status.RunStatus.Disk;
import org.kblake.cli.run.status.RunStatus.GroupNumbers;

/**
 * The figures of the store as a whole, from the figures of its groups. They are the same from a
 * process and from files. Only groups in the mode follow count. Other groups are never behind, and
 * do not fill the disk by themselves.
 *
 * @param groups all groups
 * @param disk the store's disk
 */
public record StoreFigures(List<GroupNumbers> groups, Disk disk) {

  public StoreFigures {
    groups = groups.stream().filter(GroupNumbers::followed).toList();
  }

  /**
   * Returns the share of the followed log that is in columns, 0 to 1. It is null if no group is
   * followed, or if a group is away and the size of its log is unknown.
   */
  public @Nullable Double coverage() {
    if (groups.isEmpty() || groups.stream().anyMatch(GroupNumbers::away)) {
      return null;
    }
    long covered = groups.stream().mapToLong(GroupNumbers::coveredBytes).sum();
    return share(covered, covered + groups.stream().mapToLong(GroupNumbers::pendingBytes).sum());
  }

  /** Returns a share, 0 to 1. It is 1 if the whole is 0. */
  public static double share(long some, long all) {
    return all == 0 ? 1 : (double) some / all;
  }

  /** Returns the group with the longest lag; null if no group is followed. */
  public @Nullable GroupNumbers furthestBehind() {
    return groups.stream().max(Comparator.comparingLong(GroupNumbers::lagSeconds)).orElse(null);
  }

  /**
   * Returns the days until the disk is full at the growth of the last week; null if the store will
   * not fill it.
   */
  public @Nullable Double daysUntilFull() {
    long perDay = groups.stream().mapToLong(GroupNumbers::storedBytesPerDay).sum();
    return perDay <= 0 || disk.bounded() ? null : (double) disk.freeBytes() / perDay;
  }
}
