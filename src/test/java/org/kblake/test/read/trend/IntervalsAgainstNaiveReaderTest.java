package org.kblake.test.read.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Intervals;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.ValueCondition;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.NaiveReader;
import org.kblake.test.oracle.TrendBins;

/**
 * Compares the intervals in which a condition is met with those of the naive reader's held values,
 * from raw logs, half in columns and in columns. A failure names its seed.
 */
final class IntervalsAgainstNaiveReaderTest {

  private static final int ARCHIVES = 12;
  private static final int QUESTIONS = 6;
  private static final List<String> RELATIONS = List.of("<", "<=", ">", ">=", "==", "!=");

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();
  private final Map<String, List<NaiveReader.Event>> events = new HashMap<>();
  private Group group = new Group("VA", "CCG");
  private long first;
  private long last;

  @Test
  void intervalsAgree() throws Exception {
    Seeds.each("intervals", ARCHIVES, this::check);
    compared.print("intervals");
    compared.require("raw", 3L * ARCHIVES);
    compared.require("half covered", 3L * ARCHIVES);
    compared.require("covered", 3L * ARCHIVES);
    compared.require("intervals", 3L * ARCHIVES);
    compared.require("least length", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    Random random = new Random(~seed);
    RandomArchive.Written written =
        random.nextBoolean()
            ? RandomArchive.writeSmall(root, seed)
            : RandomArchive.write(root, seed);
    group = written.groups().get(random.nextInt(written.groups().size()));
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, SETTINGS);
    if (!IndexCheck.leadsEverywhere(archive, group)) {
      return;
    }
    readNaively(root);
    List<String> names = names();
    if (names.isEmpty() || first > last) {
      return;
    }
    List<IntervalQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      queries.add(randomQuery(random, names.get(random.nextInt(Math.min(4, names.size())))));
    }
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    try (ArchiveReader reader = builder.open()) {
      for (IntervalQuery query : queries) {
        compare(reader, query.from(Source.RAW), "raw");
      }
    }
    TestStores.backfill(archive, store, new TimeRange(first, first + (last - first) / 2 + 1));
    for (String what : List.of("half covered", "covered")) {
      try (ArchiveReader reader = builder.store(store).open()) {
        for (IntervalQuery query : queries) {
          compare(reader, query, what);
        }
      }
      TestStores.backfill(archive, store);
    }
  }

  private void readNaively(Path root) throws IOException {
    events.clear();
    first = Long.MAX_VALUE;
    last = Long.MIN_VALUE;
    for (NaiveReader.Event event :
        NaiveReader.read(
            root, group.toString(), false, RandomArchive.ZONE, SETTINGS.disorderBoundNanos())) {
      if (!event.stray()) {
        events.computeIfAbsent(event.record(), any -> new ArrayList<>()).add(event);
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
      }
    }
  }

  /** Returns the channels that have numbers only, those with the most events first. */
  private List<String> names() {
    return events.keySet().stream()
        .filter(
            name ->
                events.getOrDefault(name, List.of()).stream()
                    .allMatch(
                        event ->
                            event.state() != 2
                                || event.elementCount() == 1 && !event.type().equals("string")))
        .filter(
            name ->
                events.getOrDefault(name, List.of()).stream().anyMatch(event -> event.state() == 2))
        .sorted(Comparator.comparingInt(name -> -events.getOrDefault(name, List.of()).size()))
        .toList();
  }

  private IntervalQuery randomQuery(Random random, String name) {
    long span = last - first + 1;
    long from = first - span / 10 + random.nextLong(span);
    List<NaiveReader.Event> values =
        events.getOrDefault(name, List.of()).stream().filter(event -> event.state() == 2).toList();
    double number = TrendBins.number(values.get(random.nextInt(values.size())));
    return new IntervalQuery(
        Scope.of(ChannelSelection.of(List.of()).in(group).and(ChannelPattern.name(name)))
            .between(new TimeRange(from, from + random.nextLong(span)))
            .allowIncomplete(),
        ValueCondition.of(RELATIONS.get(random.nextInt(RELATIONS.size())), number),
        random.nextBoolean() ? 0 : random.nextLong(span / 20 + 1));
  }

  private void compare(ArchiveReader reader, IntervalQuery query, String what) throws IOException {
    Intervals answer;
    try {
      answer = reader.intervals(query);
    } catch (IllegalArgumentException e) {
      // The newest record table has lists or texts, and no event has one.
      assertThat(e).hasMessageContaining("a condition compares numbers");
      compared.add("refused");
      return;
    } catch (UnknownChannelException e) {
      // The period has no record table with the channel.
      compared.add("unknown");
      return;
    }
    String name = answer.channel().name();
    List<TimeRange> known = new ArrayList<>();
    List<TimeRange> met = new ArrayList<>();
    for (TrendBins.HeldTime held :
        TrendBins.held(
            answer.channel(),
            events.getOrDefault(name, List.of()),
            answer.coverage(),
            query.lookBackNanos(),
            query.readRange().fromNanos(),
            query.readRange().toNanos())) {
      if (held.event() != null) {
        TimeRange range = new TimeRange(held.from(), held.to());
        known.add(range);
        if (isMet(query.condition().toString(), TrendBins.number(held.event()))) {
          met.add(range);
        }
      }
    }
    TimeMask range = TimeMask.of(List.of(query.range()));
    List<TimeRange> whole =
        TimeMask.of(met).ranges().stream()
            .filter(each -> each.toNanos() - each.fromNanos() >= query.leastNanos())
            .toList();
    assertThat(answer.known().ranges())
        .as("known, %s, %s", what, query)
        .isEqualTo(TimeMask.of(known).and(range).ranges());
    assertThat(answer.met().ranges())
        .as("%s, %s", what, query)
        .isEqualTo(TimeMask.of(whole).and(range).ranges());
    compared.add(what);
    compared.add("intervals", answer.met().ranges().size());
    compared.add("least length", query.leastNanos() == 0 ? 0 : 1);
  }

  private static boolean isMet(String condition, double value) {
    String[] words = condition.split(" ");
    double number = Double.parseDouble(words[1]);
    return switch (words[0]) {
      case "<" -> value < number;
      case "<=" -> value <= number;
      case ">" -> value > number;
      case ">=" -> value >= number;
      case "==" -> value == number;
      default -> value != number;
    };
  }
}
