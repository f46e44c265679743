package org.kblake.test.read.held;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.HeldLines;
import org.kblake.test.oracle.NaiveReader;

/**
 * Values that were set years ago, and that only milestones have repeated since. The archives are
 * random: a few small pairs of hundreds of milestones and few events, with strays, restarts of
 * kblog after which milestones know nothing, and clocks set back.
 */
final class LongSilenceTest {

  private static final int ARCHIVES = 12;
  private static final int QUESTIONS = 14;
  private static final Group GROUP = new Group("VA", "CCG");
  private static final Duration YEAR = Duration.ofDays(365);

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(0, "A", ValueType.DOUBLE, 1),
              new RecordEntry(1, "B", ValueType.ENUM, 1),
              new RecordEntry(2, "C", ValueType.STRING, 1),
              new RecordEntry(3, "NEVER", ValueType.LONG, 1),
              new RecordEntry(4, "ONCE", ValueType.DOUBLE, 1)));

  @TempDir Path directory;

  private final OccurrenceCount found = new OccurrenceCount();

  /** The positions of the headers of events and milestones in each log, pair after pair. */
  private final List<List<Long>> headers = new ArrayList<>();

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");
  private long begin;
  private long end;
  private long strays;

  @Test
  void valuesAgreeWithTheDefinitionOverYears() throws Exception {
    Seeds.each(
        "values of years ago",
        ARCHIVES,
        seed -> {
          root = directory.resolve("seed" + seed);
          store = directory.resolve("store" + seed);
          Random random = new Random(seed);
          write(random);
          TestStores.closePairs(root);
          check(random);
        });
    found.print("values of years ago");
    // If a clock is set back within the first segment, ONCE may be a stray.
    found.require("older than a year", ARCHIVES / 2);
    found.require("look-back ended", ARCHIVES);
    found.require("complete with damage", ARCHIVES);
    found.require("incomplete with damage", 1);
  }

  /**
   * A is set in the first of 120 pairs, and NEVER has no value. B changes all the time. Of each
   * pair a search for NEVER reads the segment behind the last milestone. A is found at once.
   */
  @Test
  void aSearchOfManyPairsReadsASegmentOfEach() throws Exception {
    root = directory.resolve("many");
    begin = nanos(Instant.parse("2001-03-01T00:00:00Z"));
    long hour = Duration.ofHours(1).toNanos();
    LogWriter before = null;
    long bytes = 0;
    for (int pair = 0; pair < 120; pair++) {
      long first = begin + 100L * pair * hour;
      String stamp = PairName.at(GROUP.name(), first, SETTINGS.zone()).stamp();
      try (LogWriter log = LogWriter.create(root, GROUP, stamp, ByteOrder.BIG_ENDIAN, RECORDS)) {
        if (before != null) {
          log.continueFrom(before);
        }
        before = log;
        for (int segment = 0; segment < 100; segment++) {
          log.milestone(first + segment * hour);
          if (pair == 0 && segment == 0) {
            log.number(0, first + 1, 0, 0, 7);
          }
          for (int i = 0; i < 20; i++) {
            log.number(1, first + segment * hour + i, 0, 0, i);
          }
        }
        bytes += log.logBytes();
      }
    }
    TestStores.closePairs(root);
    long at = begin + 120 * 100 * hour;
    assertThat(read("A", at, "A " + (begin + 1) + " 0 0 d7 CONNECTED")).isLessThan(bytes / 2000);
    assertThat(read("NEVER", at, "NEVER unknown UNKNOWN")).isLessThan(bytes / 50);
  }

  /** Returns the bytes of log that a search reads, and checks its result. */
  private long read(String channel, long atNanos, String expected) throws IOException {
    AtomicLong read = new AtomicLong();
    try (ArchiveReader reader = open(false)) {
      HeldQuery query =
          HeldQuery.of(ChannelSelection.names(channel), Instant.EPOCH)
              .at(atNanos)
              .lookBack(HeldQuery.UNLIMITED_LOOK_BACK);
      HeldValues values =
          reader.held(
              query,
              new ReadListener() {
                @Override
                public void planned(long bytes) {
                  assertThat(bytes).isZero();
                }

                @Override
                public void read(long bytes, long events) {
                  read.addAndGet(bytes);
                }
              });
      assertThat(HeldLines.of(values)).containsExactly(expected);
    }
    return read.get();
  }

  private void write(Random random) throws IOException {
    headers.clear();
    long now = nanos(Instant.parse("2001-03-01T00:00:00Z")) + random.nextLong(1L << 40);
    begin = now;
    long stamp = 0;
    LogWriter before = null;
    for (int pair = 2 + random.nextInt(6); pair > 0; pair--) {
      long interval = Duration.ofHours(4 + random.nextInt(60)).toNanos();
      now += before != null && random.nextInt(3) == 0 ? interval * random.nextInt(200) : 0;
      // Stamps ascend even if the clock was set back.
      now = Math.max(now, stamp + TimeUnit.SECONDS.toNanos(2));
      stamp = now;
      PairName name = PairName.at(GROUP.name(), now, SETTINGS.zone());
      try (LogWriter log =
          LogWriter.create(root, GROUP, name.stamp(), ByteOrder.BIG_ENDIAN, RECORDS)) {
        if (before != null && random.nextBoolean()) {
          log.continueFrom(before);
        }
        before = log;
        now = write(log, now, interval, random);
      }
    }
    end = now;
  }

  /** Writes the milestones and events of a pair. Returns the archiver's clock at its end. */
  private long write(LogWriter log, long beginNanos, long interval, Random random)
      throws IOException {
    List<Long> offsets = new ArrayList<>();
    headers.add(offsets);
    double busy = random.nextInt(3) == 0 ? 0.3 : 0.02;
    long now = beginNanos;
    for (int segment = random.nextInt(160); segment >= 0; segment--) {
      offsets.add(log.logBytes());
      log.milestone(now);
      if (now == begin) {
        offsets.add(log.logBytes());
        log.number(4, begin + 1, 0, 0, 7);
      }
      while (random.nextDouble() < busy) {
        offsets.add(log.logBytes());
        event(log, now + random.nextLong(interval), random);
      }
      double luck = random.nextDouble();
      if (luck < 0.03) {
        now += (long) ((0.1 + random.nextInt(8)) * 1.2 * interval);
        log.clearStates();
      } else if (luck < 0.04) {
        now -= random.nextLong(interval);
      } else {
        now += interval;
      }
    }
    return now;
  }

  private void event(LogWriter log, long now, Random random) throws IOException {
    double luck = random.nextDouble();
    // Each stray has a time of its own.
    long nanos =
        luck < 0.15
            ? nanos(Instant.parse("1990-01-01T00:00:05Z")) + strays++
            : luck < 0.25 ? nanos(Instant.parse("2090-01-01T00:00:00Z")) + strays++ : now;
    int severity = random.nextInt(2);
    int channel = random.nextInt(3);
    if (random.nextInt(5) == 0) {
      log.connection(channel, nanos, random.nextBoolean(), severity, 0);
    } else if (channel == 2) {
      log.text(2, nanos, severity, 0, ("v" + random.nextInt(2)).getBytes(StandardCharsets.UTF_8));
    } else {
      log.number(channel, nanos, severity, 0, random.nextInt(2));
    }
  }

  private void check(Random random) throws Exception {
    List<NaiveReader.Event> events =
        NaiveReader.read(
            root, GROUP.toString(), false, SETTINGS.zone(), SETTINGS.disorderBoundNanos());
    List<HeldQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      queries.add(question(random));
    }
    queries.add(question(Math.max(end, begin + 2 * YEAR.toNanos())));
    List<List<String>> expected = new ArrayList<>();
    try (ArchiveReader reader = open(false)) {
      for (HeldQuery query : queries) {
        List<String> truth = HeldLines.naively(query, channels(), events);
        expected.add(truth);
        HeldValues raw = reader.held(query);
        assertThat(HeldLines.of(raw)).as("raw, %s", query).isEqualTo(truth);
        assertThat(raw.coverage().isComplete()).isTrue();
        checkNote(query, raw);
      }
    }
    Archive archive = Archive.open(root, SETTINGS);
    long middle = begin + random.nextLong(end - begin);
    for (TimeRange part : List.of(new TimeRange(begin, middle), TimeRange.ALL)) {
      TestStores.backfill(archive, store, part);
      try (ArchiveReader reader = open(true)) {
        for (int i = 0; i < queries.size(); i++) {
          assertThat(HeldLines.read(reader, queries.get(i)))
              .as("columns, %s", queries.get(i))
              .isEqualTo(expected.get(i));
        }
      }
    }
    damage(random);
    for (int i = 0; i < queries.size(); i++) {
      try (ArchiveReader reader = open(false)) {
        HeldValues damaged = reader.held(queries.get(i));
        boolean complete = damaged.coverage().isComplete();
        found.add(complete ? "complete with damage" : "incomplete with damage", 1);
        if (complete) {
          assertThat(HeldLines.of(damaged))
              .as("damaged, %s", queries.get(i))
              .isEqualTo(expected.get(i));
        }
      }
      try (ArchiveReader reader = open(true)) {
        HeldValues stored = reader.held(queries.get(i));
        if (stored.coverage().isComplete()) {
          assertThat(HeldLines.of(stored))
              .as("columns beside damage, %s", queries.get(i))
              .isEqualTo(expected.get(i));
        }
      }
    }
  }

  /** The answer says so if the look-back ended without a value, and not otherwise. */
  private void checkNote(HeldQuery query, HeldValues values) {
    long from = EpochNanos.minus(query.atNanos(), query.lookBackNanos());
    long unknown = values.values().stream().filter(value -> !value.isKnown()).count();
    boolean ended = unknown > 0 && from > begin + TimeUnit.SECONDS.toNanos(1);
    boolean isNoted =
        values.coverage().notes().stream().anyMatch(note -> note.startsWith("look-back ended at"));
    if (from < begin - TimeUnit.SECONDS.toNanos(1) || from > begin + TimeUnit.SECONDS.toNanos(1)) {
      assertThat(isNoted).as("%s: %s", query, values.coverage().notes()).isEqualTo(ended);
    }
    found.add("look-back ended", ended ? 1 : 0);
    values.values().stream()
        .filter(value -> value.isKnown())
        .filter(value -> value.sinceNanos() < query.atNanos() - YEAR.toNanos())
        .forEach(value -> found.add("older than a year", 1));
  }

  private HeldQuery question(Random random) {
    long span = end - begin;
    Duration lookBack =
        switch (random.nextInt(4)) {
          case 0 -> YEAR;
          case 1 -> Duration.ofNanos(random.nextLong(span));
          default -> HeldQuery.UNLIMITED_LOOK_BACK;
        };
    return question(begin + random.nextLong(span + span / 4)).lookBack(lookBack);
  }

  private static HeldQuery question(long atNanos) {
    return HeldQuery.of(ChannelSelection.all(GROUP), Instant.EPOCH)
        .at(atNanos)
        .lookBack(HeldQuery.UNLIMITED_LOOK_BACK)
        .from(Source.AUTO)
        .allowIncomplete();
  }

  /** Damages an event or a milestone, or removes a log. */
  private void damage(Random random) throws IOException {
    List<Pair> pairs = Archive.open(root, SETTINGS).pairs(GROUP);
    int pair = random.nextInt(pairs.size());
    Path log = pairs.get(pair).logPath();
    if (random.nextInt(4) == 0) {
      Files.delete(log);
      return;
    }
    List<Long> offsets = headers.get(pair);
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(offsets.get(random.nextInt(offsets.size())));
      file.writeInt(-1);
    }
    TestStores.closePairs(root);
  }

  private static List<Channel> channels() {
    return RECORDS.entries().stream().map(each -> new Channel(GROUP, each.name())).toList();
  }

  private static long nanos(Instant instant) {
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond());
  }

  private ArchiveReader open(boolean withStore) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    return requireNonNull((withStore ? builder.store(store) : builder).open());
  }
}
