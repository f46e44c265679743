package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the MiB of log that one thread simulates per second. It writes to the temporary
 * directory ({@code java.io.tmpdir}), whose file system is part of the measurement. Aim: 150.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 5, time = 5)
public class SimulateBenchmark {

  private static final double MIB = 1 << 20;
  private static final Duration LENGTH = Duration.ofHours(3);

  /** The preset. Three hours are 43 and 720 MiB of log. */
  @Param({"rf-year", "superkekb"})
  public String preset = "rf-year";

  private Path directory = Path.of("");

  /** The counter that JMH divides by the time. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Written {

    /** MiB of all logs. */
    public double mebibytes;
  }

  @Setup(Level.Invocation)
  public void createDirectory() throws IOException {
    directory = Files.createTempDirectory("kblake-simulate");
  }

  @TearDown(Level.Invocation)
  public void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
  }

  /** Simulates an archive. */
  @Benchmark
  public long simulate(Written written) throws IOException, InterruptedException {
    SimulationSettings settings =
        SimulationSettings.of(Preset.of(preset), directory).length(LENGTH);
    long bytes = Simulation.run(settings, SimulationListener.NONE).logBytes();
    written.mebibytes += bytes / MIB;
    return bytes;
  }
}
