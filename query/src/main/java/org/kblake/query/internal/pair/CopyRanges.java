package org.kblake.query.internal.pair;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;

/**
 * The ranges of a pair of which only the mirror's copy can be read, or the archive has only the
 * begin.
 */
final class CopyRanges {

  private CopyRanges() {}

  /**
   * Returns the ranges of a pair without what its copy does not have any more.
   *
   * @param log the pair, as the copy has it
   * @param archived the begin of the log that the archive still has; null if it has none
   * @param found the ranges as if the copy had the whole log up to its end
   * @param reason why the rest cannot be read
   */
  static List<PairRange> of(
      PairLog log,
      @Nullable PairLog archived,
      PairSlot slot,
      List<PairRange> found,
      PairRange.Missing reason,
      MissingRanges missing) {
    LogCopy copy = log.onlyCopy();
    List<PairRange> pairRanges = new ArrayList<>();
    for (PairRange pairRange : found) {
      if (copy != null
          && pairRange instanceof PairRange.Raw raw
          && raw.fromOffset() < copy.fromOffset()) {
        Milestones milestones = log.milestones();
        long held =
            Math.min(raw.toOffset(), milestones.offsetAfter(copy.fromOffset() - 1, log.logBytes()));
        long lost = raw.fromOffset();
        if (archived != null && lost < archived.logBytes()) {
          lost = Math.min(raw.toOffset(), archived.logBytes());
          pairRanges.add(new PairRange.Raw(archived, raw.fromOffset(), lost));
        }
        if (lost < held) {
          long from = PairResolver.nanos(log, milestones.lastUpTo(lost), slot.beginNanos());
          long to = PairResolver.nanos(log, milestones.indexOfOffset(held), slot.endNanos());
          missing.addBetween(pairRanges, reason, from, to);
        }
        if (held < raw.toOffset()) {
          pairRanges.add(new PairRange.Raw(log, held, raw.toOffset()));
        }
      } else {
        pairRanges.add(pairRange);
      }
    }
    return pairRanges;
  }
}
