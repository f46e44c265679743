package org.kblake.benchmarks.jparc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;

/**
 * Measures the time of reads of random days of random channels. They are the same for each program.
 */
final class ValueReads {

  /** The number of days of a read: two for each reader. */
  private static final int DAYS_AT_ONCE = 2 * StoredValues.READERS;

  private static final int COLD_TIMES = 3;
  private static final int MIN_TIMES = 3;

  private final Measurement measurement;
  private final SimulatedDays data;
  private final double uncountedSeconds;
  private final double seconds;

  ValueReads(Measurement measurement, SimulatedDays data) {
    this.measurement = measurement;
    this.data = data;
    boolean tiny = measurement.size() == Size.TINY;
    uncountedSeconds = tiny ? 0 : 0.5;
    seconds = tiny ? 0 : 1;
  }

  /**
   * Compares the sum of all values.
   *
   * @throws IOException if a program has other values
   */
  static void compare(StoredValues stored, SimulatedDays data, int days, long sum)
      throws IOException, InterruptedException {
    if (stored.sum(RequestedDay.all(data, days)) != sum) {
      throw new IOException("other values: " + stored.text());
    }
  }

  /** Reads for some seconds, after some seconds that are not counted. */
  Figure warm(String of, StoredValues stored) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(1);
    List<Double> samples = new ArrayList<>();
    long begin = System.nanoTime();
    double passed = 0;
    do {
      double rate = rate(stored, random);
      if (passed >= uncountedSeconds) {
        samples.add(rate);
      }
      passed = (System.nanoTime() - begin) / 1e9;
    } while (passed < uncountedSeconds + seconds || samples.size() < MIN_TIMES);
    return Figure.of(of, Unit.THOUSANDS_PER_SECOND, samples);
  }

  /** Reads without a page of the files in the page cache, and with empty caches of the program. */
  Figure cold(String of, StoredValues stored) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(2);
    List<Double> samples = new ArrayList<>();
    for (int i = 0; i < COLD_TIMES; i++) {
      measurement.evict(stored.forget());
      samples.add(rate(stored, random));
    }
    return Figure.of(of, Unit.THOUSANDS_PER_SECOND, samples);
  }

  private double rate(StoredValues stored, SplittableRandom random)
      throws IOException, InterruptedException {
    List<RequestedDay> days = RequestedDay.random(data, DAYS_AT_ONCE, random);
    return days.size() * data.daySeconds() / stored.read(days);
  }
}
