package org.kblake.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.write.RowGroupEncoder;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
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

/** Measures the encoding of a row group of one channel at 1 Hz with jitter, in rows per second. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
public class EncodeBenchmark {

  private static final int ROWS = 1 << 15;

  /** The distribution of the values. */
  @Param({"walk", "quantised", "constant"})
  public String values = "walk";

  private final EventColumns rows = new EventColumns(ValueType.DOUBLE, false, ROWS);
  private final RowGroupEncoder encoder = new RowGroupEncoder();

  /** Makes the rows. */
  @Setup(Level.Trial)
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    long nanos = 1_463_324_400_000_000_000L;
    double walk = 500;
    rows.count = ROWS;
    for (int row = 0; row < ROWS; row++) {
      nanos += 999_000_000 + random.nextInt(2_000_000);
      walk += random.nextDouble() - 0.5;
      double value =
          switch (values) {
            case "walk" -> walk;
            case "quantised" -> Math.rint(walk % 8 * 64) / 64;
            default -> 1;
          };
      rows.timeNanos[row] = nanos;
      rows.state[row] = EventState.VALUE_CODE;
      rows.segment[row] = row / 600;
      rows.values[row] = Double.doubleToRawLongBits(value);
    }
  }

  /** Encodes the rows. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public Object encode() {
    encoder.begin(ValueType.DOUBLE, false, WriteProfile.STANDARD);
    encoder.channel("BMLDCCT:CURRENT");
    encoder.append(rows);
    return encoder.finish();
  }
}
