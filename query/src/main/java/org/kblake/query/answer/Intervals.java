package org.kblake.query.answer;

import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeMask;

/**
 * The times at which a channel held a value that met a condition.
 *
 * @param channel the channel
 * @param met the times at which the condition was met
 * @param known the times at which the value was known. At other times nobody can say whether the
 *     condition was met.
 * @param coverage the coverage of the question's range, and of the times around it that were read
 */
public record Intervals(Channel channel, TimeMask met, TimeMask known, CoverageReport coverage) {

  /** Returns these intervals with what recorders may have lost beside their coverage. */
  public Intervals with(Losses losses) {
    return new Intervals(channel, met, known, coverage.with(losses));
  }

  /**
   * Returns the times at which the condition was met, or those at which the value was known and the
   * condition was not met.
   */
  public TimeMask times(boolean negated) {
    return negated ? known.without(met) : met;
  }
}
