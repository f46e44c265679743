package org.kblake.core.log;

import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The times of the first writes of a group's pairs. Kblog may have been running from the last write
 * of a pair to the first write of another one, which is any pair if a clock was set back. A pair
 * often begins with the last write of another one.
 */
public final class FirstWrites {

  private final NavigableMap<Long, Set<String>> stampsByNanos = new TreeMap<>();

  /** Begins without pairs. */
  public FirstWrites() {}

  /** Adds the first write of a pair, in nanoseconds since 1970 UTC. */
  public void add(String stamp, long nanos) {
    stampsByNanos.computeIfAbsent(nanos, any -> new HashSet<>()).add(stamp);
  }

  /** Returns the earliest of the first writes; {@link Long#MAX_VALUE} if there is none. */
  public long earliest() {
    return stampsByNanos.isEmpty() ? Long.MAX_VALUE : stampsByNanos.firstKey();
  }

  /** Returns the first write of another pair at a time or after it; null if there is none. */
  public @Nullable Long ofAnother(String stamp, long fromNanos) {
    for (Map.Entry<Long, Set<String>> each : stampsByNanos.tailMap(fromNanos, true).entrySet()) {
      if (each.getValue().size() > 1 || !each.getValue().contains(stamp)) {
        return each.getKey();
      }
    }
    return null;
  }
}
