package org.kblake.ingest.internal.live.state;

import java.util.Map;
import org.kblake.core.model.Group;

/**
 * What of an archive is kept in columns.
 *
 * @param budgetBytes blocks and what is in the trash stay below; 0 for no bound
 * @param freeBytes this much of the disk stays free; 0 for no bound
 * @param eviction which blocks go first
 * @param retain whether blocks are never evicted, for stores that replace the logs
 * @param mode of groups that have none of their own
 * @param modes by group
 */
public record CacheSettings(
    long budgetBytes,
    long freeBytes,
    Eviction eviction,
    boolean retain,
    Mode mode,
    Map<Group, Mode> modes) {

  /** No bound; everything is followed. */
  public static final CacheSettings EVERYTHING =
      new CacheSettings(0, 0, Eviction.LEAST_RECENTLY_USED, false, Mode.FOLLOW, Map.of());

  /** Which blocks are evicted first. */
  public enum Eviction {
    /** Those that were not read for the longest time; never read: since they were made. */
    LEAST_RECENTLY_USED,
    /** Those of the oldest events. */
    OLDEST
  }

  /** When a group's log is put into columns. */
  public enum Mode {
    /** As it grows, and what is there already. */
    FOLLOW,
    /** What had to be read from the log, for the next time. */
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
