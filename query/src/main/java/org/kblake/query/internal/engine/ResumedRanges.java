package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.source.AnswerPosition.Point;

/**
 * The ranges of a group from a place on.
 *
 * @param ranges the ranges from the segment of the place on, in log order
 * @param rowsToSkip the number of their first rows that are before the place
 * @param skippedRanges the number of the first ranges that may have these rows
 */
record ResumedRanges(List<PlannedRange> ranges, long rowsToSkip, int skippedRanges) {

  /**
   * @param group all ranges of the group
   * @param place null for the begin
   * @throws IOException if no range has the place, because the archive does not have its pair
   */
  static ResumedRanges of(Reading group, @Nullable Point place) throws IOException {
    List<PlannedRange> all = group.ranges();
    if (place == null) {
      return new ResumedRanges(all, 0, 0);
    }
    List<PlannedRange> ranges = new ArrayList<>();
    int ofPair = 0;
    for (PlannedRange planned : all) {
      // Stamps have digits only, and their order is that of the pairs.
      int order = planned.readRange().pair().stamp().compareTo(place.stamp());
      PlannedRange rest = order == 0 ? planned.from(place.offset()) : planned;
      if (order >= 0 && rest != null) {
        ranges.add(rest);
        ofPair += order == 0 ? 1 : 0;
      }
    }
    if (ofPair == 0) {
      throw new IOException(
          "the archive has no log of %s from %s at byte %s"
              .formatted(group.plan().group(), place.stamp(), place.offset()));
    }
    if (ranges.get(0).readRange() instanceof RawRange first) {
      group.report().onlyFrom(group.shared().planner().firstMilestoneNanos(first));
    }
    return new ResumedRanges(ranges, place.rows(), ofPair);
  }
}
