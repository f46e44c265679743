package org.kblake.core.internal.sums;

/**
 * Sums from which the mean and the standard deviation of each bin are computed, with an error of at
 * most 1e-12 times the largest absolute value.
 *
 * <p>The first value of a bin is its origin. The sums are those of the distances from it, and of
 * their squares, each with a second number for the rounding errors (Knuth's sum of two numbers, and
 * the fused multiplication). So neither a long bin nor a large offset loses digits. All values of a
 * bin are scaled by a power of two, after the largest of them, so that no square overflows, and
 * none that matters underflows.
 */
public final class ScaledSums {

  /** The approximate bytes of a bin. */
  public static final int BIN_BYTES = 5 * Double.BYTES + 1;

  /** The factors, for tiny, usual and huge values. */
  private static final double[] SCALES = {0x1p600, 1, 0x1p-600};

  /** The largest absolute value for each factor. */
  private static final double[] LIMITS = {0x1p-300, 0x1p400, Double.MAX_VALUE};

  private static final int SCALE_BITS = 3;
  private static final int BEGUN = 4;
  private static final int POSITIVE_INFINITY = 8;
  private static final int NEGATIVE_INFINITY = 16;

  private final byte[] states;
  private final double[] origins;
  private final double[] sums;
  private final double[] sumErrors;
  private final double[] squares;
  private final double[] squareErrors;

  /**
   * @param squares whether the standard deviation is needed
   */
  public ScaledSums(int bins, boolean squares) {
    states = new byte[bins];
    origins = new double[bins];
    sums = new double[bins];
    sumErrors = new double[bins];
    this.squares = new double[squares ? bins : 0];
    squareErrors = new double[squares ? bins : 0];
  }

  /**
   * Adds values to a bin.
   *
   * @param values none is NaN
   * @param most the largest absolute value of them
   */
  public void add(int bin, double[] values, int count, double most) {
    if (most == Double.POSITIVE_INFINITY) {
      for (int i = 0; i < count; i++) {
        add(bin, values[i], 1);
      }
      return;
    }
    double scale = prepare(bin, values[0], most);
    if (squares.length > 0) {
      addWithSquares(bin, values, count, scale);
      return;
    }
    double origin = origins[bin];
    double sum = sums[bin];
    double error = sumErrors[bin];
    for (int i = 0; i < count; i++) {
      double distance = values[i] * scale - origin;
      double next = sum + distance;
      double added = next - sum;
      error += (sum - (next - added)) + (distance - added);
      sum = next;
    }
    sums[bin] = sum;
    sumErrors[bin] = error;
  }

  private void addWithSquares(int bin, double[] values, int count, double scale) {
    double origin = origins[bin];
    double sum = sums[bin];
    double error = sumErrors[bin];
    double squareSum = squares[bin];
    double squareError = squareErrors[bin];
    for (int i = 0; i < count; i++) {
      double distance = values[i] * scale - origin;
      double next = sum + distance;
      double added = next - sum;
      error += (sum - (next - added)) + (distance - added);
      sum = next;
      double square = distance * distance;
      double nextSquare = squareSum + square;
      double squareAdded = nextSquare - squareSum;
      squareError +=
          (squareSum - (nextSquare - squareAdded))
              + (square - squareAdded)
              + Math.fma(distance, distance, -square);
      squareSum = nextSquare;
    }
    sums[bin] = sum;
    sumErrors[bin] = error;
    squares[bin] = squareSum;
    squareErrors[bin] = squareError;
  }

  /**
   * Adds a value with a weight. The standard deviation then has no meaning, unless the weight is 1.
   *
   * @param value not NaN
   */
  public void add(int bin, double value, double weight) {
    if (Double.isInfinite(value)) {
      states[bin] |= (byte) (value > 0 ? POSITIVE_INFINITY : NEGATIVE_INFINITY);
      return;
    }
    double scale = prepare(bin, value, Math.abs(value));
    double distance = (value * scale - origins[bin]) * weight;
    double next = sums[bin] + distance;
    double added = next - sums[bin];
    sumErrors[bin] += (sums[bin] - (next - added)) + (distance - added);
    sums[bin] = next;
    if (squares.length > 0) {
      double square = distance * distance;
      double nextSquare = squares[bin] + square;
      double squareAdded = nextSquare - squares[bin];
      squareErrors[bin] +=
          (squares[bin] - (nextSquare - squareAdded))
              + (square - squareAdded)
              + Math.fma(distance, distance, -square);
      squares[bin] = nextSquare;
    }
  }

  /**
   * Adds values of which only the mean and the deviation are known.
   *
   * @param count the number of values, at least 1
   * @param mean their mean, as {@link #mean} returns it: not finite if a value is infinite
   * @param deviation the root of their mean square distance from the mean, as {@link #spread}
   *     returns it
   * @param most the largest absolute value of them
   */
  public void addAll(int bin, double count, double mean, double deviation, double most) {
    if (Double.isInfinite(mean) || Double.isNaN(mean)) {
      states[bin] |= (byte) (mean < 0 ? 0 : POSITIVE_INFINITY);
      states[bin] |= (byte) (mean > 0 ? 0 : NEGATIVE_INFINITY);
      return;
    }
    double scale = prepare(bin, mean, most);
    double distance = mean * scale - origins[bin];
    double product = distance * count;
    addSum(bin, product, Math.fma(distance, count, -product));
    if (squares.length > 0) {
      double square = distance * distance;
      double weighted = square * count;
      double error =
          Math.fma(square, count, -weighted) + Math.fma(distance, distance, -square) * count;
      addSquare(bin, weighted, error);
      double own = deviation * scale;
      addSquare(bin, own * own * count, 0);
    }
  }

  private void addSum(int bin, double number, double error) {
    double sum = sums[bin];
    double next = sum + number;
    double added = next - sum;
    sumErrors[bin] += (sum - (next - added)) + (number - added) + error;
    sums[bin] = next;
  }

  private void addSquare(int bin, double number, double error) {
    double sum = squares[bin];
    double next = sum + number;
    double added = next - sum;
    squareErrors[bin] += (sum - (next - added)) + (number - added) + error;
    squares[bin] = next;
  }

  /** Removes all values of a bin. */
  public void clear(int bin) {
    states[bin] = 0;
    origins[bin] = 0;
    sums[bin] = 0;
    sumErrors[bin] = 0;
    if (squares.length > 0) {
      squares[bin] = 0;
      squareErrors[bin] = 0;
    }
  }

  /**
   * Scales a bin for values.
   *
   * @return the factor
   */
  private double prepare(int bin, double first, double most) {
    int state = states[bin];
    int scale = state & SCALE_BITS;
    boolean begun = (state & BEGUN) != 0;
    if (begun && most <= LIMITS[scale]) {
      return SCALES[scale];
    }
    int needed = most <= LIMITS[0] ? 0 : most <= LIMITS[1] ? 1 : 2;
    if (!begun) {
      origins[bin] = first * SCALES[needed];
    } else {
      for (int i = scale; i < needed; i++) {
        origins[bin] *= SCALES[2];
        sums[bin] *= SCALES[2];
        sumErrors[bin] *= SCALES[2];
        if (squares.length > 0) {
          squares[bin] = squares[bin] * SCALES[2] * SCALES[2];
          squareErrors[bin] = squareErrors[bin] * SCALES[2] * SCALES[2];
        }
      }
    }
    states[bin] = (byte) (state & ~SCALE_BITS | BEGUN | needed);
    return SCALES[needed];
  }

  /**
   * Returns the mean of a bin.
   *
   * @param weight the sum of the weights of its finite values; the number of them if each is 1
   */
  public double mean(int bin, double weight) {
    int infinities = states[bin] & (POSITIVE_INFINITY | NEGATIVE_INFINITY);
    if (infinities != 0) {
      return infinities == POSITIVE_INFINITY
          ? Double.POSITIVE_INFINITY
          : infinities == NEGATIVE_INFINITY ? Double.NEGATIVE_INFINITY : Double.NaN;
    }
    double mean = origins[bin] + (sums[bin] + sumErrors[bin]) / weight;
    double unscaled = mean / SCALES[states[bin] & SCALE_BITS];
    // Rounding may exceed the largest number.
    return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, unscaled));
  }

  /**
   * Returns the standard deviation of the sample in a bin. It is NaN if a value is infinite.
   *
   * @param count the number of values, at least 2
   */
  public double deviation(int bin, long count) {
    return deviation(bin, count, count - 1);
  }

  /**
   * Returns the root of the mean square distance of the values in a bin from their mean. It is NaN
   * if a value is infinite.
   *
   * @param count the number of values, at least 1
   */
  public double spread(int bin, long count) {
    double spread = deviation(bin, count, count);
    // Rounding may exceed the largest number.
    return Double.isNaN(spread) ? spread : Math.min(Double.MAX_VALUE, spread);
  }

  private double deviation(int bin, long count, long divisor) {
    if ((states[bin] & (POSITIVE_INFINITY | NEGATIVE_INFINITY)) != 0) {
      return Double.NaN;
    }
    // (sum of squares - sum * sum / count) / divisor, with twice the digits.
    double sum = sums[bin] + sumErrors[bin];
    double error = sumErrors[bin] - (sum - sums[bin]);
    double product = sum * sum;
    double productError = Math.fma(sum, sum, -product) + 2 * sum * error;
    double quotient = product / count;
    double quotientError = (Math.fma(-quotient, (double) count, product) + productError) / count;
    double variance = (squares[bin] - quotient) + (squareErrors[bin] - quotientError);
    return Math.sqrt(Math.max(0, variance) / divisor) / SCALES[states[bin] & SCALE_BITS];
  }
}
