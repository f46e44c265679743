package org.kblake.ingest.internal.live.state;

import java.util.Map;
import org.kblake.core.model.Group;

/**
 * The settings that decide which spans are kept in columns.
 *
 * @param budgetBytes limit of blocks and trash together; 0 for no limit
 * @param freeBytes bytes of the disk that stay free; 0 for no limit
 * @param eviction the order of eviction
 * @param retain whether blocks are never evicted, for stores that replace the logs
 * @param mode the mode of groups that have no mode of their own
 * @param modes the modes of single groups
 */
public record CacheSettings(
    long budgetBytes,
    long freeBytes,
    Eviction eviction,
    boolean retain,
    Mode mode,
    Map<Group, Mode> modes) {

  /** No limit; every group is followed. */
  public static final CacheSettings EVERYTHING =
      new CacheSettings(0, 0, Eviction.LEAST_RECENTLY_USED, false, Mode.FOLLOW, Map.of());

  /** The blocks that are evicted first. */
  public enum Eviction {
    /**
     * Blocks that were not read for the longest time. A block that was never read counts from the
     * time it was made.
     */
    LEAST_RECENTLY_USED,
    /** Blocks of the oldest events. */
    OLDEST
  }

  /** The time when a group's log is put into columns. */
  public enum Mode {
    /** The log is put into columns as it grows. The log so far is put into columns, too. */
    FOLLOW,
    /** A span is put into columns after it was read from the log. */
    ON_READ,
    /** Never by the process that follows. */
    NEVER
  }

  public CacheSettings {
    modes = Map.copyOf(modes);
    if (budgetBytes < 0 || freeBytes < 0) {
      throw new IllegalArgumentException(
          "a bound is negative: budget=" + budgetBytes + ", free=" + freeBytes);
    }
  }

  public Mode modeOf(Group group) {
    return modes.getOrDefault(group, mode);
  }

  public boolean isBounded() {
    return budgetBytes > 0 || freeBytes > 0;
  }
}
