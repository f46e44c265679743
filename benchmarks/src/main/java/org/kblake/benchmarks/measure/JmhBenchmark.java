package org.kblake.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.kblake.benchmarks.BenchmarkData;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A JMH benchmark of the time of an operation. It runs in separate JVMs. */
public final class JmhBenchmark {

  private final Size size;
  private final String pattern;
  private final Map<String, String> parameters = new TreeMap<>();

  public JmhBenchmark(Size size, Class<?> benchmark, String method) {
    this.size = size;
    this.pattern = benchmark.getName().replace(".", "\\.") + "\\." + method + "$";
  }

  /** Sets one of its parameters. Without this, it runs with each value of the parameter. */
  public JmhBenchmark with(String parameter, Object value) {
    parameters.put(parameter, value.toString());
    return this;
  }

  /** Runs the benchmark. Returns milliseconds per operation, one sample per iteration. */
  public Figure millis() {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(pattern)
            .shouldFailOnError(true)
            .forks(size.choose(0, 1, 3))
            .verbosity(VerboseMode.SILENT)
            .jvmArgsPrepend(
                "-Dkblake.benchmarks.data=" + BenchmarkData.directory(),
                "-Dkblake.benchmarks.days=" + BenchmarkData.days());
    parameters.forEach(options::param);
    if (size == Size.TINY) {
      options.mode(Mode.SingleShotTime).warmupIterations(0).measurementIterations(1);
    } else if (size == Size.SMALL) {
      options.warmupTime(TimeValue.seconds(1)).measurementTime(TimeValue.seconds(1));
    }
    try {
      return Figure.of(
          "kblake", Unit.MILLISECONDS, samples(new Runner(options.build()).runSingle()));
    } catch (RunnerException e) {
      throw new IllegalStateException("benchmark failed: " + pattern, e);
    }
  }

  private static List<Double> samples(RunResult result) {
    List<Double> samples = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        Result<?> primary = iteration.getPrimaryResult();
        samples.add(primary.getScore() * millisOf(primary.getScoreUnit()));
      }
    }
    return samples;
  }

  private static double millisOf(String unit) {
    TimeUnit time =
        switch (unit) {
          case "ns/op" -> TimeUnit.NANOSECONDS;
          case "us/op" -> TimeUnit.MICROSECONDS;
          case "ms/op" -> TimeUnit.MILLISECONDS;
          case "s/op" -> TimeUnit.SECONDS;
          default -> throw new IllegalArgumentException("no time of an operation: unit=" + unit);
        };
    return time.toNanos(1) / 1e6;
  }
}
