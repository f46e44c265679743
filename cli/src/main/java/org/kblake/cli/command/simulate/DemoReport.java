package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.kblake.cli.plot.Plot;
import org.kblake.cli.plot.PlotReader;
import org.kblake.cli.plot.TextPlot;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.simulate.SimulationSummary;

/** Writes the report of the demo. */
final class DemoReport {

  private static final Channel CHANNEL =
      new Channel(new Group("VA", "CCG"), "VALCCG:D01_L01A:PRES");
  private static final int MIN_TRIES = 5;
  private static final long TRYING_NANOS = 2_000_000_000L;

  /** The beam current: injections, aborts and fillings. */
  private static final Channel PLOTTED = new Channel(new Group("BM", "DCCT"), "BMLDCCT:CURRENT");

  private static final int PLOT_WIDTH = 80;
  private static final int PLOT_HEIGHT = 14;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSxxx", Locale.ROOT);

  private final ZoneId zone;
  private final LocalDate date;
  private final boolean unicode;
  private final Writer out;

  /**
   * @param date the day that was simulated
   * @param unicode whether braille patterns can be shown
   * @param out the output, which is not closed here
   */
  DemoReport(LocalDate date, ZoneId zone, boolean unicode, Writer out) {
    this.date = date;
    this.zone = zone;
    this.unicode = unicode;
    this.out = out;
  }

  void sizes(SimulationSummary logs, BackfillSummary columns) throws IOException {
    print(
        "A simulated day of %d groups with %d channels, %,d events%n",
        logs.groups(), logs.channels(), logs.events());
    print("  raw logs  %10s%n", new ByteSize(columns.rawBytes()));
    print(
        "  columns   %10s, %.0f %% of the raw logs, %.1f bytes per event, made in %.0f s%n%n",
        new ByteSize(columns.storedBytes()),
        100.0 * columns.storedBytes() / columns.rawBytes(),
        columns.bytesPerEvent(),
        columns.nanos() * 1e-9);
    out.flush();
  }

  /** Prints one channel's day, and the time to read it. */
  void reading(ArchiveReader archive) throws IOException {
    Instant from = date.atStartOfDay(zone).toInstant();
    Instant to = date.plusDays(1).atStartOfDay(zone).toInstant();
    EventQuery query = EventQuery.of(ChannelSelection.of(CHANNEL)).between(from, to);
    ChannelDay day = ChannelDay.read(archive, query);
    print(
        "%s of %s on %s, %,d events, the first of them:%n",
        CHANNEL.name(), CHANNEL.group(), date, day.events());
    for (ChannelDay.Row row : day.firstRows()) {
      print("  %s  %s%n", text(row.timeNanos(), TIME), row.value());
    }
    speed(archive, query);
    plot(archive, query.range());
  }

  /**
   * Prints the shortest time of several reads. Raw logs and columns are read in turns, so that both
   * run under the same conditions.
   */
  private void speed(ArchiveReader archive, EventQuery query) throws IOException {
    long raw = Long.MAX_VALUE;
    long columns = Long.MAX_VALUE;
    long begin = System.nanoTime();
    for (int i = 0; i < MIN_TRIES || System.nanoTime() - begin < TRYING_NANOS; i++) {
      raw = Math.min(raw, ChannelDay.nanosToRead(archive, query.from(Source.RAW)));
      columns = Math.min(columns, ChannelDay.nanosToRead(archive, query.from(Source.STORE)));
    }
    print(
        "%nRead from raw logs in %.1f ms, from columns in %.2f ms: %.1f times as fast%n%n",
        raw * 1e-6, columns * 1e-6, (double) raw / columns);
  }

  private void plot(ArchiveReader archive, TimeRange range) throws IOException {
    List<ChannelInfo> channels = archive.channels(ChannelSelection.of(PLOTTED), range);
    PlotReader reader = new PlotReader(channels, range, HeldQuery.DEFAULT_LOOK_BACK);
    try (EventCursor cursor = archive.cursor(reader.query())) {
      Plot plot = reader.read(cursor, TextPlot.columns(PLOT_WIDTH), zone, channel -> "");
      out.append(TextPlot.draw(plot, PLOT_WIDTH, PLOT_HEIGHT, unicode, false));
    }
    print("%n");
  }

  private String text(long nanos, DateTimeFormatter form) {
    return Instant.EPOCH.plusNanos(nanos).atZone(zone).format(form);
  }

  /** Prints the path of the kept directory, and commands to continue with. */
  void nextSteps(Path directory) throws IOException {
    print("Kept in %s. To continue:%n", directory);
    print("  unset KBLAKE_ARCHIVE KBLAKE_STORE KBLAKE_CONFIG%n");
    print("  cd %s%n", quoted(directory));
    print("  kblake channels -l%n");
    print("  kblake status%n");
    print("  kblake plot %s --from %s --to %s%n", PLOTTED.name(), date, date.plusDays(1));
    print("  kblake get %s --from %sT09:00 --to %sT09:10%n", CHANNEL.name(), date, date);
    print("  kblake verify%n");
    print("  rm -r %s%n", quoted(directory));
  }

  /** Quotes a path for a shell. */
  private static String quoted(Path path) {
    String text = path.toString();
    return text.matches("[A-Za-z0-9_./+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private void print(String format, Object... arguments) throws IOException {
    out.append(String.format(Locale.ROOT, format, arguments));
  }
}
