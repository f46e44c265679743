package org.kblake.core.internal.log.pair;

import java.io.IOException;
import org.kblake.core.layout.LogLayout;

/**
 * The milestones that have both an index entry and a header in the log. Reading can continue at
 * them after any damage. An entry without a header may be incomplete.
 */
public final class KnownMilestones {

  /** The offset that stands for the milestone behind the last one. */
  public static final long NONE = Long.MAX_VALUE;

  private final Milestones milestones;
  private final MilestoneProbe probe;

  /**
   * The begin of the offsets for which {@link #after} returns foundOffset. They end before
   * foundOffset.
   */
  private long foundFromOffset = NONE;

  private long foundOffset = NONE;

  /**
   * @param milestones the milestones of the index
   * @param probe reads the log
   */
  KnownMilestones(Milestones milestones, MilestoneProbe probe) {
    this.milestones = milestones;
    this.probe = probe;
  }

  /** Returns whether the index has an entry with an offset. The log is not read. */
  public boolean isIndexed(long offset) {
    return milestones.indexOfOffset(offset) >= 0;
  }

  /** Returns whether index and log both have a milestone at an offset. */
  public boolean has(long offset) throws IOException {
    if (!isIndexed(offset)) {
      return false;
    }
    probe.at(offset);
    return probe.isMilestone();
  }

  /** Returns the milestone's time in the index, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos(long offset) {
    return milestones.nanosAt(offset);
  }

  /** Returns the offset of the first milestone behind an offset, or {@link #NONE}. */
  public long after(long offset) throws IOException {
    if (offset < foundFromOffset || offset >= foundOffset) {
      int next = milestones.lastUpTo(offset) + 1;
      while (next < milestones.count() && !has(milestones.offset(next))) {
        next++;
      }
      foundFromOffset = offset;
      foundOffset = next < milestones.count() ? milestones.offset(next) : NONE;
    }
    return foundOffset;
  }

  /** Returns the offset of the last milestone at or before an offset; 0 if there is none. */
  public long upTo(long offset) throws IOException {
    int last = milestones.lastUpTo(offset);
    while (last > 0 && !has(milestones.offset(last))) {
      last--;
    }
    return last < 0 ? 0 : milestones.offset(last);
  }

  /** Returns the offset of the last milestone; 0 if there is none. */
  public long last() throws IOException {
    return upTo(NONE);
  }
}
