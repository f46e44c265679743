package org.kblake.record.group;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What was counted for a group since the process began. What was received is written, lost,
 * refused, left to another recorder, or waits. Any thread may read.
 */
public final class GroupCounts {

  private final AtomicLongArray counts = new AtomicLongArray(Count.values().length);

  void add(Count count, long more) {
    counts.addAndGet(count.ordinal(), more);
  }

  /** Returns a count. */
  public long get(Count count) {
    return counts.get(count.ordinal());
  }
}
