package org.kblake.query.internal.moved;

import java.util.List;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.Movement.Measure;

/**
 * A movement, unless a gap explains it.
 *
 * @param sinceNanos the last time at which the habit was seen
 * @param untilNanos the time at which the movement was seen
 */
record Candidate(
    Measure measure,
    long onsetNanos,
    long sinceNanos,
    long untilNanos,
    String before,
    String after) {

  /** Returns a movement that one event shows. */
  static Candidate of(
      Measure measure, long onsetNanos, long sinceNanos, String before, String after) {
    return new Candidate(measure, onsetNanos, sinceNanos, onsetNanos, before, after);
  }

  boolean isIn(List<TimeRange> gaps) {
    for (TimeRange gap : gaps) {
      if (gap.fromNanos() < untilNanos && gap.toNanos() > sinceNanos) {
        return true;
      }
    }
    return false;
  }
}
