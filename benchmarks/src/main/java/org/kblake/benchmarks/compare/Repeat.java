package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Repetitions of what is too large, or too much of its own process, for a JMH benchmark. */
final class Repeat {

  /** Something that takes time. */
  @FunctionalInterface
  interface Work {
    /** Does it once. */
    void run() throws IOException, InterruptedException;
  }

  private Repeat() {}

  /** Milliseconds of each repetition; some go before that are not counted. */
  static List<Double> millis(int uncounted, int times, Work work)
      throws IOException, InterruptedException {
    return millis(uncounted, times, () -> {}, work);
  }

  /**
   * As above.
   *
   * @param before what is done before each repetition, and does not count
   */
  static List<Double> millis(int uncounted, int times, Work before, Work work)
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
