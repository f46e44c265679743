package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RandomDoubles;
import org.kblake.benchmarks.measure.Size;
import org.kblake.simulate.Preset;

/**
 * An archive whose sizes are measured.
 *
 * @param name the name in tables
 * @param archive the root of the archive
 */
record MeasuredArchive(String name, Path archive) {

  static final String SUPERKEKB = "superkekb";

  /** The fraction of the channels of superkekb. */
  static final double SUPERKEKB_SCALE = 0.02;

  static final String REGULAR = "random doubles, regular times";
  static final String JITTER = "random doubles, 2 ms jitter";

  /** The bound of the random delay of times. */
  static final int JITTER_NANOS = 2_000_000;

  /** Returns all samples. The recording of a real machine is in the test resources. */
  static List<MeasuredArchive> all(Size size) throws IOException {
    int channels = size.choose(4, 4, 100);
    Duration length = Duration.ofSeconds(size.choose(60, 86_400, 86_400));
    List<MeasuredArchive> samples = new ArrayList<>();
    double scale = size.choose(0.01, 0.3, 1.0);
    samples.add(
        new MeasuredArchive(
            "rf-year",
            BenchmarkData.simulated(Preset.RF_YEAR, scale, size.choose(0.01, 0.1, 1.0))));
    double days = size.choose(0.005, 0.125, 2.5);
    samples.add(
        new MeasuredArchive(
            SUPERKEKB, BenchmarkData.simulated(Preset.SUPERKEKB, SUPERKEKB_SCALE, days)));
    if (size != Size.TINY) {
      samples.add(
          new MeasuredArchive("a real recording", Path.of("../src/test/resources/real/archive")));
    }
    samples.add(
        new MeasuredArchive(REGULAR, new RandomDoubles(channels, length, 0, false).archive()));
    samples.add(
        new MeasuredArchive(
            JITTER, new RandomDoubles(channels, length, JITTER_NANOS, false).archive()));
    return samples;
  }
}
