package org.kblake.cli.command.coverage;

import java.util.List;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.EpochNanos;

/** Finds the times of a span in a block from its segments. */
final class StoredTimes {

  private StoredTimes() {}

  /**
   * Returns the times of a span.
   *
   * @param segments the segments of the span, at least one
   * @param boundNanos the archive's disorder bound
   * @param intervalNanos the milestone interval of the pair, which its index shows
   */
  static WriteTimes of(List<StoredSegment> segments, long boundNanos, long intervalNanos) {
    WriteTimes.Builder times = new WriteTimes.Builder(intervalNanos);
    for (int i = 0; i < segments.size(); i++) {
      StoredSegment segment = segments.get(i);
      times.add(
          segment.milestoneNanos(),
          segment.firstNanos(),
          segment.lastNanos(),
          EpochNanos.minus(segment.spanToNanos(), boundNanos),
          i == segments.size() - 1);
      if (segment.damagedBytes() > 0) {
        times.addDamaged(segment.spanFromNanos(), segment.spanToNanos());
      }
    }
    return times.build();
  }
}
