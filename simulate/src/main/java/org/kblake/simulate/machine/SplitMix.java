package org.kblake.simulate.machine;

/**
 * The random number generator SplitMix64. The n-th number of a stream is {@code mix(seed + n *
 * GAMMA)}. So the state of a stream is one {@code long}, and fast loops need no object.
 *
 * <p>Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014. The JDK's
 * {@code SplittableRandom} uses the same algorithm, but does not specify it, and its Gaussian
 * numbers have changed between releases.
 */
public final class SplitMix {

  /** The increment of a stream's state for each number. */
  public static final long GAMMA = 0x9E3779B97F4A7C15L;

  private static final double UNIT = 1.0 / (1L << 53);

  private long state;

  public SplitMix(long seed) {
    state = seed;
  }

  /** Returns the number of a state. */
  public static long mix(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns the seed of a branch, such as a channel of a group, from the seed of the whole. */
  public static long derive(long seed, long branch) {
    return mix(mix(seed + GAMMA) ^ (branch * 0xD6E8FEB86659FD93L + GAMMA));
  }

  /** Returns the seed of a named branch. */
  public static long derive(long seed, String branch) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < branch.length(); i++) {
      hash = (hash ^ branch.charAt(i)) * 0x100000001B3L;
    }
    return derive(seed, hash);
  }

  public long next() {
    return mix(state += GAMMA);
  }

  /** Returns a number from 0 to {@code bound}, not included. */
  public int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  /** Returns a number between two bounds, both included. */
  public int between(int least, int most) {
    return least + below(most - least + 1);
  }

  /** Returns a number from 0 to 1, neither included. */
  public double unit() {
    return unit(next());
  }

  /** Returns a random number's leading bits as a fraction between 0 and 1, neither included. */
  public static double unit(long random) {
    return ((random >>> 11) + 0.5) * UNIT;
  }

  public double between(double least, double most) {
    return least + (most - least) * unit();
  }

  /** Returns true with a probability. */
  public boolean chance(double probability) {
    return unit() < probability;
  }

  /** Returns a waiting time of an exponential distribution, in the unit of its mean. */
  public double waiting(double mean) {
    return -mean * StrictMath.log(unit());
  }

  /** Returns a number of the standard normal distribution, from the table in {@link Gaussian}. */
  public double gaussian() {
    return Gaussian.of(next());
  }
}
