package org.kblake.test.read.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.DuckDb;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.TrendBins;

/** A channel of two days at 2 Hz: a long range reads the rollups of its block, and no events. */
final class RollupReadsTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final String CHANNEL = "BMHDCCT:CURRENT";
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofDays(2));
  private static final int EVENTS = 345_600;
  private static final long EVENT_NANOS = 500_000_000L;

  /** First, last, least and greatest value with their times are what draws a line. */
  private static final Aggregate[] LINE = {
    Aggregate.COUNT,
    Aggregate.FIRST,
    Aggregate.FIRST_TIME,
    Aggregate.LAST,
    Aggregate.LAST_TIME,
    Aggregate.MIN,
    Aggregate.MIN_TIME,
    Aggregate.MAX,
    Aggregate.MAX_TIME
  };

  @TempDir private Path directory;

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");
  private final long[] times = new long[EVENTS];
  private final double[] values = new double[EVENTS];

  @BeforeEach
  void writeArchive() throws Exception {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    long begin = START.getEpochSecond() * 1_000_000_000L;
    PairName name = PairName.at(GROUP.name(), begin, ArchiveSettings.defaults().zone());
    Random random = new Random(1);
    double value = 100;
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, CHANNEL, ValueType.DOUBLE, 1))))) {
      for (int i = 0; i < EVENTS; i++) {
        long nanos = begin + i * EVENT_NANOS;
        if (i % 1200 == 0) {
          writer.milestone(nanos);
        }
        value += random.nextGaussian() * (random.nextInt(1000) == 0 ? 50 : 1);
        times[i] = nanos + random.nextInt((int) EVENT_NANOS);
        values[i] = value;
        writer.number(0, times[i], 0, 0, Double.doubleToRawLongBits(value));
      }
    }
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
  }

  private ArchiveReader open() throws IOException {
    return ArchiveReader.builder().archive(root).store(store).open();
  }

  private static TrendQuery query(Duration step, Aggregate... aggregates) {
    return TrendQuery.of(ChannelSelection.all(GROUP), START, END, step, aggregates);
  }

  @Test
  void longRangesReadRollupsAndNoEvents() throws IOException {
    TrendQuery query = query(Duration.ofMinutes(30), LINE).from(Source.STORE);
    TrendQuery hours = query(Duration.ofHours(2), Aggregate.MEAN, Aggregate.STD).from(Source.STORE);
    TrendBins.Answer expected;
    try (ArchiveReader reader = open()) {
      expected = TrendBins.read(reader, query.from(Source.RAW));
    }
    Path events = CommandFixture.block(store).resolve("double.parquet");
    byte[] bytes = Files.readAllBytes(events);
    Arrays.fill(bytes, 4, bytes.length - 4, (byte) 0);
    Files.write(events, bytes);
    try (ArchiveReader reader = open()) {
      TrendBins.Answer answer = TrendBins.read(reader, query);
      assertThat(lines(answer)).isEqualTo(lines(expected));
      assertThat(answer.rollupRows()).isEqualTo(2 * 24 * 12);
      assertThat(TrendBins.read(reader, hours).rollupRows()).isEqualTo(2 * 24);
    }
  }

  private static List<String> lines(TrendBins.Answer answer) {
    return answer.bins().stream().map(bin -> bin.place() + bin.exact()).toList();
  }

  /** Only the first segment, which may have events from before the range, is read. */
  @Test
  void heldValuesOfLongRangesReadRollups() throws IOException {
    TrendQuery query =
        query(Duration.ofMinutes(30), Aggregate.TIME_MEAN, Aggregate.KNOWN, Aggregate.COUNT)
            .from(Source.STORE);
    Instant later = START.plus(Duration.ofHours(1));
    try (ArchiveReader reader = open()) {
      for (TrendQuery each :
          List.of(query, query.between(EpochNanos.range(later, END.plusSeconds(3600))))) {
        TrendBins.Answer answer = TrendBins.read(reader, each.allowIncomplete());
        TrendBins.Answer expected = TrendBins.read(reader, each.from(Source.RAW).allowIncomplete());
        assertThat(lines(answer)).isEqualTo(lines(expected));
        for (int i = 0; i < answer.bins().size(); i++) {
          Double mean = expected.bins().get(i).close().get(Aggregate.TIME_MEAN);
          if (mean == null) {
            assertThat(answer.bins().get(i).close()).isEmpty();
          } else {
            assertThat(answer.bins().get(i).close().get(Aggregate.TIME_MEAN))
                .isCloseTo(mean, within(1e-12 * mostOf(values)));
          }
        }
        assertThat(answer.rollupRows()).isGreaterThan(500);
      }
    }
  }

  private static double mostOf(double[] numbers) {
    return Arrays.stream(numbers).map(Math::abs).max().orElseThrow();
  }

  @Test
  void rollupsTakeAFewPercentOfTheBlock() throws IOException {
    Path block = CommandFixture.block(store);
    long all = 0;
    try (Stream<Path> files = Files.list(block)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        all += Files.size(file);
      }
    }
    assertThat(Files.size(block.resolve(Rollups.FILE_NAME))).isBetween(1L, all / 20);
  }

  /** Bins that do not divide the widths read events at their edges, or all events. */
  @Test
  void binsAtAnyTimeAreEqual() throws IOException {
    for (Duration step : List.of(Duration.ofSeconds(40_007), Duration.ofSeconds(301))) {
      TrendQuery odd = query(step, LINE);
      try (ArchiveReader reader = open()) {
        assertThat(lines(TrendBins.read(reader, odd)))
            .isEqualTo(lines(TrendBins.read(reader, odd.from(Source.RAW))));
      }
    }
  }

  @Test
  void anyParquetReaderReadsRollups() throws Exception {
    String file = CommandFixture.block(store).resolve(Rollups.FILE_NAME).toString();
    for (DuckDb version : DuckDb.values()) {
      assertThat(
              version.run(
                  directory,
                  List.of(
                      "SELECT width, count(*), sum(count), min(min) = "
                          + Arrays.stream(values).min().orElseThrow()
                          + ", max(max) = "
                          + Arrays.stream(values).max().orElseThrow()
                          + " FROM '"
                          + file
                          + "' WHERE channel = '"
                          + CHANNEL
                          + "' GROUP BY width ORDER BY width")))
          .isEqualTo(
              List.of(List.of("300\t576\t345600\ttrue\ttrue", "3600\t48\t345600\ttrue\ttrue")));
    }
  }

  /**
   * A line through the first, least, greatest and last value of each column of pixels covers the
   * same pixels as the line through all events.
   */
  @Test
  void lineOfFourValuesDrawsThePixelsOfAllEvents() throws IOException {
    Duration step = Duration.ofMinutes(30);
    List<long[]> points = new ArrayList<>();
    try (ArchiveReader reader = open();
        TrendReader trend = reader.trend(query(step, LINE))) {
      while (trend.next()) {
        for (Aggregate[] each :
            new Aggregate[][] {
              {Aggregate.FIRST_TIME, Aggregate.FIRST},
              {Aggregate.MIN_TIME, Aggregate.MIN},
              {Aggregate.MAX_TIME, Aggregate.MAX},
              {Aggregate.LAST_TIME, Aggregate.LAST}
            }) {
          points.add(
              new long[] {
                trend.integer(0, each[0]), Double.doubleToRawLongBits(trend.number(0, each[1]))
              });
        }
      }
    }
    points.sort((a, b) -> Long.compare(a[0], b[0]));
    double[] fewValues = new double[points.size()];
    long[] fewTimes = new long[points.size()];
    for (int i = 0; i < fewTimes.length; i++) {
      fewTimes[i] = points.get(i)[0];
      fewValues[i] = Double.longBitsToDouble(points.get(i)[1]);
    }
    assertThat(pixels(fewTimes, fewValues, step)).isEqualTo(pixels(times, values, step));
  }

  /** Returns the lowest and the highest pixel of each column that a line through points covers. */
  private List<String> pixels(long[] nanos, double[] numbers, Duration step) {
    double low = Arrays.stream(values).min().orElseThrow();
    double height = (Arrays.stream(values).max().orElseThrow() - low) / 400;
    long begin = START.getEpochSecond() * 1_000_000_000L;
    int columns = 96;
    double[] least = new double[columns];
    double[] most = new double[columns];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(most, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < nanos.length; i++) {
      int column = (int) ((nanos[i] - begin) / step.toNanos());
      least[column] = Math.min(least[column], numbers[i]);
      most[column] = Math.max(most[column], numbers[i]);
      if (i > 0 && (nanos[i - 1] - begin) / step.toNanos() < column) {
        // The line crosses the border of two columns, and belongs to both there.
        long border = begin + column * step.toNanos();
        double share = (border - nanos[i - 1]) / (double) (nanos[i] - nanos[i - 1]);
        double at = numbers[i - 1] + share * (numbers[i] - numbers[i - 1]);
        for (int each = column - 1; each <= column; each++) {
          least[each] = Math.min(least[each], at);
          most[each] = Math.max(most[each], at);
        }
      }
    }
    List<String> pixels = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      pixels.add(
          (long) Math.floor((least[i] - low) / height)
              + ".."
              + (long) Math.floor((most[i] - low) / height));
    }
    return pixels;
  }
}
