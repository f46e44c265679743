package org.kblake.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.benchmarks.follow.FollowLatency;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark once on little data, so that a broken benchmark is noticed. The figures are
 * meaningless.
 */
class SmokeTest {

  @TempDir Path data;

  @Test
  void everyBenchmarkRuns() throws Exception {
    System.setProperty("kblake.benchmarks.data", data.toString());
    System.setProperty("kblake.benchmarks.days", "0.01");
    Options options =
        new OptionsBuilder()
            .exclude("SimulateBenchmark")
            .forks(0)
            .mode(Mode.SingleShotTime)
            .warmupIterations(0)
            .measurementIterations(1)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(results).hasSizeGreaterThan(10);
  }

  @Test
  void followingIsMeasured() throws Exception {
    System.setProperty("kblake.benchmarks.data", data.toString());
    FollowLatency.main(new String[] {"1"});
    assertThat(data).isEmptyDirectory();
  }
}
