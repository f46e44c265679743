package org.kblake.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Estimates beside distributions whose entropy is known. */
class EntropyEstimateTest {

  private static final int COUNT = 5000;

  private final Random random = new Random(1);

  @Test
  void fewDistinctNumbersHaveTheEntropyOfTheirFrequencies() {
    long[] numbers = random.longs(COUNT, 0, 64).toArray();
    assertThat(EntropyEstimate.ofSeries(numbers)).isCloseTo(6, within(0.05));
  }

  @Test
  void manyDistinctNumbersHaveTheEntropyOfTheirDensity() {
    long[] numbers = random.longs(COUNT, 0, 1L << 46).toArray();
    assertThat(EntropyEstimate.ofSeries(numbers)).isCloseTo(46, within(0.1));
  }

  /** A Gaussian of deviation s has log2(s sqrt(2 pi e)) bits, here in steps of 2^-50. */
  @Test
  void calculatedDoublesHaveTheEntropyOfTheirLowBits() {
    long[] bits = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      bits[i] = Double.doubleToRawLongBits(6 + 0.02 * random.nextGaussian());
    }
    double expected = Math.log(0.02 * Math.sqrt(2 * Math.PI * Math.E)) / Math.log(2) + 50;
    assertThat(EntropyEstimate.ofSeries(EntropyEstimate.integers(bits)))
        .isCloseTo(expected, within(0.1));
  }

  /**
   * A random walk of 16 steps on the grid of an ADC: most values differ, 4 bits of each are new.
   */
  @Test
  void readingsOfAnAdcHaveTheEntropyOfTheirSteps() {
    long[] bits = new long[COUNT];
    long counts = 500_000;
    for (int i = 0; i < COUNT; i++) {
      counts += random.nextInt(16) - 3;
      bits[i] = Double.doubleToRawLongBits(3.7 + 0.001_234_5 * counts);
    }
    assertThat(EntropyEstimate.ofSeries(EntropyEstimate.integers(bits))).isCloseTo(4, within(0.05));
  }

  @Test
  void aConstantHasNone() {
    assertThat(EntropyEstimate.ofSeries(new long[] {7, 7, 7})).isZero();
    assertThat(EntropyEstimate.ofSeries(new long[] {7})).isZero();
    assertThat(EntropyEstimate.ofSeries(new long[0])).isZero();
  }
}
