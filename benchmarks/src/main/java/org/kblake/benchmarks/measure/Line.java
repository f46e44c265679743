package org.kblake.benchmarks.measure;

import org.jspecify.annotations.Nullable;

/**
 * A figure of kblake beside the figure of a limit or a peer.
 *
 * @param what the name of the measured operation
 * @param ours the figure of kblake
 * @param beside the figure of the limit or the peer; null if there is none
 * @param aim the aim
 */
public record Line(String what, Figure ours, @Nullable Figure beside, Aim aim) {

  public static Line of(String what, Figure ours) {
    return new Line(what, ours, null, Aim.NONE);
  }

  public static Line of(String what, Figure ours, Figure beside, Aim aim) {
    return new Line(what, ours, beside, aim);
  }

  /** Returns the median of the figure beside, or NaN if there is none. */
  public double besideMedian() {
    return beside == null ? Double.NaN : beside.median();
  }

  /**
   * Returns the ratio of the medians: the factor by which kblake is better, or the multiple if the
   * kind of the aim is {@link Aim.Kind#TIMES_AT_MOST}.
   */
  public double ratio() {
    return ratio(ours.median(), besideMedian());
  }

  /** Returns the lowest ratio of a sample of one figure to a sample of the other. */
  public double leastRatio() {
    return Math.min(extreme(true), extreme(false));
  }

  /** Returns the highest ratio of a sample of one figure to a sample of the other. */
  public double mostRatio() {
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
