package org.kblake.record.importing;

import org.kblake.core.layout.ReferenceLayout;

/**
 * How imported events become pairs.
 *
 * @param milestoneNanos the interval between milestones
 * @param silenceNanos a longer time without an event of any channel counts as not recorded: it has
 *     no milestones
 * @param backNanos how much earlier than an event before it in its segment an event may be
 * @param largestLogBytes a new pair begins before a log is larger
 */
public record ImportSettings(
    long milestoneNanos, long silenceNanos, long backNanos, long largestLogBytes) {

  /** Returns the bytes of the largest milestone for which logs have room. */
  long largestMilestone() {
    return Math.min(64L << 20, largestLogBytes / 4);
  }

  public ImportSettings {
    largestLogBytes = Math.min(largestLogBytes, ReferenceLayout.INSTANCE.maxLogBytes());
  }
}
