package org.kblake.simulate.machine;

/**
 * SplitMix64, written out: the n-th number of a stream is {@code mix(seed + n * GAMMA)}, so a
 * stream is one {@code long} and needs no object on a hot path.
 *
 * <p>Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014. The JDK's
 * {@code SplittableRandom} is the same algorithm, but does not promise to remain so, and its
 * Gaussians have changed between releases.
 */
public final class SplitMix {

  /** What a stream's state grows by for each number. */
  public static final long GAMMA = 0x9E3779B97F4A7C15L;

  private static final double UNIT = 1.0 / (1L << 53);

  private long state;

  public SplitMix(long seed) {
    state = seed;
  }

  /** The number that belongs to a state. */
  public static long mix(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A seed for a part of what has a seed, such as a channel of a group. */
  public static long derive(long seed, long part) {
    return mix(mix(seed + GAMMA) ^ (part * 0xD6E8FEB86659FD93L + GAMMA));
  }

  /** A seed for a named part. */
  public static long derive(long seed, String part) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < part.length(); i++) {
      hash = (hash ^ part.charAt(i)) * 0x100000001B3L;
    }
    return derive(seed, hash);
  }

  public long next() {
    return mix(state += GAMMA);
  }

  /** From 0 to bound, the bound not included. */
  public int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  /** From one bound to the other, both included. */
  public int between(int least, int most) {
    return least + below(most - least + 1);
  }

  /** From 0 to 1, neither included. */
  public double unit() {
    return unit(next());
  }

  /** A random number's leading bits as a fraction between 0 and 1, neither included. */
  public static double unit(long random) {
    return ((random >>> 11) + 0.5) * UNIT;
  }

  public double between(double least, double most) {
    return least + (most - least) * unit();
  }

  /** Whether something of this probability happens. */
  public boolean chance(double probability) {
    return unit() < probability;
  }

  /** A waiting time of the given mean, memoryless, in the mean's unit. */
  public double waiting(double mean) {
    return -mean * StrictMath.log(unit());
  }

  /** Standard normal, one of the {@link Gaussian} table's values. */
  public double gaussian() {
    return Gaussian.of(next());
  }
}
