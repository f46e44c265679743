package org.kblake.test.read.moved;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Movements;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.AbortedArchive;
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * What moved is the same from raw logs, from columns, from both, and if a block fails while it is
 * read. Columns are read one channel after the other, so the order of events differs from that of
 * the logs. The random archives have strays, disorder, clocks set back, restarts and channels that
 * change their type.
 */
final class MovedSourcesTest {

  private static final int ARCHIVES = 12;
  private static final int QUESTIONS = 4;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();

  @Test
  void allSourcesGiveTheSameMovements() throws Exception {
    Seeds.each("moved sources", ARCHIVES, this::check);
    compared.print("moved sources");
    compared.require("movements", 10L * ARCHIVES);
    compared.require("covered", 2L * ARCHIVES);
    compared.require("half covered", 2L * ARCHIVES);
    compared.require("gaps", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    Random random = new Random(~seed);
    RandomArchive.Written written =
        random.nextBoolean()
            ? RandomArchive.writeSmall(root, seed)
            : RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    List<Long> times =
        written.groups().stream()
            .flatMap(group -> written.events(group).stream())
            .map(RandomArchive.WrittenEvent::timeNanos)
            .sorted()
            .toList();
    if (times.isEmpty()) {
      return;
    }
    List<MovedQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      queries.add(query(random, times.get(random.nextInt(times.size()))));
    }
    List<Movements> raw = new ArrayList<>();
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    try (ArchiveReader reader = builder.open()) {
      for (MovedQuery query : queries) {
        raw.add(reader.moved(query));
        compared.add("movements", raw.get(raw.size() - 1).all().size());
        compared.add("gaps", raw.get(raw.size() - 1).gaps().size());
      }
    }
    Archive archive = Archive.open(root, SETTINGS);
    long first = times.get(0);
    long last = times.get(times.size() - 1);
    TestStores.backfill(archive, store, new TimeRange(first, first + (last - first) / 2 + 1));
    for (String what : List.of("half covered", "covered")) {
      try (ArchiveReader reader = builder.store(store).open()) {
        for (int i = 0; i < queries.size(); i++) {
          Movements movements = reader.moved(queries.get(i));
          assertThat(movements.all())
              .as("%s, seed %d, %s", what, seed, queries.get(i))
              .isEqualTo(raw.get(i).all());
          assertThat(movements.gaps()).isEqualTo(raw.get(i).gaps());
          compared.add(what, 1);
        }
      }
      TestStores.backfill(archive, store);
    }
  }

  private static MovedQuery query(Random random, long atNanos) {
    return MovedQuery.of(ChannelSelection.glob("*"), Instant.ofEpochSecond(0, atNanos))
        .window(
            Duration.ofSeconds(random.nextInt(3600)), Duration.ofSeconds(1 + random.nextInt(3600)))
        .baseline(Duration.ofMinutes(1 + random.nextInt(600)))
        .allowIncomplete();
  }

  /** The events of the block's first pages were counted when its damage is found. */
  @Test
  void aDamagedBlockIsReadFromTheLogInItsPlace() throws Exception {
    Path root = directory.resolve("archive");
    Path store = directory.resolve("store");
    AbortedArchive.write(root, 7, 2000);
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, SETTINGS), store);
    MovedQuery query = MovedQuery.of(ChannelSelection.glob("*"), AbortedArchive.ABORT);
    ArchiveReader.Builder builder =
        ArchiveReader.builder().archive(root).store(store).settings(SETTINGS);
    Movements raw;
    try (ArchiveReader reader = builder.open()) {
      raw = reader.moved(query.from(Source.RAW));
    }
    damageTheEndOf(store);
    Told told = new Told();
    try (ArchiveReader reader = builder.open()) {
      Movements mended = reader.moved(query, told);
      assertThat(mended.all()).hasSizeGreaterThan(100).isEqualTo(raw.all());
      assertThat(mended.coverage().notes()).isNotEmpty();
    }
    assertThat(told.answers.get()).as("the answer was begun again").isEqualTo(2);
  }

  /** Counts what a listener is told. */
  private static final class Told implements ReadListener {
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong planned = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong events = new AtomicLong();

    @Override
    public void planned(long logBytes) {
      answers.incrementAndGet();
      planned.addAndGet(logBytes);
    }

    @Override
    public void read(long logBytes, long read) {
      bytes.addAndGet(logBytes);
      events.addAndGet(read);
    }
  }

  private static void damageTheEndOf(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      Path file =
          files.filter(each -> each.endsWith("double.parquet")).sorted().findFirst().orElseThrow();
      int size = (int) Files.size(file);
      for (int at = size * 3 / 4; at < size * 9 / 10; at += size / 50) {
        CommandFixture.flip(file, at);
      }
    }
  }

  /** Groups are read at a time, and each tells of its bytes and events. */
  @Test
  void theListenerIsToldOfAllEventsAndBytes() throws Exception {
    Path root = directory.resolve("archive");
    AbortedArchive.write(root, 7, 2000);
    TestStores.closePairs(root);
    Told told = new Told();
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).settings(SETTINGS).open()) {
      reader.moved(MovedQuery.of(ChannelSelection.glob("*"), AbortedArchive.ABORT), told);
    }
    assertThat(told.planned.get()).isPositive();
    assertThat(told.bytes.get()).isEqualTo(told.planned.get());
    assertThat(told.events.get()).isGreaterThan(50_000);
  }
}
