package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.GridReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * Counts the work of reads while archives grow: opened files, and events whose times and values are
 * decoded. A count may grow linearly with the amount that is requested.
 */
final class GrowthTest {

  private static final Group GROUP = Group.parse("VA/CCG");
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final long BEGIN_NANOS = START.getEpochSecond() * SECOND_NANOS;
  private static final int SEGMENT_SECONDS = 600;

  /**
   * The length of a pair: a third of an hour, so that many pairs lie within the day by which clocks
   * may be wrong.
   */
  private static final int PAIR_SECONDS = 1_200;

  @TempDir private Path directory;

  /**
   * Writes an archive of silent channels, each with one event at its own time in the first pair,
   * and a channel with an event every ten seconds.
   */
  private Path silent(int channels, int pairs) throws IOException {
    Path root = directory.resolve("silent-" + channels + "-" + pairs);
    RecordTable records = records(channels + 1);
    LogWriter before = null;
    for (int pair = 0; pair < pairs; pair++) {
      long begin = BEGIN_NANOS + (long) pair * PAIR_SECONDS * SECOND_NANOS;
      try (LogWriter writer = writer(root, begin, records, before)) {
        int silent = 0;
        for (int second = 0; second < PAIR_SECONDS; second++) {
          long nanos = begin + second * SECOND_NANOS;
          if (second % SEGMENT_SECONDS == 0) {
            writer.milestone(nanos);
          }
          while (pair == 0 && silent < (long) channels * (second + 1) / PAIR_SECONDS) {
            writer.number(silent + 1, nanos + silent, 0, 0, Double.doubleToRawLongBits(silent));
            silent++;
          }
          if (second % 10 == 0) {
            writer.number(0, nanos + SECOND_NANOS - 1, 0, 0, Double.doubleToRawLongBits(second));
          }
        }
        before = writer;
      }
    }
    TestStores.closePairs(root);
    return root;
  }

  private static RecordTable records(int channels) {
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      entries.add(new RecordEntry(i, "VA_CCG:" + i, ValueType.DOUBLE, 1));
    }
    return new RecordTable(entries);
  }

  private static LogWriter writer(
      Path root, long beginNanos, RecordTable records, @Nullable LogWriter before)
      throws IOException {
    String stamp = PairName.at(GROUP.name(), beginNanos, ArchiveSettings.defaults().zone()).stamp();
    LogWriter writer =
        LogWriter.create(
            root, GROUP, stamp, LogLayout.installed().get(0), ByteOrder.LITTLE_ENDIAN, records);
    if (before != null) {
      writer.continueFrom(before);
    }
    return writer;
  }

  /**
   * Returns the number of logs opened to find the held values of all channels at the end of an
   * archive.
   */
  private static long opensOfHeld(Path root, Path store, int pairs, Source source)
      throws IOException {
    GuardedProvider files = new GuardedProvider(root);
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(files.path(root));
    try (ArchiveReader reader = (source == Source.RAW ? builder : builder.store(store)).open()) {
      reader.held(
          HeldQuery.of(
                  ChannelSelection.all(GROUP), START.plusSeconds((long) pairs * PAIR_SECONDS - 1))
              .from(source));
    }
    return files.reads().stream().filter(file -> file.endsWith(".log2")).count();
  }

  /** A value that a milestone repeats is searched in the pairs near its time. */
  @Test
  void heldValuesOpenEachPairAFewTimesForAnyNumberOfChannels() throws Exception {
    for (int pairs : new int[] {5, 20}) {
      for (int channels : new int[] {10, 1_000}) {
        Path root = silent(channels, pairs);
        Path store = directory.resolve("store-" + channels + "-" + pairs);
        assertThat(opensOfHeld(root, store, pairs, Source.RAW))
            .as("raw, channels=%d, pairs=%d", channels, pairs)
            .isLessThanOrEqualTo(10 + 3L * pairs);
        TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
        assertThat(opensOfHeld(root, store, pairs, Source.AUTO))
            .as("columns, channels=%d, pairs=%d", channels, pairs)
            .isLessThanOrEqualTo(10 + 3L * pairs);
      }
    }
  }

  /** Writes an archive of channels with an event a second. */
  private Path busy(int channels, int seconds) throws IOException {
    Path root = directory.resolve("busy-" + channels + "-" + seconds);
    try (LogWriter writer = writer(root, BEGIN_NANOS, records(channels), null)) {
      for (int second = 0; second < seconds; second++) {
        long nanos = BEGIN_NANOS + second * SECOND_NANOS;
        if (second % SEGMENT_SECONDS == 0) {
          writer.milestone(nanos);
        }
        for (int channel = 0; channel < channels; channel++) {
          long bits = Double.doubleToRawLongBits((double) second * channel);
          writer.number(channel, nanos + channel, 0, 0, bits);
        }
      }
    }
    TestStores.closePairs(root);
    return root;
  }

  /** Few windows decode each page, whether points are close together or far apart. */
  @Test
  void gridsDecodeAnEventAFewTimesForAnyNumberOfPointsAndChannels() throws Exception {
    for (int[] size : new int[][] {{1, 20_000}, {1, 100_000}, {20, 20_000}}) {
      Path root = busy(size[0], size[1]);
      Path store = directory.resolve("store-" + root.getFileName());
      TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
      for (Duration step : List.of(Duration.ofMillis(500), Duration.ofSeconds(3))) {
        GridQuery query =
            GridQuery.of(ChannelSelection.all(GROUP), START, START.plusSeconds(size[1] - 1), step);
        try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open();
            GridReader grid = reader.grid(query.from(Source.STORE))) {
          while (grid.next()) {
            assertThat(grid.isKnown(0)).isTrue();
          }
          long events = (long) size[0] * size[1];
          assertThat(grid.timesRead())
              .as("%s, step=%s", root.getFileName(), step)
              .isLessThan(2 * events + size[0] * 5L * EventColumns.PAGE_ROWS);
          assertThat(grid.eventsRead())
              .as("%s, step=%s", root.getFileName(), step)
              .isLessThanOrEqualTo(Math.min(events, size[0] * query.points()));
        }
      }
    }
  }

  /** A range opens only the pairs in which it lies. */
  @Test
  void rangesOpenTheSameFilesInAnArchiveOfManyPairs() throws Exception {
    List<Long> opens = new ArrayList<>();
    for (int pairs : new int[] {100, 200}) {
      Path root = silent(1, pairs);
      GuardedProvider files = new GuardedProvider(root);
      EventQuery query =
          EventQuery.of(ChannelSelection.all(GROUP))
              .between(new TimeRange(BEGIN_NANOS, BEGIN_NANOS + 60 * SECOND_NANOS));
      try (ArchiveReader reader = ArchiveReader.builder().archive(files.path(root)).open();
          EventCursor cursor = reader.cursor(query)) {
        long events = 0;
        while (cursor.next()) {
          events += cursor.to() - cursor.from();
        }
        assertThat(events).isEqualTo(6);
      }
      opens.add((long) files.reads().size());
    }
    assertThat(opens.get(1)).as("files that were opened: %s", opens).isEqualTo(opens.get(0));
  }
}
