package org.kblake.benchmarks.jparc;

import java.util.SplittableRandom;
import org.kblake.core.model.ValueType;

/** The kinds of values. For each another encoding is the smallest. */
enum ValueKind {
  /** Numbers of 53 random bits between 0 and 1, as in J-PARC's test. */
  RANDOM("random-doubles", "random doubles", ValueType.DOUBLE) {
    @Override
    long next(SplittableRandom random, long before) {
      return Double.doubleToRawLongBits(random.nextDouble());
    }
  },
  /** Readings of a converter: few distinct numbers, and steps of a random walk. */
  READINGS("readings", "readings of a converter, doubles", ValueType.DOUBLE) {
    @Override
    long next(SplittableRandom random, long before) {
      double walk = Double.longBitsToDouble(before) + (random.nextInt(65) - 32) / STEPS;
      return Double.doubleToRawLongBits(walk % FULL_SCALE);
    }
  },
  /** Counters, which grow by some counts each second. */
  COUNTERS("counters", "counters, 32 bits", ValueType.LONG) {
    @Override
    long next(SplittableRandom random, long before) {
      return (before + 900 + random.nextInt(200)) & Integer.MAX_VALUE;
    }
  };

  private static final double STEPS = 64;
  private static final double FULL_SCALE = 8;

  private final String file;
  private final String text;
  private final ValueType type;

  ValueKind(String file, String text, ValueType type) {
    this.file = file;
    this.text = text;
    this.type = type;
  }

  /** Returns the name in files. */
  String file() {
    return file;
  }

  /** Returns the name in tables. */
  String text() {
    return text;
  }

  ValueType type() {
    return type;
  }

  /** Returns the number of bytes of a value. */
  int bytes() {
    return type == ValueType.LONG ? Integer.BYTES : Double.BYTES;
  }

  /**
   * Returns the bits of the next value.
   *
   * @param before the bits of the channel's value before, 0 at first
   */
  abstract long next(SplittableRandom random, long before);
}
