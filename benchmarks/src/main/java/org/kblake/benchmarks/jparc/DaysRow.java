package org.kblake.benchmarks.jparc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.internal.parquet.file.WriteProfile;

/** Load and size day by day, with and without a write-ahead log, and reads of all days. */
final class DaysRow implements Row {

  private static final String KBLAKE = "kblake";
  private static final String LOAD = "load";
  private static final String SIZE = "size of all days";

  private static final List<Options> OPTIONS =
      List.of(
          new Options("NONE", "NONE", true),
          new Options("NONE", "NONE", false),
          new Options("FAST_DIFF", "GZ", true),
          new Options("FAST_DIFF", "GZ", false));

  private final SimulatedDays data;

  DaysRow(SimulatedDays data) {
    this.data = data;
  }

  /** The options of HBase's table. */
  private record Options(String encoding, String compression, boolean writeAhead) {

    String text() {
      return String.format(
          "HBase: %s, %s, %s",
          encoding, compression, writeAhead ? "write-ahead log" : "no write-ahead log");
    }

    HBaseFiles create(HBaseSession hbase, SimulatedDays data) throws IOException {
      return new HBaseFiles(hbase, data, encoding, compression, writeAhead);
    }
  }

  /** The figures of kblake. The load has a sample for each day. */
  private record Ours(Figure load, Figure size, Figure warm, Figure cold, long sum) {}

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "jparc-days";
  }

  @Override
  public String title() {
    return "J-PARC's load, day by day";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%s, %d channels at 1 Hz, %d days of %,d s, %,d values a day, seed 1, in both programs;"
            + " their sums are compared. Sizes of a day are those after its load; reads are after"
            + " HBase has merged its files, %d threads, each two random days of random channels."
            + " HBase's write-ahead log is not forced to the disk; kblake reads logs that kblog"
            + " writes in any case, and forces its files to the disk",
        data.values().text(),
        data.channels(),
        data.days(),
        data.daySeconds(),
        data.eventsOfDay(),
        StoredValues.READERS);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Ours ours = columns(measurement);
    List<Line> lines = new ArrayList<>();
    lines.add(measurement.line(Line.of("load, a day", ours.load(), PublishedHBase.in(), Aim.NONE)));
    lines.add(measurement.line(Line.of("read, warm", ours.warm(), PublishedHBase.out(), Aim.NONE)));
    Path peers = measurement.peers();
    if (peers == null || !HBaseSession.isBuilt(peers)) {
      return lines;
    }
    try (HBaseSession hbase = new HBaseSession(peers)) {
      measurement.versions().put("HBase", hbase.ask("version").path("version").asText());
      // The first table is not counted, because code is compiled meanwhile.
      try (HBaseFiles files = OPTIONS.get(0).create(hbase, data)) {
        files.load(0);
      }
      for (Options options : OPTIONS) {
        try (HBaseFiles files = options.create(hbase, data)) {
          lines.addAll(lines(measurement, options, files, ours));
        }
      }
    }
    return lines;
  }

  private Ours columns(Measurement measurement) throws IOException, InterruptedException {
    Path directory = measurement.data().resolve("unfinished-jparc");
    // The first store is not counted, because code is compiled meanwhile.
    try (StoredColumns columns = new StoredColumns(data, WriteProfile.STANDARD, directory)) {
      columns.load(0);
    }
    try (StoredColumns columns = new StoredColumns(data, WriteProfile.STANDARD, directory)) {
      Figure load = load(measurement, KBLAKE, columns);
      ValueReads reads = new ValueReads(measurement, data);
      return new Ours(
          load,
          perEvent(KBLAKE, columns.bytes(), data.days()),
          reads.warm(KBLAKE, columns),
          reads.cold(KBLAKE, columns),
          columns.sum(RequestedDay.all(data, data.days())));
    }
  }

  private List<Line> lines(Measurement measurement, Options options, HBaseFiles files, Ours ours)
      throws IOException, InterruptedException {
    String text = options.text();
    List<Line> lines = new ArrayList<>();
    lines.add(Line.of("load, a day", ours.load(), load(measurement, text, files), Aim.NONE));
    ValueReads.compare(files, data, data.days(), ours.sum());
    if (options.writeAhead()) {
      Figure logs = perEvent("kblog's log", BenchmarkData.logBytes(data.archive()), data.days());
      Figure writeAhead = perEvent(text, files.writeAheadBytes(), data.days());
      lines.add(Line.of("written ahead: kblog's log", logs, writeAhead, Aim.NONE));
      measurement.out().printf(Locale.ROOT, "    %s: merged in %,.0f ms%n", text, files.merge());
      Figure merged = perEvent(text + ", merged", files.bytes(), data.days());
      lines.add(Line.of("size of all days", ours.size(), merged, Aim.NONE));
      ValueReads reads = new ValueReads(measurement, data);
      lines.add(Line.of("read, warm", ours.warm(), reads.warm(text, files), Aim.NONE));
      lines.add(Line.of("read, cold", ours.cold(), reads.cold(text, files), Aim.NONE));
    }
    lines.forEach(measurement::line);
    return lines;
  }

  private Figure perEvent(String of, long bytes, int days) {
    return Figure.of(of, Unit.BYTES_PER_EVENT, (double) bytes / (data.eventsOfDay() * days));
  }

  /** Loads day after day. Returns a sample for each day. */
  private Figure load(Measurement measurement, String text, StoredValues stored)
      throws IOException, InterruptedException {
    List<Double> rates = new ArrayList<>();
    for (int day = 1; day <= data.days(); day++) {
      double rate = data.eventsOfDay() / stored.load(day - 1);
      rates.add(rate);
      String of = text + ", day " + day;
      measurement.detail(LOAD, "day " + day, text, Figure.of(of, Unit.THOUSANDS_PER_SECOND, rate));
      measurement.detail(SIZE, "day " + day, text, perEvent(of, stored.bytes(), day));
    }
    return Figure.of(text, Unit.THOUSANDS_PER_SECOND, rates);
  }
}
