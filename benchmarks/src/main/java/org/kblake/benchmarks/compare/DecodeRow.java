package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.DecodeBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Peer;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;

/** Decoding all events of a channel to Arrow, beside other readers of the same files. */
final class DecodeRow implements Row {

  @Override
  public int number() {
    return 4;
  }

  @Override
  public String name() {
    return "decode";
  }

  @Override
  public String title() {
    return "Decode one channel's whole history to Arrow, one thread";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        "%,d events at 1 Hz with jitter, seed 1, in the page cache; kblake reads every column of an answer and"
            + " compares checksums, the others read time and value",
        BenchmarkData.doublesRows());
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    lines.addAll(lines(measurement, "plain", 1.5, 2, 8));
    lines.addAll(lines(measurement, "dictionary", 1.5, 2, 8));
    lines.addAll(lines(measurement, "byte-stream-split", 1.2, 1.5, 4));
    return lines;
  }

  private static List<Line> lines(
      Measurement measurement, String encoding, double pyarrow, double duckdb, double columnReader)
      throws IOException, InterruptedException {
    Figure ours =
        rate(
            measurement
                .kernel(DecodeBenchmark.class, "kblake")
                .with("encoding", encoding)
                .millis());
    List<String> files =
        DecodeBenchmark.files(DecodeBenchmark.store(encoding)).stream()
            .map(Path::toString)
            .toList();
    List<Line> lines = new ArrayList<>();
    Peer arrow = measurement.peer(words("decode_pyarrow.py", files)).ask();
    lines.add(
        line(
            measurement,
            encoding,
            ours,
            arrow.figure("crc", "pyarrow, CRC", Unit.MILLISECONDS),
            pyarrow));
    Peer duck = measurement.peer(words("decode_duckdb.py", files)).ask();
    lines.add(
        line(
            measurement,
            encoding,
            ours,
            duck.figure("arrow", "DuckDB to Arrow", Unit.MILLISECONDS),
            duckdb));
    Figure reader =
        measurement
            .kernel(DecodeBenchmark.class, "columnReader")
            .with("encoding", encoding)
            .millis();
    lines.add(
        line(
            measurement,
            encoding,
            ours,
            reader.named("parquet-java's ColumnReader"),
            columnReader));
    return lines;
  }

  private static String[] words(String script, List<String> files) {
    List<String> words = new ArrayList<>(List.of(script));
    words.addAll(files);
    return words.toArray(String[]::new);
  }

  private static Line line(
      Measurement measurement, String encoding, Figure ours, Figure peer, double times) {
    return measurement.line(
        Line.of(encoding + " values", ours, rate(peer), Aim.timesBetter(times)));
  }

  private static Figure rate(Figure millis) {
    return millis.as(
        Unit.MILLIONS_PER_SECOND, sample -> BenchmarkData.doublesRows() / sample / 1e3);
  }
}
