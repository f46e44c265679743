package org.kblake.benchmarks;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.kblake.format.number.ExponentText;
import org.kblake.format.time.ClockText;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Measures the formatting of numbers and times by kblogrd and by the JDK, per second. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KblogrdTextBenchmark {

  private static final int COUNT = 4096;

  /**
   * The distribution of numbers: of similar size, of many sizes, or random bits. Times are
   * consecutive, or random for random bits.
   */
  @Param({"walk", "pressures", "any"})
  public String values;

  private final double[] numbers = new double[COUNT];
  private final long[] times = new long[COUNT];
  private final byte[] target = new byte[64];
  private final ExponentText exponents = new ExponentText();
  private final ClockText clock = new ClockText(ZoneId.of("Asia/Tokyo"));
  private final DateTimeFormatter formatter =
      DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss.SS").withZone(ZoneId.of("Asia/Tokyo"));

  /** Makes numbers and times. */
  @Setup(Level.Trial)
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    double walk = 500;
    long nanos = 1_463_324_400_000_000_000L;
    for (int i = 0; i < COUNT; i++) {
      walk += random.nextDouble() - 0.5;
      numbers[i] =
          switch (values) {
            case "walk" -> walk;
            case "pressures" -> Math.pow(10, -9 + 4 * random.nextDouble());
            default -> Double.longBitsToDouble(random.nextLong());
          };
      nanos += 999_000_000L + random.nextInt(2_000_000);
      times[i] = values.equals("any") ? random.nextLong() >>> 1 : nanos;
    }
  }

  /** Formats numbers with {@link ExponentText}. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public byte[] number() {
    for (double value : numbers) {
      exponents.write(value, target, 0);
    }
    return target;
  }

  /** Formats numbers with {@code String.format}. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public void numberOfTheJdk(Blackhole sink) {
    for (double value : numbers) {
      sink.consume(String.format(Locale.ROOT, "%e", value));
    }
  }

  /** Formats times with {@link ClockText}. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public byte[] time() {
    for (long nanos : times) {
      clock.writeWithFraction(nanos, target, 0);
    }
    return target;
  }

  /** Formats times with {@link DateTimeFormatter}. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public void timeOfTheJdk(Blackhole sink) {
    for (long nanos : times) {
      Instant instant = Instant.ofEpochSecond(0, nanos);
      sink.consume(formatter.format(instant));
    }
  }
}
