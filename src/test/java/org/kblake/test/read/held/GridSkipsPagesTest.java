package org.kblake.test.read.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;

/**
 * Counts the events that a grid decodes. Each busy channel has 72,000 events from point to point,
 * which are 18 pages of 4,096 rows. A point needs only the page that contains it. The slow channel
 * has 720 events from point to point, so every page has several points. All times of these pages
 * are decoded, and few values.
 */
final class GridSkipsPagesTest {

  private static final Group GROUP = Group.parse("RF/AnalogData");
  private static final int BUSY = 2;
  private static final int SLOW = 3;
  private static final long SLOW_NANOS = 5_000_000_000L;
  private static final int HOURS = 12;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long STEP_NANOS = SECOND_NANOS / 20;
  private static final long EVENTS = HOURS * 3600L * SECOND_NANOS / STEP_NANOS;
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");

  @TempDir static Path directory;

  private static Path root;
  private static Path store;

  @BeforeAll
  static void makeStore() throws Exception {
    root = directory.resolve("archive");
    store = directory.resolve("store");
    long begin = START.getEpochSecond() * SECOND_NANOS;
    List<RecordEntry> records = new ArrayList<>();
    for (int i = 0; i < BUSY; i++) {
      records.add(new RecordEntry(i, "CAV:D0" + i + ":VC", ValueType.DOUBLE, 1));
    }
    records.add(new RecordEntry(BUSY, "CAV:SILENT", ValueType.ENUM, 1));
    records.add(new RecordEntry(SLOW, "CAV:SLOW", ValueType.DOUBLE, 1));
    PairName name = PairName.at(GROUP.name(), begin, ArchiveSettings.defaults().zone());
    try (LogWriter writer =
        LogWriter.create(
            root,
            GROUP,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(records))) {
      writer.milestone(begin);
      writer.number(BUSY, begin, 0, 0, 3);
      for (long event = 0; event < EVENTS; event++) {
        long nanos = begin + event * STEP_NANOS;
        if (event > 0 && nanos % (600 * SECOND_NANOS) == 0) {
          writer.milestone(nanos);
        }
        for (int i = 0; i < BUSY; i++) {
          writer.number(i, nanos, 0, 0, Double.doubleToRawLongBits((double) event));
        }
        if (nanos % SLOW_NANOS == 0) {
          if (event == EVENTS / 2) {
            writer.connection(SLOW, nanos, true, 0, 0);
          }
          writer.number(SLOW, nanos, 0, 0, Double.doubleToRawLongBits((double) event));
        }
      }
    }
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    try (Store made = Store.open(store, null)) {
      assertThat(made.blocks(GROUP, problem -> {})).isNotEmpty();
    }
  }

  @Test
  void pointPerHourDecodesSmallPartOfColumns() throws IOException {
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open();
        GridReader grid = reader.grid(query(ChannelSelection.all(GROUP)).from(Source.STORE))) {
      check(grid);
      assertThat(grid.eventsRead()).isLessThan(BUSY * EVENTS / 10);
    }
  }

  @Test
  void pointPerHourDecodesValuesOfPointsOnly() throws IOException {
    GridQuery slow = query(ChannelSelection.names("CAV:SLOW")).from(Source.STORE);
    for (boolean connections : new boolean[] {false, true}) {
      try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open();
          GridReader grid =
              reader.grid(
                  connections
                      ? slow.withConnectionsTo(START.plus(Duration.ofHours(HOURS)))
                      : slow)) {
        long points = 0;
        long found = 0;
        while (grid.next()) {
          long event = (60 + 3600 * points++) * SECOND_NANOS / STEP_NANOS;
          assertThat(Double.longBitsToDouble(grid.columns(0).values[grid.row(0)]))
              .isEqualTo((double) event);
          found += grid.connections();
        }
        assertThat(found).isEqualTo(connections ? 1 : 0);
        assertThat(grid.timesRead()).isBetween(slowEvents() / 2, 2 * slowEvents());
        assertThat(grid.eventsRead()).isBetween(points - 1, points + 1);
      }
    }
  }

  private static long slowEvents() {
    return HOURS * 3600L * SECOND_NANOS / SLOW_NANOS;
  }

  /**
   * A dense grid over hours gives its first line after decoding a page of each channel, and reports
   * its progress.
   */
  @Test
  void firstPointNeedsOnePageOfEachChannel() throws IOException {
    GridQuery dense =
        GridQuery.of(
            ChannelSelection.all(GROUP),
            START.plusSeconds(60),
            START.plus(Duration.ofHours(HOURS - 1)),
            Duration.ofNanos(STEP_NANOS));
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open();
        GridReader grid = reader.grid(dense.from(Source.STORE))) {
      assertThat(grid.next()).isTrue();
      assertThat(grid.timesRead()).isBetween(1L, (BUSY + 2L) * EventColumns.PAGE_ROWS);
      assertThat(grid.share()).isZero();
      for (int hour = 1; hour < HOURS - 1; hour++) {
        for (long point = 0; point < dense.points() / HOURS; point++) {
          assertThat(grid.next()).isTrue();
        }
        assertThat(grid.share()).isCloseTo((double) hour / HOURS, within(1e-3));
      }
    }
  }

  @Test
  void rawLogIsReadInOnePass() throws IOException {
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open();
        GridReader grid = reader.grid(query(ChannelSelection.all(GROUP)))) {
      check(grid);
      assertThat(grid.eventsRead()).isLessThanOrEqualTo(BUSY * EVENTS + slowEvents() + 2);
    }
  }

  private static GridQuery query(ChannelSelection channels) {
    return GridQuery.of(
        channels,
        START.plusSeconds(60),
        START.plus(Duration.ofHours(HOURS - 1)),
        Duration.ofHours(1));
  }

  private static void check(GridReader grid) throws IOException {
    long points = 0;
    while (grid.next()) {
      long event = (60 + 3600 * points) * SECOND_NANOS / STEP_NANOS;
      for (int channel = 0; channel < BUSY; channel++) {
        EventColumns columns = grid.columns(channel);
        assertThat(Double.longBitsToDouble(columns.values[grid.row(channel)]))
            .isEqualTo((double) event);
        assertThat(grid.isNew(channel)).isTrue();
      }
      assertThat(grid.columns(BUSY).values[grid.row(BUSY)]).isEqualTo(3);
      assertThat(grid.isNew(BUSY)).isEqualTo(points == 0);
      points++;
    }
    assertThat(points).isEqualTo(HOURS - 1);
  }
}
