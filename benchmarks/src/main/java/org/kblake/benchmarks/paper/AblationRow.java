package org.kblake.benchmarks.paper;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.ValueType;
import org.kblake.format.number.ExponentText;
import org.kblake.format.time.ClockText;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.EventReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * The parts of a raw read, each with kblake's code and with a simple implementation: finding the
 * records by name, text of times, text of numbers, and copies of events. One thread, in the page
 * cache.
 */
final class AblationRow implements Row {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final String WANTED = "CGRFCAV:D01_A01:VC";

  private final DateTimeFormatter formatter =
      DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss.SS").withZone(ZONE);

  /** A sum of results, so that the compiler does not remove their computation. */
  @SuppressWarnings("UnusedVariable")
  private long sink;

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "ablation";
  }

  @Override
  public String title() {
    return "The parts of a raw read, per event";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01, seed 1: the first pair, and all of it as columns, in the page cache, one"
        + " thread; texts of the events of one channel of that pair";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    PaperArchive archive = PaperArchive.of(measurement.size());
    List<Line> lines = new ArrayList<>();
    PairLog log =
        Archive.open(archive.root(), ArchiveSettings.defaults())
            .pairs(BenchmarkData.RF)
            .get(0)
            .open();
    int times = measurement.size().choose(1, 7, 11);
    BitSet one = new BitSet();
    one.set(log.records().ordinalOfName(WANTED));
    long events = events(log);
    lines.add(
        measurement.line(
            Line.of(
                "events of one record, found by the number of the record",
                figure("kblake", times, events, () -> sink += scan(log, one)),
                figure(
                    "its name compared with a pattern for each event",
                    times,
                    events,
                    () -> sink += scanByName(log)),
                Aim.NONE)));
    EventQuery all = EventQuery.of(ChannelSelection.all(BenchmarkData.RF)).allowIncomplete();
    long allEvents = all(archive, all);
    lines.add(
        measurement.line(
            Line.of(
                "all events as columns",
                figure("kblake", times, allEvents, () -> sink += all(archive, all)),
                figure("copied into Arrow", times, allEvents, () -> sink += arrow(archive, all)),
                Aim.NONE)));
    EventColumns sample = sample(log, measurement.size().choose(1000, 200_000, 200_000));
    byte[] target = new byte[64];
    ClockText clock = new ClockText(ZONE);
    lines.add(
        measurement.line(
            Line.of(
                "time as text",
                figure("kblake", times, sample.count, () -> clock(sample, clock, target)),
                figure("DateTimeFormatter", times, sample.count, () -> formatted(sample)),
                Aim.NONE)));
    ExponentText exponents = new ExponentText();
    lines.add(
        measurement.line(
            Line.of(
                "number as text, %e",
                figure("kblake", times, sample.count, () -> numbers(sample, exponents, target)),
                figure("String.format", times, sample.count, () -> formattedNumbers(sample)),
                Aim.NONE)));
    return lines;
  }

  private static Figure figure(String name, int times, long events, Repeat.Work work)
      throws IOException, InterruptedException {
    return Figure.of(name, Unit.MILLISECONDS, Repeat.millis(2, times, work))
        .as(Unit.NANOSECONDS_PER_EVENT, millis -> millis * 1e6 / events);
  }

  private static long events(PairLog log) throws IOException {
    long events = 0;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), new BitSet())) {
      while (scanner.nextSegment()) {
        events += scanner.segment().events();
      }
    }
    return events;
  }

  private static long scan(PairLog log, BitSet wanted) throws IOException {
    long sum = 0;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          sum += scanner.timeNanos();
        }
      }
    }
    return sum;
  }

  private static long scanByName(PairLog log) throws IOException {
    RecordTable records = log.records();
    Pattern wanted = Pattern.compile(WANTED);
    long sum = 0;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          if (wanted.matcher(records.entry(scanner.record()).name()).matches()) {
            sum += scanner.timeNanos();
          }
        }
      }
    }
    return sum;
  }

  private static long all(PaperArchive archive, EventQuery query) throws IOException {
    long rows = 0;
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive.root()).threads(1).open();
        EventCursor cursor = reader.cursor(query)) {
      while (cursor.next()) {
        rows += cursor.to() - cursor.from();
      }
    }
    return rows;
  }

  private static long arrow(PaperArchive archive, EventQuery query) throws IOException {
    long rows = 0;
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive.root()).threads(1).open();
        BufferAllocator allocator = new RootAllocator();
        EventReader events = reader.read(query, allocator)) {
      while (events.loadNextBatch()) {
        rows += events.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }

  /** Returns the first values of the pair's doubles. */
  private static EventColumns sample(PairLog log, int most) throws IOException {
    EventColumns sample = new EventColumns(ValueType.DOUBLE, false, most);
    BitSet wanted = new BitSet();
    wanted.set(log.records().ordinalOfName(WANTED));
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      while (scanner.nextSegment()) {
        while (scanner.next() && sample.count < most) {
          sample.timeNanos[sample.count] = scanner.timeNanos();
          sample.values[sample.count++] = scanner.numberBits();
        }
      }
    }
    return sample;
  }

  private void clock(EventColumns sample, ClockText clock, byte[] target) {
    for (int row = 0; row < sample.count; row++) {
      sink += clock.writeWithFraction(sample.timeNanos[row], target, 0);
    }
    sink += Arrays.hashCode(target);
  }

  private void formatted(EventColumns sample) {
    for (int row = 0; row < sample.count; row++) {
      sink += formatter.format(Instant.ofEpochSecond(0, sample.timeNanos[row])).length();
    }
  }

  private void numbers(EventColumns sample, ExponentText exponents, byte[] target) {
    for (int row = 0; row < sample.count; row++) {
      sink += exponents.write(Double.longBitsToDouble(sample.values[row]), target, 0);
    }
    sink += Arrays.hashCode(target);
  }

  private void formattedNumbers(EventColumns sample) {
    for (int row = 0; row < sample.count; row++) {
      sink +=
          String.format(Locale.ROOT, "%e", Double.longBitsToDouble(sample.values[row])).length();
    }
  }
}
