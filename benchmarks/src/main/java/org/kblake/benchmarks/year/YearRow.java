package org.kblake.benchmarks.year;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.simulate.Preset;

/** A year of a preset: putting it into the store, and reading it. */
final class YearRow implements Row {

  private static final int CHANNELS = 10;

  /** The time that KEKBLog's cache on an SSD takes for a year of a channel of RF/AnalogData. */
  private static final Figure PUBLISHED_YEAR =
      Figure.of("KEKBLog's cache on SSD, six threads, published", Unit.SECONDS, 110);

  private static final Figure PUBLISHED_RATE =
      Figure.of("KEKBLog's reader, a process, published", Unit.MEBIBYTES_PER_SECOND, 348);

  private final Preset preset;
  private final double scale;
  private final int days;

  /**
   * @param scale factor for the number of channels
   */
  YearRow(Preset preset, double scale, int days) {
    this.preset = preset;
    this.scale = scale;
    this.days = days;
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return preset == Preset.RF_YEAR ? "largest-group" : "all-groups";
  }

  @Override
  public String title() {
    return preset == Preset.RF_YEAR
        ? "A year of the largest group, RF/AnalogData"
        : "A year of all groups";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%s, scale %s, %d days in pieces of up to 15 days and a last one of up to 30, seed of a piece:"
            + " its number; logs are removed when their columns are verified",
        preset.text(),
        scale,
        days);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    RollingYear year =
        new RollingYear(
            preset, scale, days, measurement.size(), measurement.data(), measurement.out());
    List<GrownBatch> grown = year.grow(() -> year.keep(readsWithRawMonth(measurement, year)));
    List<Line> lines = new ArrayList<>(growth(measurement, grown));
    lines.addAll(year.kept());
    lines.addAll(reads(measurement, year));
    return lines;
  }

  private static List<Line> growth(Measurement measurement, List<GrownBatch> batches) {
    long logBytes = 0;
    long events = 0;
    long storedBytes = 0;
    int blocks = 0;
    List<Double> backfill = new ArrayList<>();
    List<Double> verify = new ArrayList<>();
    List<Double> memory = new ArrayList<>();
    for (GrownBatch batch : batches) {
      logBytes += batch.logBytes();
      events += batch.events();
      storedBytes += batch.storedBytes();
      blocks += batch.blocks();
      backfill.add(batch.logBytes() / 0x1p20 / batch.backfillMillis() * 1e3);
      verify.add(batch.logBytes() / 0x1p20 / batch.verifyMillis() * 1e3);
      memory.add(batch.backfillMebibytes());
    }
    List<Line> lines = new ArrayList<>();
    Figure size = Figure.of("kblake", Unit.BYTES_PER_EVENT, (double) storedBytes / events);
    Figure raw = Figure.of("raw log", Unit.BYTES_PER_EVENT, (double) logBytes / events);
    lines.add(
        Line.of(
            String.format(
                Locale.ROOT,
                "%,.1f GiB of log, %,d events, stored in %,.1f GiB, %d blocks",
                logBytes / 0x1p30,
                events,
                storedBytes / 0x1p30,
                blocks),
            size,
            raw,
            Aim.NONE));
    Figure backfilled = Figure.of("kblake", Unit.MEBIBYTES_PER_SECOND, backfill);
    lines.add(Line.of("backfill, command, all cores", backfilled, PUBLISHED_RATE, Aim.NONE));
    lines.add(Line.of("backfill, anonymous memory", Figure.of("kblake", Unit.MEBIBYTES, memory)));
    lines.add(
        Line.of(
            "verify against the logs, command",
            Figure.of("kblake", Unit.MEBIBYTES_PER_SECOND, verify),
            backfilled.named("backfill"),
            Aim.timesBetter(0.8)));
    lines.forEach(measurement::line);
    return lines;
  }

  /** Reads while the last month is in logs only. */
  private List<Line> readsWithRawMonth(Measurement measurement, RollingYear year)
      throws IOException, InterruptedException {
    YearTimes times = new YearTimes(measurement, year.archive(), year.store());
    try (YearReads reads = reads(year)) {
      String channel = reads.doubles(CHANNELS).get(0);
      String what = "a channel, last month from raw logs";
      times.inProcess(what, Aim.NONE, () -> reads.events(channel));
      times.command(what, Aim.NONE, events(year, "arrow", channel));
    }
    return times.lines();
  }

  private List<Line> reads(Measurement measurement, RollingYear year)
      throws IOException, InterruptedException {
    YearTimes times = new YearTimes(measurement, year.archive(), year.store());
    times.inProcess("open the reader", Aim.NONE, () -> reads(year).close());
    try (YearReads reads = reads(year)) {
      List<String> ten = reads.doubles(CHANNELS);
      String channel = ten.get(0);
      String what =
          String.format(Locale.ROOT, "a channel, %,d events, Arrow", reads.events(channel));
      times.inProcess(what, PUBLISHED_YEAR, Aim.NONE, () -> reads.events(channel));
      times.inProcess("10 channels on a grid of hours", Aim.NONE, () -> reads.hourly(ten));
      times.inProcess(
          "count, least, greatest, mean of each hour",
          Aim.NONE,
          () -> reads.hourlyAggregates(channel));
      times.inProcess("1,000 s at random", Aim.NONE, () -> reads.shortRange(channel));
      times.inProcess("a held value at random", Aim.NONE, () -> reads.held(channel));
      times.inProcess("all channels", Aim.NONE, reads::channels);
      times.command(
          what,
          List.of(new YearTimes.Beside(PUBLISHED_YEAR, Aim.NONE)),
          events(year, "arrow", channel));
      times.command("the same, CSV", Aim.NONE, events(year, "csv", channel));
      times.command("the same, Parquet", Aim.NONE, events(year, "parquet", channel));
      times.command("10 channels wide by the hour, CSV", Aim.NONE, wide(year, ten));
      List<YearTimes.Beside> nothing = List.of(new YearTimes.Beside(null, Aim.NONE));
      times.command("1,000 s at random, CSV", nothing, () -> reads.shortRangeCommand(channel));
      times.command("a held value at random", nothing, () -> reads.heldCommand(channel));
      times.command("channels", Aim.NONE, "channels");
      times.command("status", Aim.NONE, "status");
    }
    return times.lines();
  }

  private static YearReads reads(RollingYear year) throws IOException {
    return new YearReads(year.archive(), year.store(), year.begin(), year.end());
  }

  private static String[] events(RollingYear year, String format, String channel) {
    return new String[] {
      "get", "-f", format, "--from", year.begin().toString(), "--to", year.end().toString(), channel
    };
  }

  private static String[] wide(RollingYear year, List<String> channels) {
    List<String> words = new ArrayList<>(List.of("get", "--wide", "--every", "1h"));
    words.addAll(List.of("--from", year.begin().toString(), "--to", year.end().toString()));
    words.addAll(channels);
    return words.toArray(String[]::new);
  }
}
