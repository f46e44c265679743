package org.kblake.core.internal.log.pair;

import java.io.IOException;
import org.kblake.core.layout.LogLayout;

/**
 * The milestones that an index knows and of which the log shows the header: those that reading can
 * continue at, whatever is damaged before them. An entry without a header may be written in part.
 */
public final class KnownMilestones {

  /** Stands for the one behind the last. */
  public static final long NONE = Long.MAX_VALUE;

  private final Milestones milestones;
  private final MilestoneProbe probe;

  /** {@link #after} is the same for all offsets from here to its answer. */
  private long askedOffset = NONE;

  private long answerOffset = NONE;

  /**
   * @param milestones those of the index
   * @param probe reads the log
   */
  KnownMilestones(Milestones milestones, MilestoneProbe probe) {
    this.milestones = milestones;
    this.probe = probe;
  }

  /** Whether the index has an entry that leads to an offset, whatever the log has there. */
  public boolean isIndexed(long offset) {
    return milestones.indexOfOffset(offset) >= 0;
  }

  /** Whether index and log both have a milestone at an offset. */
  public boolean has(long offset) throws IOException {
    if (!isIndexed(offset)) {
      return false;
    }
    probe.at(offset);
    return probe.isMilestone();
  }

  /** The milestone's time as the index has it, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos(long offset) {
    int known = milestones.indexOfOffset(offset);
    return known < 0 ? LogLayout.IMPOSSIBLE_NANOS : milestones.nanos(known);
  }

  /** The first one behind an offset, or {@link #NONE}. */
  public long after(long offset) throws IOException {
    if (offset < askedOffset || offset >= answerOffset) {
      int next = milestones.lastUpTo(offset) + 1;
      while (next < milestones.count() && !has(milestones.offset(next))) {
        next++;
      }
      askedOffset = offset;
      answerOffset = next < milestones.count() ? milestones.offset(next) : NONE;
    }
    return answerOffset;
  }

  /** The last one at or before an offset; 0 if there is none. */
  public long upTo(long offset) throws IOException {
    int last = milestones.lastUpTo(offset);
    while (last > 0 && !has(milestones.offset(last))) {
      last--;
    }
    return last < 0 ? 0 : milestones.offset(last);
  }

  /** The last one; 0 if there is none. */
  public long last() throws IOException {
    return upTo(NONE);
  }
}
