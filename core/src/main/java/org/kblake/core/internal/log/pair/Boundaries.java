package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.util.Arrays;
import org.kblake.core.layout.LogLayout;

/**
 * The boundaries between segments that are known before a scan: the milestone at which it starts,
 * and the milestones of the index behind it. If the scan finds that an index entry is broken, the
 * boundary is dropped.
 */
public final class Boundaries {

  private final long pairBeginNanos;
  private final Milestones milestones;
  private final MilestoneProbe probe;
  private final long[] offsets;
  private final boolean[] dropped;

  private int probed = -1;

  /**
   * @param pairBeginNanos the time of a milestone that has no time in log or index
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

  /** Returns the number of a boundary that does not exist. It stands for the end of the log. */
  public int none() {
    return offsets.length;
  }

  /**
   * Returns whether a boundary exists. The number behind the last boundary, {@link #none}, stands
   * for none.
   */
  public boolean exists(int i) {
    return i < offsets.length;
  }

  public long offset(int i) {
    return offsets[i];
  }

  /** Returns the next boundary that is not dropped; it may not exist. */
  public int after(int i) {
    int next = i + 1;
    while (next < offsets.length && dropped[next]) {
      next++;
    }
    return next;
  }

  /** Drops a boundary because its index entry is broken. */
  public void drop(int i) {
    dropped[i] = true;
  }

  /** Returns the boundary at an offset, or a negative number. */
  public int indexOf(long offset) {
    return Arrays.binarySearch(offsets, offset);
  }

  /** Returns whether the log has a milestone header at a boundary. */
  public boolean isMilestone(int i) throws IOException {
    readHeader(i);
    return probe.isMilestone();
  }

  /** Returns whether log and index have the same time for a milestone, or the index has none. */
  public boolean agrees(int i) throws IOException {
    long indexed = indexedNanos(i);
    readHeader(i);
    return indexed == LogLayout.IMPOSSIBLE_NANOS || indexed == probe.nanos();
  }

  /** Returns the milestone's time in the index, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long indexedNanos(int i) {
    return milestones.nanosAt(offsets[i]);
  }

  /**
   * Returns the milestone's time: that of its header, otherwise that of the index, otherwise the
   * pair's begin.
   */
  public long nanos(int i) throws IOException {
    readHeader(i);
    long indexed = indexedNanos(i);
    boolean header = probe.nanos() != LogLayout.IMPOSSIBLE_NANOS;
    if (header && (probe.isMilestone() || indexed == LogLayout.IMPOSSIBLE_NANOS)) {
      return probe.nanos();
    }
    return indexed != LogLayout.IMPOSSIBLE_NANOS ? indexed : pairBeginNanos;
  }

  /**
   * Returns the span of the milestone's times in header and index. Both count, because one of them
   * may be damaged.
   */
  public TimeSpan times(int i) throws IOException {
    TimeSpan time = TimeSpan.at(nanos(i));
    long indexed = indexedNanos(i);
    return indexed == LogLayout.IMPOSSIBLE_NANOS ? time : time.and(indexed);
  }

  private void readHeader(int i) throws IOException {
    if (probed != i) {
      probe.at(offsets[i]);
      probed = i;
    }
  }
}
