package org.kblake.benchmarks.follow;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A load on a processor that stands for another program. It prints its rate of work each half
 * second.
 */
public final class BusyLoop {

  private static final int ROUND = 100_000;

  private BusyLoop() {}

  /** Runs until it is killed. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(1);
    long sum = 0;
    while (true) {
      long begin = System.nanoTime();
      long rounds = 0;
      while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(500)) {
        for (int i = 0; i < ROUND; i++) {
          sum += random.nextLong();
        }
        rounds++;
      }
      // The sum is printed so that the compiler does not remove the loop.
      out.println(rounds * 1e9 / (System.nanoTime() - begin) + " " + (sum & 1));
    }
  }
}
