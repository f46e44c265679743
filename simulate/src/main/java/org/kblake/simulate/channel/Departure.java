package org.kblake.simulate.channel;

import org.kblake.simulate.machine.Machine;

/**
 * The departure of a reading from its habit. The habit is that of the values posted in the hour
 * before.
 */
final class Departure {

  private static final long HABIT_NANOS = 3600 * Machine.SECOND_NANOS;

  private final long atNanos;
  private final double sigmas;
  private long posted;
  private double mean;
  private double squares;
  private double shift;
  private double firstLevel = Double.NaN;

  Departure(long atNanos, double sigmas) {
    this.atNanos = atNanos;
    this.sigmas = sigmas;
  }

  /** Returns when the next event is due: as planned, or at the departure if that is earlier. */
  long next(long due, long planned) {
    if (due >= atNanos && !Double.isNaN(firstLevel)) {
      return planned;
    }
    return planned > atNanos - Signal.SHORTEST_NANOS ? atNanos : planned;
  }

  /** Returns the level of a reading, from its level without a departure. */
  double level(long due, double level) {
    if (due < atNanos) {
      return level;
    }
    if (Double.isNaN(firstLevel)) {
      firstLevel = mean + sigmas * Math.sqrt(squares / Math.max(1, posted - 1));
      shift = firstLevel - level;
    }
    return level + shift;
  }

  /** Takes the counts of an event. Returns them, or those of the departure, without noise. */
  int posted(long due, int counts, int fullScale) {
    if (due == atNanos) {
      return Math.max(0, Math.min(fullScale, (int) (firstLevel + 0.5)));
    }
    if (due < atNanos && due >= atNanos - HABIT_NANOS) {
      posted++;
      double distance = counts - mean;
      mean += distance / posted;
      squares += distance * (counts - mean);
    }
    return counts;
  }

  /** Returns the time of an event: that of the departure is exact. */
  long time(long due, long time) {
    return due == atNanos ? atNanos : time;
  }
}
