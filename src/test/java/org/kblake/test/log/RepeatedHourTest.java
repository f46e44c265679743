package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.TrendQuery;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/**
 * Archives whose pairs have names that are not in the order of time, or that name wrong times: of
 * hours that a zone repeats or skips, of a host whose zone was changed, and of a clock that was set
 * back by an hour before a pair. The times of all writes are known, so that the pauses of the
 * archiver are, too.
 */
final class RepeatedHourTest {

  private static final int ARCHIVES = Seeds.cases(20, 60);
  private static final Group GROUP = new Group("VA", "CCG");
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;

  /**
   * A change of the names' clock.
   *
   * @param zone the archive's zone
   * @param before the zone of the host up to the change
   * @param at the time of the change
   */
  private record Change(ZoneId zone, ZoneId before, Instant at) {

    static Change of(String zone, String at) {
      return new Change(ZoneId.of(zone), ZoneId.of(zone), Instant.parse(at));
    }

    static Change ofHost(String zone, String before, String at) {
      return new Change(ZoneId.of(zone), ZoneId.of(before), Instant.parse(at));
    }

    String stamp(long nanos) {
      ZoneId of = Instant.ofEpochSecond(0, nanos).isBefore(at) ? before : zone;
      return PairName.at(GROUP.name(), nanos, of).stamp();
    }
  }

  private static final List<Change> CHANGES =
      List.of(
          Change.of("Europe/Berlin", "2024-10-27T01:00:00Z"),
          Change.of("Europe/Berlin", "2024-03-31T01:00:00Z"),
          Change.of("America/New_York", "2024-11-03T06:00:00Z"),
          Change.of("Australia/Lord_Howe", "2024-04-06T15:00:00Z"),
          Change.of("Asia/Tokyo", "2024-02-29T15:00:00Z"),
          Change.ofHost("Asia/Tokyo", "UTC", "2024-05-20T01:00:00Z"),
          Change.ofHost("UTC", "Asia/Tokyo", "2024-05-20T01:00:00Z"),
          Change.ofHost("Asia/Tokyo", "+10:00", "2024-05-20T01:00:00Z"));

  @TempDir Path directory;

  private final OccurrenceCount occurrences = new OccurrenceCount();

  /** The time from a pair's first write to its last one. */
  private record Written(String stamp, long fromNanos, long toNanos) {}

  @Test
  void answersKnowWhenTheArchiverWasDown() throws Exception {
    Seeds.each("repeated hour", ARCHIVES, this::check);
    occurrences.print("repeated hour");
    occurrences.require("pairs not in the order of time", ARCHIVES / 10);
    occurrences.require("pauses", ARCHIVES / 2);
  }

  private void check(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Change change = CHANGES.get(random.nextInt(CHANGES.size()));
    Path root = directory.resolve("archive" + seed);
    long interval = (1 + random.nextInt(5)) * MINUTE;
    List<Written> pairs = write(root, change, interval, random);
    Files.writeString(
        Files.createDirectories(root.resolve("SYS")).resolve("KEKBLog.list"), "VA CCG\n");
    TestStores.closePairs(root);
    List<TimeRange> running = running(pairs, 2 * interval);
    TimeRange all =
        new TimeRange(running.get(0).fromNanos(), running.get(running.size() - 1).toNanos());
    ArchiveSettings settings =
        ArchiveSettings.defaults(change.zone(), change.zone().getId()).withTail(TailRule.FINAL);
    for (@Nullable Path store : new @Nullable Path[] {null, directory.resolve("store" + seed)}) {
      if (store != null) {
        TestStores.backfill(Archive.open(root, settings), store);
      }
      ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(settings);
      try (ArchiveReader reader = (store == null ? builder : builder.store(store)).open()) {
        checkReport(reader, all, running);
        for (int i = 0; i < 20; i++) {
          long from = random.nextLong(all.fromNanos(), all.toNanos());
          checkReport(
              reader, new TimeRange(from, random.nextLong(from, all.toNanos()) + 1), running);
        }
        checkKnown(reader, all, running);
        if (change.before().equals(change.zone())) {
          assertThat(reader.latestEvent(GROUP).orElseThrow())
              .isBetween(all.toNanos() - interval, all.toNanos());
        }
      }
      checkStates(root, store, change, all, running);
    }
  }

  private List<Written> write(Path root, Change change, long interval, SplittableRandom random)
      throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    List<Written> pairs = new ArrayList<>();
    Set<String> stamps = new TreeSet<>();
    long at = TimeUnit.SECONDS.toNanos(change.at().getEpochSecond()) - 3 * HOUR;
    long until = at + 6 * HOUR;
    boolean inOrder = true;
    while (at < until) {
      // A name is in whole seconds, and no two pairs have the same one.
      String stamp = change.stamp(at);
      while (!stamps.add(stamp)) {
        at += SECOND;
        stamp = change.stamp(at);
      }
      inOrder &= pairs.isEmpty() || stamp.compareTo(pairs.get(pairs.size() - 1).stamp()) > 0;
      long from = at;
      long milestones = 3 + random.nextLong(random.nextInt(4) == 0 ? 3 * HOUR / interval : 12);
      try (LogWriter writer = LogWriter.create(root, GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
        for (int i = 0; i < milestones; i++) {
          at = from + i * interval;
          writer.milestone(at);
          writer.number(0, at, 0, 0, i);
          at += random.nextLong(interval);
          writer.number(0, at, 0, 0, i);
        }
      }
      pairs.add(new Written(stamp, from, at));
      boolean pause = random.nextInt(3) == 0;
      if (pause) {
        occurrences.add("pauses");
      }
      at += pause ? 2 * interval + SECOND + random.nextLong(90 * MINUTE) : random.nextLong(SECOND);
    }
    if (!inOrder) {
      occurrences.add("pairs not in the order of time");
    }
    return pairs;
  }

  /** Returns the spans of writes without a pause, by the rule of the format. */
  private static List<TimeRange> running(List<Written> pairs, long longest) {
    List<TimeRange> running = new ArrayList<>();
    for (Written pair : pairs) {
      TimeRange last = running.isEmpty() ? null : running.get(running.size() - 1);
      if (last != null && pair.fromNanos() - last.toNanos() <= longest) {
        running.set(running.size() - 1, new TimeRange(last.fromNanos(), pair.toNanos()));
      } else {
        running.add(new TimeRange(pair.fromNanos(), pair.toNanos()));
      }
    }
    return running;
  }

  private static void checkReport(ArchiveReader reader, TimeRange range, List<TimeRange> running)
      throws IOException {
    List<String> found = new ArrayList<>();
    String last = "";
    for (CoverageSpan span :
        AnswerLines.read(reader, EventQuery.of(ChannelSelection.all(GROUP)).between(range))
            .coverage()
            .spans()) {
      String kind = span.kind().toString();
      if (!kind.equals(last)) {
        found.add(span.range().fromNanos() + " " + kind);
      }
      last = kind;
    }
    List<String> expected = new ArrayList<>();
    long at = range.fromNanos();
    for (TimeRange each : running) {
      if (each.toNanos() > at && each.fromNanos() < range.toNanos()) {
        if (each.fromNanos() > at) {
          expected.add(at + " " + SpanKind.ARCHIVER_DOWN);
        }
        expected.add(Math.max(at, each.fromNanos()) + " " + SpanKind.ANSWERED);
        at = each.toNanos();
      }
    }
    if (at < range.toNanos()) {
      expected.add(at + " " + SpanKind.ARCHIVER_DOWN);
    }
    assertThat(found).as("%s", range).isEqualTo(expected);
  }

  /** A value is known while the archiver runs: the channel is always connected. */
  private static void checkKnown(ArchiveReader reader, TimeRange range, List<TimeRange> running)
      throws IOException {
    TrendQuery query =
        TrendQuery.of(
                ChannelSelection.all(GROUP),
                Instant.EPOCH,
                Instant.EPOCH,
                Duration.ofMinutes(7),
                Aggregate.KNOWN)
            .between(range);
    try (TrendReader trend = reader.trend(query)) {
      while (trend.next()) {
        double seconds = 0;
        for (TimeRange each : running) {
          long from = Math.max(each.fromNanos(), trend.timeNanos());
          long to = Math.min(each.toNanos(), Math.min(trend.endNanos(), range.toNanos()));
          seconds += Math.max(0, to - from) / 1e9;
        }
        double known = trend.has(0, Aggregate.KNOWN) ? trend.number(0, Aggregate.KNOWN) : 0;
        assertThat(known)
            .as("from %d", trend.timeNanos())
            .isCloseTo(seconds, org.assertj.core.data.Offset.offset(1e-6));
      }
    }
  }

  /** Logs that are not in columns have no known pauses, and those in columns have all. */
  private void checkStates(
      Path root, @Nullable Path store, Change change, TimeRange all, List<TimeRange> running)
      throws IOException {
    KblakeRun run =
        KblakeRun.in(directory)
            .at(Instant.parse("2025-01-01T00:00:00Z"))
            .with("KBLAKE_ARCHIVE", root.toString())
            .with("KBLAKE_STORE", store == null ? "" : store.toString())
            .with("KBLAKE_ZONE", change.zone().getId())
            .run(
                "coverage",
                "-f",
                "json",
                "--from",
                time(all.fromNanos()),
                "--to",
                time(all.toNanos()));
    assertThat(run.err()).isEmpty();
    JsonNode group = new ObjectMapper().readTree(run.out()).get("groups").get(0);
    for (JsonNode span : group.get("spans")) {
      long from = span.get("fromNanos").longValue();
      long to = span.get("toNanos").longValue();
      boolean down = span.get("state").textValue().equals("archiver down");
      for (TimeRange each : running) {
        if (down) {
          assertThat(from >= each.toNanos() || to <= each.fromNanos())
              .as("%s while the archiver ran: %s", span, each)
              .isTrue();
        }
      }
      if (store != null && !down) {
        assertThat(running)
            .as("%s", span)
            // A pair is named after the second in which it begins.
            .anyMatch(each -> each.fromNanos() - SECOND < from && to <= each.toNanos());
      }
    }
  }

  private static String time(long nanos) {
    return Instant.ofEpochSecond(0, nanos).atOffset(ZoneOffset.UTC).toString();
  }

  /**
   * The second of three pairs cannot be read. Before its end its clock was set back by at most the
   * disorder bound, or it was written in an hour that the zone repeats.
   */
  @Test
  void missingTimeOfAnUnreadablePairHasAllItsEvents() throws Exception {
    Seeds.each(
        "unreadable pairs",
        20,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          boolean repeats = random.nextBoolean();
          ZoneId zone = ZoneId.of(repeats ? "Europe/Berlin" : "Asia/Tokyo");
          Path root = directory.resolve("unreadable" + seed);
          ArchiveSettings settings =
              ArchiveSettings.defaults(zone, zone.getId()).withTail(TailRule.FINAL);
          long begin =
              TimeUnit.SECONDS.toNanos(Instant.parse("2024-10-26T23:30:00Z").getEpochSecond())
                  + random.nextLong(90) * MINUTE;
          long back = random.nextLong(settings.disorderBoundNanos() / SECOND) * SECOND;
          RecordTable records =
              new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
          long at = begin;
          List<Long> hidden = new ArrayList<>();
          for (int pair = 0; pair < 3; pair++) {
            String stamp = PairName.at(GROUP.name(), at, zone).stamp();
            try (LogWriter writer =
                LogWriter.create(root, GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
              for (int i = 0; i < 25; i++) {
                writer.milestone(at);
                writer.number(0, at, 0, 0, i);
                if (pair == 1) {
                  hidden.add(at);
                }
                at += MINUTE;
              }
            }
            at -= pair == 1 ? back : 0;
          }
          String stamp = PairName.at(GROUP.name(), hidden.get(0), zone).stamp();
          Files.delete(root.resolve("VA").resolve("CCG_" + stamp + ".log1"));
          TestStores.closePairs(root);
          try (ArchiveReader reader =
              ArchiveReader.builder().archive(root).settings(settings).open()) {
            List<CoverageSpan> missing =
                AnswerLines.read(
                        reader,
                        EventQuery.of(ChannelSelection.all(GROUP))
                            .between(new TimeRange(begin, at + HOUR))
                            .allowIncomplete())
                    .coverage()
                    .missing();
            for (long nanos : hidden) {
              assertThat(missing)
                  .as("%s at %d", zone, nanos)
                  .anyMatch(each -> each.range().contains(nanos));
            }
          }
        });
  }

  /** A clock that counts a leap second, and the leap day, name pairs, too. */
  @Test
  void leapSecondsAndLeapDaysNamePairs() throws Exception {
    Path root = directory.resolve("leap");
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    long leap = TimeUnit.SECONDS.toNanos(Instant.parse("2017-01-01T00:00:00Z").getEpochSecond());
    long day = TimeUnit.SECONDS.toNanos(Instant.parse("2024-02-28T15:00:00Z").getEpochSecond());
    for (String stamp : List.of("20170101085960", "20240229000000")) {
      try (LogWriter writer = LogWriter.create(root, GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
        long at = stamp.startsWith("2017") ? leap : day;
        writer.milestone(at);
        writer.number(0, at + SECOND, 0, 0, 7);
        writer.milestone(at + MINUTE);
      }
    }
    TestStores.closePairs(root);
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open()) {
      AnswerLines.Lines lines =
          AnswerLines.read(
              reader,
              EventQuery.of(ChannelSelection.all(GROUP)).between(new TimeRange(leap, day + HOUR)));
      assertThat(lines.events()).hasSize(2);
      assertThat(lines.coverage().notes()).isEmpty();
      assertThat(lines.coverage().spans().get(0).range())
          .isEqualTo(new TimeRange(leap, leap + MINUTE));
    }
  }
}
