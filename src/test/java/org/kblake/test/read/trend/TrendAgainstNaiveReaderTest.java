package org.kblake.test.read.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ReaderBins;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnsupportedAggregateException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.NaiveReader;
import org.kblake.test.oracle.TrendBins;

/**
 * Compares aggregates of random archives with those of {@link TrendBins}: whole, damaged and
 * growing ones, from the raw log, from columns, and from mixtures of both, in one window of bins
 * and in several. Exact aggregates are equal bit for bit. A failure names its seed.
 */
final class TrendAgainstNaiveReaderTest {

  private static final int ARCHIVES = 12;

  private static final int QUESTIONS = 5;

  /** Questions are about the channels with the most events. */
  private static final int MAX_NAMES = 5;

  private static final double BOUND = 1e-12;

  private static final List<Aggregate> ALL = List.of(Aggregate.values());

  private static final List<Aggregate> OF_ALL_TYPES =
      ALL.stream().filter(Aggregate::isOfAllTypes).toList();

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();
  private Path root = Path.of("");
  private Path store = Path.of("");
  private Random random = new Random(0);
  private Group group = new Group("VA", "CCG");

  /** The types that each channel has in the record tables of the archive. */
  private final Map<String, Set<String>> types = new TreeMap<>();

  private final Map<String, List<NaiveReader.Event>> events = new HashMap<>();
  private long first;
  private long last;
  private boolean damaged;

  @Test
  void aggregatesAgree() throws Exception {
    Seeds.each("trends", ARCHIVES, this::check);
    compared.print("trends");
    compared.require("events", 10L * ARCHIVES);
    compared.require("raw", 3L * ARCHIVES);
    compared.require("raw in windows", 3L * ARCHIVES);
    compared.require("half covered", 3L * ARCHIVES);
    compared.require("covered", 3L * ARCHIVES);
    compared.require("values", ARCHIVES);
    compared.require("within a mask", ARCHIVES);
    compared.require("time means", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    root = directory.resolve("seed" + seed);
    store = directory.resolve("store" + seed);
    random = new Random(~seed);
    boolean small = random.nextBoolean();
    RandomArchive.Written written =
        small ? RandomArchive.writeSmall(root, seed) : RandomArchive.write(root, seed);
    group = written.groups().get(random.nextInt(written.groups().size()));
    damaged = small && random.nextInt(4) > 0;
    if (damaged) {
      damage(written);
    }
    boolean growing = random.nextInt(3) == 0;
    TestStores.closePairs(root);
    if (growing) {
      RandomArchive.WrittenPair newest = written.pairs(group).get(written.pairs(group).size() - 1);
      for (Path file : List.of(newest.indexPath(), newest.logPath())) {
        Files.setLastModifiedTime(root.resolve(file), FileTime.from(Instant.now()));
      }
    }
    readNaively(written, growing);
    Archive archive = Archive.open(root, SETTINGS);
    if (first > last || !IndexCheck.leadsEverywhere(archive, group)) {
      return;
    }
    List<TrendQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      queries.add(randomQuery());
    }
    List<TrendBins.@Nullable Answer> raw = new ArrayList<>();
    try (ArchiveReader reader = open(false, Integer.MAX_VALUE)) {
      for (TrendQuery query : queries) {
        TrendBins.Answer answer = read(reader, query.from(Source.RAW));
        raw.add(answer);
        if (answer != null) {
          compareNaively(query, answer);
          compareCoverage(reader, query, answer);
        }
      }
    }
    try (ArchiveReader reader = open(false, 1 + random.nextInt(4))) {
      compare(reader, queries, raw, "raw in windows");
    }
    TestStores.backfill(archive, store, new TimeRange(first, first + (last - first) / 2 + 1));
    try (ArchiveReader reader = open(true, Integer.MAX_VALUE)) {
      compare(reader, queries, raw, "half covered");
    }
    TestStores.backfill(archive, store);
    try (ArchiveReader reader = open(true, Integer.MAX_VALUE)) {
      compare(reader, queries, raw, "covered");
    }
    try (ArchiveReader reader = open(true, 1 + random.nextInt(4))) {
      compare(reader, queries, raw, "covered in windows");
    }
  }

  private void damage(RandomArchive.Written written) throws IOException {
    RandomArchive.WrittenPair pair =
        written.pairs(group).get(random.nextInt(written.pairs(group).size()));
    Path log = root.resolve(pair.logPath());
    byte[] bytes = Files.readAllBytes(log);
    for (int i = 0; i < 3 && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    Files.write(log, bytes);
  }

  private void readNaively(RandomArchive.Written written, boolean growing) throws IOException {
    types.clear();
    events.clear();
    first = Long.MAX_VALUE;
    last = Long.MIN_VALUE;
    for (RandomArchive.WrittenPair pair : written.pairs(group)) {
      pair.records()
          .entries()
          .forEach(
              entry ->
                  types
                      .computeIfAbsent(entry.name(), any -> new TreeSet<>())
                      .add(entry.waveform() ? "list" : entry.type().text()));
    }
    for (NaiveReader.Event event :
        NaiveReader.read(
            root, group.toString(), growing, RandomArchive.ZONE, SETTINGS.disorderBoundNanos())) {
      events.computeIfAbsent(event.record(), any -> new ArrayList<>()).add(event);
      if (!event.stray()) {
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
      }
    }
  }

  private ArchiveReader open(boolean withStore, int mostBins) throws IOException {
    ArchiveReader.Builder builder =
        ReaderBins.set(ArchiveReader.builder().archive(root).settings(SETTINGS), mostBins);
    return (withStore ? builder.store(store) : builder).open();
  }

  private TrendQuery randomQuery() {
    long span = last - first + 1;
    long from =
        random.nextInt(3) > 0
            ? first - span / 10 + random.nextLong(1 + span / 4)
            : first + random.nextLong(span);
    long length =
        1 + (random.nextInt(3) > 0 ? random.nextLong(span) : random.nextLong(1 + span / 20));
    boolean numbers = random.nextInt(4) > 0;
    List<String> names =
        types.keySet().stream()
            .filter(name -> !numbers || isNumber(name))
            .sorted(Comparator.comparingInt(name -> -events.getOrDefault(name, List.of()).size()))
            .limit(MAX_NAMES)
            .toList();
    List<String> all = names.isEmpty() ? List.copyOf(types.keySet()) : names;
    ChannelSelection channels = ChannelSelection.of(List.of()).in(group);
    for (int i = random.nextInt(3); i >= 0; i--) {
      channels = channels.and(ChannelPattern.name(all.get(random.nextInt(all.size()))));
    }
    List<Aggregate> aggregates = names.isEmpty() || !numbers ? OF_ALL_TYPES : ALL;
    if (random.nextInt(4) == 0) {
      // Without held values there is one pass. Refused for some channels.
      aggregates = ALL.subList(0, ALL.indexOf(Aggregate.TIME_MEAN));
    }
    TrendQuery query =
        new TrendQuery(
            Scope.of(channels).between(new TimeRange(from, from + length)).allowIncomplete(),
            1 + length / (1 + random.nextInt(20)),
            aggregates);
    return random.nextInt(3) == 0 ? query.within(randomMask(from, length)) : query;
  }

  private TimeMask randomMask(long from, long length) {
    List<TimeRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      long at = from - length / 10 + random.nextLong(length + length / 5 + 1);
      ranges.add(new TimeRange(at, at + random.nextLong(length / 3 + 1)));
    }
    return TimeMask.of(ranges);
  }

  private boolean isNumber(String name) {
    return types.getOrDefault(name, Set.of()).stream()
        .noneMatch(type -> Set.of("list", "string", "enum").contains(type));
  }

  private TrendBins.@Nullable Answer read(ArchiveReader reader, TrendQuery query)
      throws IOException {
    try {
      return TrendBins.read(reader, query);
    } catch (UnsupportedAggregateException e) {
      assertThat(isNumber(e.channel().name())).as("refused %s", e.channel()).isFalse();
      compared.add("refused");
      return null;
    } catch (UnknownChannelException e) {
      return null;
    }
  }

  private void compareNaively(TrendQuery query, TrendBins.Answer answer) {
    List<List<TrendBins.Bin>> expected = new ArrayList<>();
    for (Channel channel : answer.channels()) {
      List<NaiveReader.Event> ofChannel = events.getOrDefault(channel.name(), List.of());
      boolean rows =
          ofChannel.stream().anyMatch(event -> event.elementCount() > 1)
              || types.getOrDefault(channel.name(), Set.of()).stream()
                  .anyMatch(type -> Set.of("list", "string").contains(type));
      List<TrendBins.Bin> bins =
          TrendBins.naively(query, channel, ofChannel, rows, answer.coverage());
      expected.add(bins);
    }
    for (int i = 0; i < answer.bins().size(); i++) {
      int channel = i % answer.channels().size();
      TrendBins.Bin bin = expected.get(channel).get(i / answer.channels().size());
      TrendBins.Bin actual = answer.bins().get(i);
      assertThat(actual.place()).isEqualTo(bin.place());
      if (isOfOneKind(answer.channels().get(channel).name())) {
        assertThat(actual.exact()).as("raw, %s, %s", query, bin.place()).isEqualTo(bin.exact());
        assertThat(actual.close().keySet()).as("%s", query).isEqualTo(bin.close().keySet());
        bin.close()
            .forEach(
                (aggregate, number) -> {
                  double most = bin.most()[aggregate == Aggregate.TIME_MEAN ? 1 : 0];
                  double got = actual.close().getOrDefault(aggregate, Double.NaN);
                  boolean isClose =
                      Double.compare(got, number) == 0
                          || Math.abs(got - number) <= BOUND * most + Math.ulp(number);
                  assertThat(isClose)
                      .as("%s is %s, not %s: %s, %s", aggregate, got, number, query, bin)
                      .isTrue();
                  compared.add(aggregate == Aggregate.TIME_MEAN ? "time means" : "values");
                });
        compared.add("raw");
        compared.add("within a mask", query.mask() == null ? 0 : 1);
        compared.add("events", Long.parseLong(String.valueOf(bin.exact().get(Aggregate.COUNT))));
      }
      if (!query.hasHeldValues()) {
        boolean isComplete = true;
        String[] place = bin.place().split(" ", 3);
        for (CoverageSpan span : answer.coverage().missing()) {
          isComplete &=
              span.range().fromNanos() >= Long.parseLong(place[1])
                  || span.range().toNanos() <= Long.parseLong(place[0]);
        }
        assertThat(answer.complete().get(i)).as("%s, %s", query, bin.place()).isEqualTo(isComplete);
      }
      compared.add("incomplete bins", answer.complete().get(i) ? 0 : 1);
    }
  }

  /**
   * Returns whether a channel has either numbers only, or texts and lists only. The period of a
   * question may have some of these types only.
   */
  private boolean isOfOneKind(String name) {
    Set<String> rows = new TreeSet<>(types.getOrDefault(name, Set.of()));
    boolean any = rows.removeAll(Set.of("list", ValueType.STRING.text()));
    return !any || rows.isEmpty();
  }

  /** Without held values, the coverage is that of the events of the same range. */
  private static void compareCoverage(
      ArchiveReader reader, TrendQuery query, TrendBins.Answer answer) throws IOException {
    if (!query.hasHeldValues()) {
      EventQuery same =
          EventQuery.of(query.channels()).between(query.range()).from(Source.RAW).allowIncomplete();
      assertThat(AnswerLines.lines(answer.coverage()))
          .isEqualTo(AnswerLines.lines(AnswerLines.read(reader, same).coverage()));
    }
  }

  private void compare(
      ArchiveReader reader,
      List<TrendQuery> queries,
      List<TrendBins.@Nullable Answer> raw,
      String what)
      throws IOException {
    for (int i = 0; i < queries.size(); i++) {
      TrendBins.Answer expected = raw.get(i);
      TrendBins.Answer answer = read(reader, queries.get(i));
      if (expected == null || answer == null) {
        assertThat(answer).as("%s, %s", what, queries.get(i)).isEqualTo(expected);
        continue;
      }
      for (int k = 0; k < expected.bins().size(); k++) {
        TrendBins.Bin bin = expected.bins().get(k);
        TrendBins.Bin actual = answer.bins().get(k);
        assertThat(actual.place() + actual.exact() + actual.close())
            .as("%s, %s", what, queries.get(i))
            .isEqualTo(bin.place() + bin.exact() + bin.close());
        // A search for held values may pass damage in a block that it reads in the raw log.
        if (!damaged || !queries.get(i).hasHeldValues()) {
          assertThat(answer.complete().get(k))
              .as("complete, %s, %s, %s", what, bin.place(), queries.get(i))
              .isEqualTo(expected.complete().get(k));
        }
        compared.add(what);
      }
    }
  }
}
