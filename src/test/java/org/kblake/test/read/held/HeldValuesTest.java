package org.kblake.test.read.held;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;
import org.kblake.test.oracle.NaiveReader;

/**
 * The value held at an instant, from the raw log and from columns, compared with its definition.
 */
final class HeldValuesTest {

  private static final int ARCHIVES = 5;

  private static final int QUESTIONS = 12;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();
  private Path root = Path.of("unset");
  private Path store = Path.of("unset");

  @Test
  void valuesAgreeWithTheDefinition() throws Exception {
    Seeds.each(
        "held values",
        ARCHIVES,
        seed -> {
          root = directory.resolve("seed" + seed);
          store = directory.resolve("store" + seed);
          RandomArchive.Written written = RandomArchive.write(root, seed);
          TestStores.closePairs(root);
          checkDefinition(written, new Random(~seed));
        });
    compared.print("held values");
    compared.require("raw held values", 10 * ARCHIVES);
    compared.require("stored held values", 20 * ARCHIVES);
  }

  /**
   * Channel A was set in the first pair, and not later. B is not recorded in the second pair. The
   * search continues from pair to pair up to the look-back limit. The daily milestones that repeat
   * the value make no difference.
   */
  @Test
  void searchEndsAtTheLookBackInAnotherPair() throws Exception {
    root = directory.resolve("pairs");
    store = directory.resolve("columns");
    RecordEntry a = new RecordEntry(0, "A", ValueType.LONG, 1);
    RecordEntry b = new RecordEntry(1, "B", ValueType.LONG, 1);
    writeDays(0, 5, List.of(a, b));
    writeDays(5, 5, List.of(a));
    TestStores.closePairs(root);
    for (boolean withStore : new boolean[] {false, true}) {
      if (withStore) {
        TestStores.backfill(Archive.open(root, SETTINGS), store);
      }
      try (ArchiveReader reader = open(withStore)) {
        HeldQuery at = HeldQuery.of(ChannelSelection.names("A"), DAY0.plus(Duration.ofDays(9)));
        assertThat(HeldLines.read(reader, at.lookBack(Duration.ofDays(9))))
            .containsExactly("A " + nanos(DAY0.plusSeconds(60)) + " 0 0 7 CONNECTED");
        // The event came a minute after midnight, so it is eight days, 23 hours and 59 minutes old.
        assertThat(HeldLines.read(reader, at.lookBack(Duration.ofHours(9 * 24 - 1))))
            .containsExactly("A unknown UNKNOWN");
        assertThat(
                HeldLines.read(
                    reader,
                    HeldQuery.of(ChannelSelection.names("A"), DAY0.plus(Duration.ofDays(4)))
                        .lookBack(Duration.ofDays(3))))
            .containsExactly("A unknown UNKNOWN");
        assertThatThrownBy(
                () ->
                    reader.held(
                        HeldQuery.of(ChannelSelection.names("B"), DAY0.plus(Duration.ofDays(9)))))
            .isInstanceOf(UnknownChannelException.class);
        // A grid over both pairs has B, and continues to hold its value.
        GridQuery grid =
            GridQuery.of(
                ChannelSelection.names("B"),
                DAY0.plus(Duration.ofDays(3)),
                DAY0.plus(Duration.ofDays(9)),
                Duration.ofDays(3));
        assertThat(GridLines.read(reader, grid).values())
            .hasSize(3)
            .allMatch(line -> line.endsWith(nanos(DAY0.plusSeconds(60)) + " 0 0 8"));
      }
    }
  }

  /**
   * A was set in the first of twenty pairs. Milestones of some others repeat the value, so the
   * search can end there. The tenth pair is replaced by another one. A search that opened it would
   * fail, from raw logs and from columns.
   */
  @Test
  void searchOfYearsDoesNotOpenEachPair() throws Exception {
    root = directory.resolve("years");
    store = directory.resolve("columns");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    LogWriter before = null;
    for (int pair = 0; pair < 20; pair++) {
      before = writePair(5 * pair, records, before, pair == 0 ? 7 : null);
    }
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, SETTINGS), store);
    Pair tenth = Archive.open(root, SETTINGS).pairs(Group.parse("BM/DCCT")).get(10);
    Files.delete(tenth.indexPath());
    Files.delete(tenth.logPath());
    writePair(50, records, null, 8);
    TestStores.closePairs(root);
    HeldQuery at = HeldQuery.of(ChannelSelection.names("A"), DAY0.plus(Duration.ofDays(99)));
    for (boolean withStore : new boolean[] {false, true}) {
      try (ArchiveReader reader = open(withStore)) {
        assertThat(HeldLines.read(reader, at))
            .containsExactly("A " + nanos(DAY0.plusSeconds(60)) + " 0 0 7 CONNECTED");
      }
    }
  }

  /**
   * Writes a pair that begins with the states known to the pair before it. A is set to a value, or
   * not at all.
   */
  private LogWriter writePair(
      int day, RecordTable records, @Nullable LogWriter before, @Nullable Integer value)
      throws IOException {
    Group group = Group.parse("BM/DCCT");
    long begin = nanos(DAY0.plus(Duration.ofDays(day)));
    String stamp = PairName.at(group.name(), begin, SETTINGS.zone()).stamp();
    try (LogWriter writer =
        LogWriter.create(
            root, group, stamp, LogLayout.installed().get(0), ByteOrder.BIG_ENDIAN, records)) {
      if (before != null) {
        writer.continueFrom(before);
      }
      writer.milestone(begin);
      if (value != null) {
        writer.number(0, begin + Duration.ofMinutes(1).toNanos(), 0, 0, value);
      }
      writer.milestone(begin + Duration.ofDays(1).toNanos());
      return writer;
    }
  }

  /**
   * A was set a minute after day 0 began, in the segment in which the first grid begins. A grid has
   * no value at points where the value is older than the look-back.
   */
  @Test
  void gridDropsValuesOlderThanTheLookBack() throws Exception {
    root = directory.resolve("silent");
    store = directory.resolve("columns");
    writeDays(0, 10, List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, SETTINGS), store);
    ChannelSelection a = ChannelSelection.names("A");
    for (boolean withStore : new boolean[] {false, true}) {
      try (ArchiveReader reader = open(withStore)) {
        for (Duration lookBack : List.of(Duration.ofHours(1), Duration.ofHours(100))) {
          List<String> known = new ArrayList<>();
          GridQuery query =
              GridQuery.of(a, DAY0.plusSeconds(3 * 3600), DAY0.plusSeconds(200 * 3600), HOUR)
                  .lookBack(lookBack);
          List<String> lines = GridLines.read(reader, query).values();
          assertThat(lines).hasSize(198);
          for (int point = 0; point < lines.size(); point++) {
            HeldQuery at = HeldQuery.of(a, DAY0).at(query.pointNanos(point)).lookBack(lookBack);
            boolean isHeld =
                !requireNonNull(HeldLines.read(reader, at)).get(0).startsWith("A unknown");
            assertThat(lines.get(point).endsWith(" unknown")).isEqualTo(!isHeld);
            known.addAll(isHeld ? List.of(lines.get(point)) : List.of());
          }
          assertThat(known).hasSize(lookBack.equals(HOUR) ? 0 : 98);
        }
      }
    }
  }

  /**
   * A has one event, of a clock that was fifty years ahead, and milestones repeat it. No value is
   * held at that time. The event is a stray, although no segment near this time shows it.
   */
  @Test
  void strayRepeatedByMilestonesIsNotHeld() throws Exception {
    root = directory.resolve("stray");
    store = directory.resolve("columns");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    Instant ahead = DAY0.plus(Duration.ofDays(50 * 365));
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20160516090000", ByteOrder.BIG_ENDIAN, records)) {
      writer.milestone(nanos(DAY0));
      writer.number(0, nanos(ahead), 0, 0, 7);
      writer.milestone(nanos(DAY0.plusSeconds(60)));
    }
    TestStores.closePairs(root);
    for (boolean withStore : new boolean[] {false, true}) {
      if (withStore) {
        TestStores.backfill(Archive.open(root, SETTINGS), store);
      }
      try (ArchiveReader reader = open(withStore)) {
        HeldQuery at = HeldQuery.of(ChannelSelection.all(new Group("VA", "CCG")), ahead);
        assertThat(HeldLines.read(reader, at))
            .as("store=%s", withStore)
            .containsExactly("A unknown UNKNOWN");
      }
    }
  }

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Instant DAY0 = Instant.parse("2016-05-16T00:00:00Z");

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L;
  }

  /**
   * Writes a pair of a number of days with a milestone each day. Only the first pair has values.
   */
  private void writeDays(int first, int days, List<RecordEntry> records) throws IOException {
    Group group = Group.parse("BM/DCCT");
    long begin = nanos(DAY0.plus(Duration.ofDays(first)));
    try (LogWriter writer =
        LogWriter.create(
            root,
            group,
            PairName.at(group.name(), begin, SETTINGS.zone()).stamp(),
            LogLayout.installed().get(0),
            ByteOrder.BIG_ENDIAN,
            new RecordTable(records))) {
      for (int day = 0; day < days; day++) {
        writer.milestone(begin + Duration.ofDays(day).toNanos());
        if (first + day == 0) {
          for (int i = 0; i < records.size(); i++) {
            writer.number(i, nanos(DAY0.plusSeconds(60)), 0, 0, 7 + i);
          }
        }
      }
    }
  }

  private void checkDefinition(RandomArchive.Written written, Random random) throws Exception {
    List<HeldQuery> queries = new ArrayList<>();
    List<List<String>> expected = new ArrayList<>();
    try (ArchiveReader reader = open(false)) {
      for (Group group : written.groups()) {
        if (!IndexCheck.leadsEverywhere(Archive.open(root, SETTINGS), group)) {
          continue;
        }
        List<NaiveReader.Event> events =
            NaiveReader.read(
                root,
                group.toString(),
                false,
                RandomArchive.ZONE,
                RandomArchive.DISORDER_BOUND_NANOS);
        for (HeldQuery query : randomQueries(group, events, random)) {
          List<String> raw = HeldLines.read(reader, query.from(Source.RAW));
          if (raw != null) {
            assertThat(raw)
                .as("raw, %s", query)
                .isEqualTo(HeldLines.naively(query, channels(reader, query), events));
            compared.add("raw held values", raw.size());
          }
          queries.add(query);
          expected.add(raw);
        }
      }
    }
    Archive archive = Archive.open(root, SETTINGS);
    for (int step = 0; step < 2; step++) {
      long from = queries.isEmpty() ? 0 : queries.get(random.nextInt(queries.size())).atNanos();
      TestStores.backfill(
          archive,
          store,
          step == 1 ? TimeRange.ALL : new TimeRange(from, from + Duration.ofHours(12).toNanos()));
      try (ArchiveReader reader = open(true)) {
        for (int i = 0; i < queries.size(); i++) {
          List<String> stored = HeldLines.read(reader, queries.get(i));
          assertThat(stored).as("step %s, %s", step, queries.get(i)).isEqualTo(expected.get(i));
          compared.add("stored held values", stored == null ? 0 : stored.size());
        }
      }
    }
  }

  private static List<Channel> channels(ArchiveReader reader, HeldQuery query) throws IOException {
    TimeRange instant = new TimeRange(query.atNanos(), query.atNanos() + 1);
    return reader.channels(query.channels(), instant).stream().map(info -> info.channel()).toList();
  }

  private static List<HeldQuery> randomQueries(
      Group group, List<NaiveReader.Event> events, Random random) {
    Set<String> all = new LinkedHashSet<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (NaiveReader.Event event : events) {
      all.add(event.record());
      if (!event.stray()) {
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
      }
    }
    List<String> names = List.copyOf(all);
    List<HeldQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS && first <= last; i++) {
      long span = last - first + 1;
      long at =
          random.nextInt(3) == 0
              ? events.get(random.nextInt(events.size())).nanos()
              : first - span / 10 + random.nextLong(span + span / 5 + 1);
      ChannelSelection channels = ChannelSelection.all(group);
      if (random.nextInt(3) > 0) {
        channels = ChannelSelection.of(List.of()).in(group);
        for (int k = random.nextInt(4); k >= 0; k--) {
          channels = channels.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
        }
      }
      queries.add(new HeldQuery(Scope.of(channels).at(at).allowIncomplete()));
    }
    return queries;
  }

  private ArchiveReader open(boolean withStore) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    return (withStore ? builder.store(store) : builder).open();
  }
}
