package org.kblake.test.read.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.CountedReads;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.oracle.TrendBins;

/**
 * Aggregates and held values of many channels with few events each, which share the pages of a
 * block.
 */
final class ManyChannelsTest {

  private static final Group GROUP = Group.parse("VA/CCG");
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int EVENTS = 20;

  @TempDir private Path directory;

  private Path root(int channels) {
    return directory.resolve("archive-" + channels);
  }

  private Path store(int channels) {
    return directory.resolve("store-" + channels);
  }

  private void write(int channels) throws Exception {
    write(channels, EVENTS);
  }

  /** Writes an archive of two hours, in which the events of all channels alternate. */
  private void write(int channels, int events) throws Exception {
    long begin = START.getEpochSecond() * 1_000_000_000L;
    long step = 2 * HOUR.toNanos() / events;
    PairName name = PairName.at(GROUP.name(), begin, ArchiveSettings.defaults().zone());
    List<RecordEntry> records = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      records.add(new RecordEntry(i, "VA_CCG:" + i, ValueType.DOUBLE, 1));
    }
    Random random = new Random(channels);
    try (LogWriter writer =
        LogWriter.create(
            root(channels),
            GROUP,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(records))) {
      for (int event = 0; event < events; event++) {
        writer.milestone(begin + event * step);
        for (int channel = 0; channel < channels; channel++) {
          long nanos = begin + event * step + random.nextLong(step);
          writer.number(channel, nanos, 0, 0, Double.doubleToRawLongBits(random.nextGaussian()));
        }
      }
    }
    TestStores.closePairs(root(channels));
    TestStores.backfill(Archive.open(root(channels), ArchiveSettings.defaults()), store(channels));
  }

  private static TrendQuery query(Aggregate... aggregates) {
    return TrendQuery.of(
        ChannelSelection.all(GROUP), START, START.plus(HOUR).plus(HOUR), HOUR, aggregates);
  }

  private static List<String> lines(ArchiveReader reader, TrendQuery query) throws IOException {
    return TrendBins.read(reader, query).bins().stream()
        .map(bin -> bin.place() + bin.exact())
        .toList();
  }

  /** Returns how often the store is read for the trends of all channels. */
  private long readsOfTrends(int channels) throws Exception {
    CountedReads reads = new CountedReads();
    Path store = new GuardedProvider(store(channels), reads).path(store(channels));
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(root(channels)).store(store).withoutAdmission().open()) {
      assertThat(lines(reader, query(Aggregate.COUNT, Aggregate.MIN).from(Source.STORE)))
          .hasSize(2 * channels);
    }
    return reads.operations();
  }

  /** An earlier version read the directory of a block again for each channel. */
  @Test
  void readsOfABlockDoNotGrowWithTheChannelsOfItsPages() throws Exception {
    int channels = 4_000;
    write(channels);
    // A page has the events of 200 channels, and a column of a page is one read.
    assertThat(readsOfTrends(channels)).isLessThan(channels / 4);
  }

  /** An earlier version looked up each channel in the files of the rollups and of the chunks. */
  @Test
  void readsOfRollupsDoNotGrowWithTheChannels() throws Exception {
    int channels = 100;
    write(channels, 3_000);
    // To look up a channel takes about ten reads, and to read its rows two.
    assertThat(readsOfTrends(channels)).isLessThan(5L * channels);
  }

  /** An earlier version decoded each page for each of its channels, in no order. */
  @Test
  void readsOfAGridDoNotGrowWithTheChannelsOfItsPages() throws Exception {
    int channels = 4_000;
    write(channels);
    CountedReads reads = new CountedReads();
    Path store = new GuardedProvider(store(channels), reads).path(store(channels));
    GridQuery query =
        GridQuery.of(ChannelSelection.all(GROUP), START, START.plus(HOUR), HOUR).from(Source.STORE);
    try (ArchiveReader reader =
            ArchiveReader.builder().archive(root(channels)).store(store).withoutAdmission().open();
        GridReader grid = reader.grid(query)) {
      while (grid.next()) {
        assertThat(grid.channels()).hasSize(channels);
      }
    }
    assertThat(reads.operations()).isLessThan(channels / 2);
  }

  /**
   * The events of a block come channel by channel. If a page behind the first ones is damaged,
   * those that were added must not count twice.
   */
  @Test
  void damageBehindTheFirstChannelsChangesNoAggregate() throws Exception {
    int channels = 2_000;
    write(channels);
    Path file = CommandFixture.block(store(channels)).resolve("double.parquet");
    CommandFixture.flip(file, Files.size(file) / 2);
    Aggregate[][] asked = {
      {Aggregate.COUNT, Aggregate.FIRST, Aggregate.LAST_TIME, Aggregate.MAX},
      {Aggregate.COUNT, Aggregate.KNOWN, Aggregate.MIN}
    };
    for (Aggregate[] aggregates : asked) {
      try (ArchiveReader reader =
          ArchiveReader.builder()
              .archive(root(channels))
              .store(store(channels))
              .executor(ForkJoinPool.commonPool())
              .open()) {
        TrendQuery query = query(aggregates);
        assertThat(lines(reader, query)).isEqualTo(lines(reader, query.from(Source.RAW)));
      }
    }
  }
}
