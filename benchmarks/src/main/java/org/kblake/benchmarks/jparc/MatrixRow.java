package org.kblake.benchmarks.jparc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.file.WriteProfile;

/** Every encoding and compression of a kind of values: size, load, and reads. */
final class MatrixRow implements Row {

  /** The codecs in the order of the table. HBase has them all. */
  private static final List<Codec> CODECS = List.of(Codec.NONE, Codec.LZ4, Codec.ZSTD, Codec.GZIP);

  private static final int LOADS = 5;

  private final SimulatedDays data;

  /**
   * @param data a day of channels
   */
  MatrixRow(SimulatedDays data) {
    this.data = data;
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "jparc-" + data.values().file();
  }

  @Override
  public String title() {
    return "J-PARC's matrix: " + data.values().text();
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%d channels at 1 Hz for a day of %,d s, %,d values, seed 1, in both programs; their sums"
            + " are compared. Reads: %d threads, each two days of random channels",
        data.channels(),
        data.daySeconds(),
        data.eventsOfDay(),
        StoredValues.READERS);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    long sum = 0;
    Cell lz4 = null;
    List<Cell> ours = new ArrayList<>();
    // The first store is not counted, because code is compiled meanwhile.
    if (measurement.size() != Size.TINY) {
      try (StoredColumns columns = columns(measurement, WriteProfile.STANDARD)) {
        columns(measurement, columns);
      }
    }
    for (WriteProfile profile : profiles()) {
      try (StoredColumns columns = columns(measurement, profile)) {
        Cell cell = columns(measurement, columns);
        sum = columns.sum(RequestedDay.all(data, 1));
        cell.add(measurement, lower(profile.codec()), profile.lake() ? "kblake, lake" : "kblake");
        ours.add(cell);
        lz4 = profile.equals(WriteProfile.STANDARD) ? cell : lz4;
      }
    }
    if (lz4 == null) {
      throw new IllegalStateException("LZ4 was not measured");
    }
    return lines(measurement, lz4, ours, hbase(measurement, sum));
  }

  /** Returns the profiles. Only doubles that do not repeat are stored in another way for Spark. */
  private List<WriteProfile> profiles() {
    List<WriteProfile> profiles = new ArrayList<>();
    CODECS.forEach(codec -> profiles.add(new WriteProfile(codec, false)));
    if (data.values() == ValueKind.RANDOM) {
      CODECS.forEach(codec -> profiles.add(new WriteProfile(codec, true)));
    }
    return profiles;
  }

  private StoredColumns columns(Measurement measurement, WriteProfile profile) throws IOException {
    return new StoredColumns(data, profile, measurement.data().resolve("unfinished-jparc"));
  }

  /** Loads several times, each time into an empty store. */
  private Cell columns(Measurement measurement, StoredColumns columns)
      throws IOException, InterruptedException {
    List<Double> rates = new ArrayList<>();
    int times = measurement.size() == Size.TINY ? 0 : LOADS;
    for (int i = 0; i <= times; i++) {
      columns.close();
      double rate = data.eventsOfDay() / columns.load(0);
      if (i > 0 || times == 0) {
        rates.add(rate);
      }
    }
    return reads(measurement, columns, rates);
  }

  private Cell reads(Measurement measurement, StoredValues stored, List<Double> loads)
      throws IOException, InterruptedException {
    String text = stored.text();
    Figure size =
        Figure.of(text, Unit.BYTES_PER_EVENT, (double) stored.bytes() / data.eventsOfDay());
    ValueReads reads = new ValueReads(measurement, data);
    return new Cell(
        size,
        Figure.of(text, Unit.THOUSANDS_PER_SECOND, loads),
        reads.warm(text, stored),
        reads.cold(text, stored));
  }

  /** Returns the cells of HBase. None if it cannot be started. */
  private List<Cell> hbase(Measurement measurement, long sum)
      throws IOException, InterruptedException {
    List<Cell> cells = new ArrayList<>();
    Path peers = measurement.peers();
    if (peers == null || !HBaseSession.isBuilt(peers)) {
      return cells;
    }
    try (HBaseSession hbase = new HBaseSession(peers)) {
      measurement.versions().put("HBase", hbase.ask("version").path("version").asText());
      // The first table is not counted, because code is compiled meanwhile.
      hbase(measurement, hbase, "NONE", Codec.NONE, sum);
      for (Codec codec : CODECS) {
        for (String encoding : HBaseFiles.ENCODINGS) {
          Cell cell = hbase(measurement, hbase, encoding, codec, sum);
          cell.add(measurement, lower(codec), "HBase " + encoding);
          cells.add(cell);
        }
      }
    }
    return cells;
  }

  private Cell hbase(
      Measurement measurement, HBaseSession hbase, String encoding, Codec codec, long sum)
      throws IOException, InterruptedException {
    String compression = codec == Codec.GZIP ? "GZ" : codec.name();
    try (HBaseFiles files = new HBaseFiles(hbase, data, encoding, compression, true)) {
      double rate = data.eventsOfDay() / files.load(0);
      files.merge();
      ValueReads.compare(files, data, 1, sum);
      return reads(measurement, files, List.of(rate));
    }
  }

  private List<Line> lines(Measurement measurement, Cell lz4, List<Cell> ours, List<Cell> hbase) {
    List<Line> lines = new ArrayList<>();
    boolean published = data.values() == ValueKind.RANDOM;
    Figure smallest = hbase.isEmpty() ? null : Cell.smallest(hbase);
    lines.add(line("size, LZ4", lz4.size(), smallest, Unit.BYTES_PER_EVENT));
    Figure least = Cell.smallest(ours);
    lines.add(line("size, least: " + least.of(), least, smallest, Unit.BYTES_PER_EVENT));
    if (published) {
      lines.add(Line.of("size, LZ4", lz4.size(), PublishedHBase.size(), Aim.NONE));
    }
    lines.add(rate("load, LZ4", lz4.load(), hbase, Cell::load));
    if (published) {
      lines.add(Line.of("load, LZ4", lz4.load(), PublishedHBase.in(), Aim.NONE));
    }
    lines.add(rate("read, warm, LZ4", lz4.warm(), hbase, Cell::warm));
    if (published) {
      lines.add(Line.of("read, warm, LZ4", lz4.warm(), PublishedHBase.out(), Aim.NONE));
    }
    lines.add(rate("read, cold, LZ4", lz4.cold(), hbase, Cell::cold));
    lines.forEach(measurement::line);
    return lines;
  }

  private static Line rate(
      String what, Figure ours, List<Cell> hbase, Function<Cell, Figure> figure) {
    Figure best = hbase.isEmpty() ? null : Cell.fastest(hbase.stream().map(figure).toList());
    return line(what, ours, best, Unit.THOUSANDS_PER_SECOND);
  }

  /**
   * Returns a line of the table beside HBase's figure.
   *
   * @param best the best figure of HBase; null if there is none
   */
  private static Line line(String what, Figure ours, @Nullable Figure best, Unit unit) {
    Figure beside =
        best == null
            ? Figure.notMeasured(
                "HBase's mini cluster here", unit, "benchmarks/hbase could not be built")
            : best.named(best.of() + ", the best here");
    return Line.of(what, ours, beside, Aim.NONE);
  }

  private static String lower(Codec codec) {
    return codec.name().toLowerCase(Locale.ROOT);
  }
}
