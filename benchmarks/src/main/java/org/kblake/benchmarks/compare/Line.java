package org.kblake.benchmarks.compare;

import org.jspecify.annotations.Nullable;

/**
 * A figure of kblake beside a limit or a peer.
 *
 * @param what what is measured
 * @param ours kblake
 * @param beside the limit or the peer; null if there is none
 * @param aim what is wanted
 */
record Line(String what, Figure ours, @Nullable Figure beside, Aim aim) {

  static Line of(String what, Figure ours) {
    return new Line(what, ours, null, Aim.NONE);
  }

  static Line of(String what, Figure ours, Figure beside, Aim aim) {
    return new Line(what, ours, beside, aim);
  }

  /** NaN if there is none. */
  double besideMedian() {
    return beside == null ? Double.NaN : beside.median();
  }

  /**
   * Of the medians: how many times better ours is, or how many times as much where that is the aim.
   */
  double ratio() {
    return ratio(ours.median(), besideMedian());
  }

  /** The lowest ratio that the repetitions leave room for. */
  double leastRatio() {
    return Math.min(extreme(true), extreme(false));
  }

  /** The highest ratio that the repetitions leave room for. */
  double mostRatio() {
    return Math.max(extreme(true), extreme(false));
  }

  private double extreme(boolean oursLeast) {
    if (beside == null) {
      return Double.NaN;
    }
    return oursLeast ? ratio(ours.least(), beside.most()) : ratio(ours.most(), beside.least());
  }

  private double ratio(double figure, double other) {
    boolean timesAsMuch = aim.kind() == Aim.Kind.TIMES_AT_MOST || ours.unit().moreIsBetter();
    return timesAsMuch ? figure / other : other / figure;
  }
}
