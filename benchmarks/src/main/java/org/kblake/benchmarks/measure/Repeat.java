package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures repetitions of work that takes too long for a JMH benchmark, or runs as its own process.
 */
public final class Repeat {

  /** The work that is measured. */
  @FunctionalInterface
  public interface Work {
    /** Does the work once. */
    void run() throws IOException, InterruptedException;
  }

  private Repeat() {}

  /** Returns the milliseconds of each repetition, after some repetitions that are not counted. */
  public static List<Double> millis(int uncounted, int times, Work work)
      throws IOException, InterruptedException {
    return millis(uncounted, times, () -> {}, work);
  }

  /**
   * Returns the milliseconds of each repetition, after some repetitions that are not counted.
   *
   * @param before the work before each repetition, whose time is not counted
   */
  public static List<Double> millis(int uncounted, int times, Work before, Work work)
      throws IOException, InterruptedException {
    List<Double> samples = new ArrayList<>();
    for (int i = -uncounted; i < times; i++) {
      before.run();
      long begin = System.nanoTime();
      work.run();
      double millis = (System.nanoTime() - begin) / 1e6;
      if (i >= 0) {
        samples.add(millis);
      }
    }
    return samples;
  }
}
