package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.ParallelRead;
import org.kblake.benchmarks.PlannedKinds;
import org.kblake.benchmarks.StoredEntropy;
import org.kblake.benchmarks.jparc.PublishedHBase;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Peer;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.simulate.Preset;

/** The size of an event in the store, and the time to write and to read it. */
final class SizesRow implements Row {

  /** The entropy of 53 random bits of a double and of a random number of nanoseconds. */
  private static final double ENTROPY_BYTES =
      (53 + Math.log(MeasuredArchive.JITTER_NANOS) / Math.log(2)) / Byte.SIZE;

  /** A quarter of the log's size. */
  private static final double SUPERKEKB_BYTES = 7.2;

  private static final List<String> ENCODINGS =
      List.of("plain", "dictionary", "delta", "byte-stream-split");
  private static final List<String> CODECS = List.of("none", "snappy", "gzip", "lz4", "zstd");

  @Override
  public int number() {
    return 8;
  }

  @Override
  public String name() {
    return "sizes";
  }

  @Override
  public String title() {
    return "Bytes per event, time to write and to read";
  }

  @Override
  public String data(Measurement measurement) {
    return "Short archives of each kind, seed 1, and 49 minutes of a real machine's counters;"
        + " kblake stores everything that a byte-exact restore needs, pyarrow only channel,"
        + " time and value of doubles";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    for (MeasuredArchive sample : MeasuredArchive.all(measurement.size())) {
      lines.addAll(measure(measurement, sample));
    }
    return lines;
  }

  private static List<Line> measure(Measurement measurement, MeasuredArchive sample)
      throws IOException, InterruptedException {
    Ours lz4 = null;
    for (Codec codec : codecs(measurement.size())) {
      lz4 = Ours.of(measurement, sample, codec);
    }
    double events = lz4 == null ? Double.NaN : lz4.events();
    Figure ours = lz4 == null ? bytes("kblake", Double.NaN) : lz4.bytes();
    RawSizes raw = RawSizes.of(sample.archive());
    String what = sample.name() + ", LZ4";
    List<Line> lines = new ArrayList<>();
    lines.add(line(measurement, what, ours, bytes("raw log", raw.log() / events), Aim.NONE));
    lines.add(line(measurement, what, ours, bytes("raw + LZ4", raw.lz4() / events), Aim.NONE));
    lines.add(
        line(
            measurement,
            what,
            ours,
            bytes("raw + zstd -19", raw.zstd() / events),
            Aim.timesBetter(1)));
    if (sample.name().equals(MeasuredArchive.REGULAR)) {
      lines.add(line(measurement, what, ours, PublishedHBase.size(), Aim.timesAtMost(0.7)));
    }
    if (sample.name().equals(MeasuredArchive.JITTER)) {
      lines.add(
          line(
              measurement,
              what,
              ours,
              bytes("entropy of value and jitter", ENTROPY_BYTES),
              Aim.timesAtMost(1.1)));
    }
    if (sample.name().equals(MeasuredArchive.SUPERKEKB)) {
      lines.add(measurement.line(new Line(what, ours, null, Aim.atMost(SUPERKEKB_BYTES))));
      StoredEntropy entropy = entropy(sample);
      double values = entropy.valueBytes(null);
      lines.add(
          line(
              measurement,
              what,
              ours,
              bytes("entropy of times and values", (entropy.timeBytes(null) + values) / events),
              Aim.NONE));
      lines.add(
          line(
              measurement,
              what,
              ours,
              bytes(
                  "least size of times as DELTA_BINARY_PACKED, entropy of values",
                  (entropy.deltaBytes(null) + values) / events),
              Aim.NONE));
    }
    measurePyarrow(measurement, sample);
    return lines;
  }

  private static StoredEntropy entropy(MeasuredArchive sample) throws IOException {
    return StoredEntropy.of(
        BenchmarkData.store(sample.archive()),
        PlannedKinds.of(Preset.SUPERKEKB, MeasuredArchive.SUPERKEKB_SCALE));
  }

  /**
   * Returns the codecs. LZ4 is the last, because the table contains the figures of the last one.
   */
  private static List<Codec> codecs(Size size) {
    List<Codec> all = List.of(Codec.NONE, Codec.GZIP, Codec.ZSTD, Codec.LZ4);
    return size == Size.TINY ? List.of(Codec.LZ4) : all;
  }

  private static Line line(
      Measurement measurement, String what, Figure ours, Figure beside, Aim aim) {
    return measurement.line(Line.of(what, ours, beside, aim));
  }

  private static Figure bytes(String of, double value) {
    return Figure.of(of, Unit.BYTES_PER_EVENT, value);
  }

  /** The figures of kblake for a sample and a codec. */
  private record Ours(double events, Figure bytes) {

    static Ours of(Measurement measurement, MeasuredArchive sample, Codec codec)
        throws IOException, InterruptedException {
      WriteProfile profile =
          codec == Codec.LZ4 ? WriteProfile.STANDARD : new WriteProfile(codec, false);
      Path store = measurement.data().resolve("unfinished-sizes");
      List<BackfillSummary> written = new ArrayList<>();
      List<Double> write =
          Repeat.millis(
              measurement.size().choose(0, 1, 1),
              measurement.size().choose(1, 3, 5),
              () -> Commands.delete(store),
              () ->
                  written.add(
                      BenchmarkData.backfill(sample.archive(), store, profile, 1, TimeRange.ALL)));
      double events = written.get(0).events();
      ParallelRead all = ParallelRead.of(store);
      List<Double> read =
          Repeat.millis(2, measurement.size().choose(1, 5, 9), () -> all.run(1, Pace.FREE));
      Figure size = SizesRow.bytes("kblake", fileBytes(store) / events);
      Commands.delete(store);
      String name = codec.name().toLowerCase(Locale.ROOT);
      measurement.detail(sample.name() + ", size", name, "kblake", size);
      measurement.detail(sample.name() + ", write", name, "kblake", rate(events, write));
      measurement.detail(sample.name() + ", read", name, "kblake", rate(events, read));
      return new Ours(events, size);
    }

    private static Figure rate(double events, List<Double> millis) {
      return Figure.of("kblake", Unit.MILLISECONDS, millis)
          .as(Unit.MILLIONS_PER_SECOND, value -> events / value / 1e3);
    }

    private static long fileBytes(Path store) throws IOException {
      long bytes = 0;
      try (Stream<Path> files = Files.walk(store)) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          bytes += Files.size(file);
        }
      }
      return bytes;
    }
  }

  private static void measurePyarrow(Measurement measurement, MeasuredArchive sample)
      throws IOException, InterruptedException {
    if (measurement.size() == Size.TINY) {
      return;
    }
    Path store = measurement.data().resolve("unfinished-sizes");
    Commands.delete(store);
    BenchmarkData.backfill(sample.archive(), store, WriteProfile.STANDARD, 1, TimeRange.ALL);
    List<String> words =
        new ArrayList<>(
            Arrays.asList(
                "sizes_pyarrow.py", measurement.data().resolve("sizes.parquet").toString()));
    BenchmarkData.parquetFiles(store, "double").forEach(it -> words.add(it.toString()));
    Peer peer = measurement.peer(words.toArray(String[]::new)).ask();
    for (String codec : CODECS) {
      for (String encoding : ENCODINGS) {
        String key = codec + " " + encoding;
        String bar = "pyarrow, " + encoding;
        measurement.detail(
            sample.name() + ", size",
            codec,
            bar,
            peer.figure(key + " size", bar, Unit.BYTES_PER_EVENT));
        measurement.detail(
            sample.name() + ", write",
            codec,
            bar,
            peer.figure(key + " write", bar, Unit.MILLIONS_PER_SECOND));
        measurement.detail(
            sample.name() + ", read",
            codec,
            bar,
            peer.figure(key + " read", bar, Unit.MILLIONS_PER_SECOND));
      }
    }
    Commands.delete(store);
  }
}
