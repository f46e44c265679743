package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.ParallelRead;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.ingest.internal.pace.RateLimit;

/**
 * Reads of all columns by several threads: from the page cache, from the disk, and limited to the
 * rate of the NFS server in the published measurements. Raw is the rate of stored bytes. Effective
 * is the rate of the bytes of the log that they contain.
 */
final class ThreadsRow implements Row {

  /** The rate of the NFS server, 40 MB/s. */
  private static final long SLOW_BYTES_PER_SECOND = 40_000_000;

  private static final int SEVERAL = 2;

  @Override
  public int number() {
    return 2;
  }

  @Override
  public String name() {
    return "threads";
  }

  @Override
  public String title() {
    return "All columns by 1 to N threads and codec, from SSD and at 40 MB/s";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, "
        + Numbers.plain(BenchmarkData.days())
        + " days, seed 1; raw counts the bytes of the columns, effective the bytes of their log; 40 MB/s is a limit in kblake's own reads, not a network";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    for (Codec codec : List.of(Codec.NONE, Codec.LZ4, Codec.ZSTD)) {
      lines.addAll(measure(measurement, codec));
    }
    return lines;
  }

  private static List<Line> measure(Measurement measurement, Codec codec)
      throws IOException, InterruptedException {
    Path archive = BenchmarkData.rfYear();
    WriteProfile profile =
        codec == Codec.LZ4 ? WriteProfile.STANDARD : new WriteProfile(codec, false);
    Path store = BenchmarkData.store(archive, profile);
    String name = codec.name().toLowerCase(Locale.ROOT);
    List<Path> files = parquetFiles(store);
    double raw = bytes(files) / 0x1p20;
    double effective = BenchmarkData.logBytes(archive) / 0x1p20;
    ParallelRead read = ParallelRead.of(store);
    int most = Math.max(SEVERAL, Runtime.getRuntime().availableProcessors());
    int times = measurement.size().choose(1, 5, 9);
    List<Figure> warm = new ArrayList<>();
    List<Figure> cold = new ArrayList<>();
    List<Figure> throttled = new ArrayList<>();
    for (int threads = 1; threads <= most; threads++) {
      int count = threads;
      Repeat.Work all = () -> read.run(count, Pace.FREE);
      Figure fast = figure(Repeat.millis(2, times, all));
      Figure evicted = figure(Repeat.millis(0, times, () -> measurement.evict(files), all));
      Figure slow =
          figure(Repeat.millis(0, 1, () -> read.run(count, new RateLimit(SLOW_BYTES_PER_SECOND))));
      warm.add(fast);
      cold.add(evicted);
      throttled.add(slow);
      String group = threads + (threads == 1 ? " thread" : " threads");
      measurement.detail("page cache, effective", group, name, fast.asRateOf(effective));
      measurement.detail("cold, raw", group, name, evicted.asRateOf(raw));
      measurement.detail("cold, effective", group, name, evicted.asRateOf(effective));
      measurement.detail("40 MB/s, raw", group, name, slow.asRateOf(raw));
      measurement.detail("40 MB/s, effective", group, name, slow.asRateOf(effective));
    }
    Figure dd =
        figure(Repeat.millis(0, times, () -> measurement.evict(files), () -> dd(files)))
            .named("dd of the same files, cold");
    return List.of(
        measurement.line(
            Line.of(
                name + ", page cache, 2 threads, effective",
                warm.get(SEVERAL - 1).asRateOf(effective),
                warm.get(0).named("1 thread").asRateOf(effective),
                Aim.timesBetter(1.8))),
        measurement.line(
            Line.of(
                name + ", cold, 2 threads, raw",
                cold.get(SEVERAL - 1).asRateOf(raw),
                cold.get(0).named("1 thread").asRateOf(raw),
                Aim.timesBetter(1.8))),
        measurement.line(
            Line.of(
                name + ", cold, 2 threads, raw",
                cold.get(SEVERAL - 1).asRateOf(raw),
                dd.asRateOf(raw),
                Aim.timesBetter(0.9))),
        measurement.line(
            Line.of(
                name + ", cold, 2 threads, effective",
                cold.get(SEVERAL - 1).asRateOf(effective),
                dd.asRateOf(raw),
                Aim.NONE)),
        measurement.line(
            Line.of(
                name + ", 40 MB/s, 2 threads, raw",
                throttled.get(SEVERAL - 1).asRateOf(raw),
                Figure.of("the limit", Unit.MEBIBYTES_PER_SECOND, SLOW_BYTES_PER_SECOND / 0x1p20),
                Aim.timesBetter(0.9))));
  }

  private static Figure figure(List<Double> millis) {
    return Figure.of("kblake", Unit.MILLISECONDS, millis);
  }

  private static void dd(List<Path> files) throws IOException, InterruptedException {
    for (Path file : files) {
      Commands.run(List.of("dd", "if=" + file, "of=/dev/null", "bs=1M", "status=none"));
    }
  }

  private static List<Path> parquetFiles(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(it -> it.toString().endsWith(".parquet")).sorted().toList();
    }
  }

  private static long bytes(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }
}
