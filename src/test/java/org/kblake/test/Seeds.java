package org.kblake.test;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Seeds of random tests, which print them. A test takes the same ones in each run; {@code
 * -Dkblake.seed=new} takes new ones, {@code -Dkblake.seed=N} runs seed N alone, and {@code
 * -Dkblake.fuzz=N} runs so many seeds in each test.
 */
final class Seeds {

  private static final String SEED = "kblake.seed";
  private static final int SEEDS = 1_000_000_000;

  private Seeds() {}

  /** What a test does with a seed. */
  @FunctionalInterface
  interface Check {
    void run(long seed) throws Exception;
  }

  /** Whether one seed is asked for: then a test cannot expect that everything occurs. */
  static boolean isOneAskedFor() {
    return Long.getLong(SEED) != null;
  }

  /** A seed for a test that needs one. */
  static long one(String test) {
    Long asked = Long.getLong(SEED);
    long seed = asked == null ? first(test) : asked;
    System.out.println(test + ": seed " + seed);
    return seed;
  }

  private static long first(String test) {
    return "new".equals(System.getProperty(SEED))
        ? ThreadLocalRandom.current().nextInt(SEEDS)
        : Math.floorMod(test.hashCode(), SEEDS);
  }

  /**
   * Runs a check with several seeds. What fails names its seed.
   *
   * @param count how many, unless others are asked for
   */
  static void each(String test, int count, Check check) throws Exception {
    int seeds = isOneAskedFor() ? 1 : Integer.getInteger("kblake.fuzz", count);
    long seed = one(test);
    // neighbours would not do: the first numbers of java.util.Random are nearly alike for them
    SplittableRandom others = new SplittableRandom(seed);
    for (int i = 0; i < seeds; i++) {
      try {
        check.run(seed);
      } catch (AssertionError | Exception e) {
        throw new AssertionError(test + ", repeat it with -D" + SEED + "=" + seed, e);
      }
      seed = others.nextInt(SEEDS);
    }
  }
}
