package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.util.Arrays;
import org.kblake.core.layout.LogLayout;

/**
 * The milestones of a scan that are known beforehand: the one it starts at, and those of the index
 * behind it. An entry of the index that turns out to be broken is dropped on the way.
 */
public final class Boundaries {

  private final long pairBeginNanos;
  private final Milestones milestones;
  private final MilestoneProbe probe;
  private final long[] offsets;
  private final boolean[] dropped;

  private int probed = -1;

  /**
   * @param pairBeginNanos the time of a milestone of which neither log nor index have one
   */
  Boundaries(long pairBeginNanos, Milestones milestones, MilestoneProbe probe, long fromOffset) {
    this.pairBeginNanos = pairBeginNanos;
    this.milestones = milestones;
    this.probe = probe;
    int first = milestones.lastUpTo(fromOffset) + 1;
    offsets = new long[milestones.count() - first + 1];
    offsets[0] = fromOffset;
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = milestones.offset(first + i - 1);
    }
    dropped = new boolean[offsets.length];
  }

  /** What stands for the end of the log: no boundary. */
  public int none() {
    return offsets.length;
  }

  /** Whether there is such a milestone; the last one has none behind it. */
  public boolean exists(int i) {
    return i < offsets.length;
  }

  public long offset(int i) {
    return offsets[i];
  }

  /** The next one that has not been dropped; may not exist. */
  public int after(int i) {
    int next = i + 1;
    while (next < offsets.length && dropped[next]) {
      next++;
    }
    return next;
  }

  /** Takes an entry for broken. */
  public void drop(int i) {
    dropped[i] = true;
  }

  /** The one at an offset. */
  public int indexOf(long offset) {
    return Arrays.binarySearch(offsets, offset);
  }

  /** Whether the log has a milestone's header there. */
  public boolean isMilestone(int i) throws IOException {
    look(i);
    return probe.isMilestone();
  }

  /** Whether the log and the index give the milestone the same time. */
  public boolean agrees(int i) throws IOException {
    long indexed = indexedNanos(i);
    look(i);
    return indexed == LogLayout.IMPOSSIBLE_NANOS || indexed == probe.nanos();
  }

  /** The milestone's time as the index has it, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long indexedNanos(int i) {
    int known = milestones.indexOfOffset(offsets[i]);
    return known < 0 ? LogLayout.IMPOSSIBLE_NANOS : milestones.nanos(known);
  }

  /** The milestone's time: what its header says, else the index, else the pair's begin. */
  public long nanos(int i) throws IOException {
    look(i);
    long indexed = indexedNanos(i);
    boolean header = probe.nanos() != LogLayout.IMPOSSIBLE_NANOS;
    if (header && (probe.isMilestone() || indexed == LogLayout.IMPOSSIBLE_NANOS)) {
      return probe.nanos();
    }
    return indexed != LogLayout.IMPOSSIBLE_NANOS ? indexed : pairBeginNanos;
  }

  /** From the earlier to the later of what header and index say: one of them may be damaged. */
  public Span times(int i) throws IOException {
    Span time = Span.at(nanos(i));
    long indexed = indexedNanos(i);
    return indexed == LogLayout.IMPOSSIBLE_NANOS ? time : time.and(indexed);
  }

  private void look(int i) throws IOException {
    if (probed != i) {
      probe.at(offsets[i]);
      probed = i;
    }
  }
}
