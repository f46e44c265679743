package org.kblake.query.answer;

import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * A span of time in which a recorder may have lost events of a group.
 *
 * @param group the recorded group
 * @param range the times of the span, both ends included
 * @param count the number of lost events, at least; -1 if it is unknown
 * @param reason why they were lost
 */
public record LossySpan(Group group, TimeRange range, long count, String reason) {

  /** The number of events if it is unknown. */
  public static final long UNKNOWN = -1;

  /** Returns whether a number of events is stated. */
  public boolean isCounted() {
    return count != UNKNOWN;
  }
}
