package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.rollup.RollupWriting;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.internal.rollup.RollupReading;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnsupportedAggregateException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.FollowedLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;
import org.kblake.test.oracle.NaiveReader;
import org.kblake.test.oracle.TrendBins;

/**
 * Compares reads of renamed channels with {@link NaiveReader}, whose events get the present names.
 * The renamed channels of an archive are random: former names that are recorded before, after and
 * together with the present name, with and without a limit, of the same type and of another one. A
 * failure names its seed.
 */
final class RenamedChannelsTest {

  private static final int ARCHIVES = 30;
  private static final int QUESTIONS = 4;
  private static final Group GROUP = RandomArchive.SMALL_GROUP;
  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  private static final long FIVE_MINUTES = Duration.ofMinutes(5).toNanos();
  private static final List<Aggregate> OF_ROLLUPS =
      List.of(Aggregate.COUNT, Aggregate.MIN, Aggregate.MAX, Aggregate.MEAN);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();
  private Path root = Path.of("");
  private Path store = Path.of("");
  private Path channels = Path.of("");
  private Random random = new Random(0);
  private List<NaiveReader.Event> events = List.of();
  private List<String> names = List.of();
  private List<Pair> pairs = List.of();

  private RandomRenaming renaming = new RandomRenaming(List.of(), List.of(), List.of(), random);
  private Map<String, Map<String, Long>> former = Map.of();
  private final Map<String, Set<String>> kindsOfRecords = new HashMap<>();
  private long first;
  private long last;

  @BeforeEach
  void keepAllRollups() {
    RollupWriting.keep(1);
    RollupReading.always();
  }

  @AfterEach
  void keepFewRollups() {
    RollupWriting.reset();
    RollupReading.reset();
  }

  @Test
  void answersAreThoseOfOneChannel() throws Exception {
    Seeds.each("renamed channels", ARCHIVES, this::check);
    compared.print("renamed channels");
    for (String kind : List.of("raw", "half covered", "covered")) {
      for (String read : List.of("events", "held", "grid", "trend", "followed")) {
        compared.require(kind + " " + read, ARCHIVES);
      }
    }
    compared.require("former names alone", 5);
    compared.require("rows of rollups", 5);
  }

  private void check(long seed) throws Exception {
    root = directory.resolve("seed" + seed);
    store = directory.resolve("store" + seed);
    channels = directory.resolve("channels" + seed);
    random = new Random(~seed);
    RandomArchive.writeSmall(root, seed);
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, SETTINGS);
    if (!IndexCheck.leadsEverywhere(archive, GROUP)) {
      return;
    }
    pairs = archive.pairs(GROUP);
    readNaively();
    if (first > last || names.size() < 2) {
      return;
    }
    renaming = new RandomRenaming(events, names, pairs, random);
    renaming.write(channels, GROUP);
    former = renaming.former();
    List<Question> questions = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      questions.add(question());
    }
    try (ArchiveReader reader = open(false)) {
      compare(reader, questions, "raw");
    }
    TestStores.backfill(archive, store, new TimeRange(first, first + (last - first) / 2 + 1));
    try (ArchiveReader reader = open(true)) {
      compare(reader, questions, "half covered");
    }
    TestStores.backfill(archive, store);
    try (ArchiveReader reader = open(true)) {
      compare(reader, questions, "covered");
    }
  }

  private ArchiveReader open(boolean withStore) throws IOException {
    ArchiveReader.Builder builder =
        ArchiveReader.builder().archive(root).settings(SETTINGS).metadata(channels);
    return (withStore ? builder.store(store) : builder).open();
  }

  private void readNaively() throws IOException {
    events =
        NaiveReader.read(
            root, GROUP.toString(), false, RandomArchive.ZONE, SETTINGS.disorderBoundNanos());
    kindsOfRecords.clear();
    Set<String> all = new LinkedHashSet<>();
    for (Pair pair : pairs) {
      for (RecordEntry entry : pair.open().records().entries()) {
        all.add(entry.name());
        boolean rows = entry.waveform() || entry.type() == ValueType.STRING;
        kindsOfRecords
            .computeIfAbsent(entry.name(), any -> new HashSet<>())
            .add(rows ? "rows" : "numbers");
      }
    }
    names = List.copyOf(all);
    first = Long.MAX_VALUE;
    last = Long.MIN_VALUE;
    for (NaiveReader.Event event : events) {
      if (!event.stray()) {
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
      }
    }
  }

  /** Channels, times, and the events that the answers come from. */
  private record Question(
      ChannelSelection selection,
      long fromNanos,
      long toNanos,
      boolean strays,
      long lastEvents,
      List<NaiveReader.Event> events) {}

  private Question question() {
    long span = last - first + 1;
    long from = first - span / 10 + random.nextLong(span + span / 10);
    long to = from + 1 + random.nextLong(span + span / 10);
    Set<String> asked = new LinkedHashSet<>(names);
    asked.addAll(former.keySet());
    ChannelSelection selection = ChannelSelection.all(GROUP);
    int kind = random.nextInt(4);
    if (kind > 0) {
      List<String> all = List.copyOf(kind == 1 || former.isEmpty() ? asked : former.keySet());
      asked = new LinkedHashSet<>();
      selection = ChannelSelection.of(List.of()).in(GROUP);
      for (int i = random.nextInt(3); i >= 0; i--) {
        String name = all.get(random.nextInt(all.size()));
        if (renaming.divides(asked, name)) {
          asked.add(name);
          selection = selection.and(ChannelPattern.name(name));
        }
      }
      boolean alone =
          asked.stream()
              .anyMatch(name -> former.values().stream().anyMatch(of -> of.containsKey(name)));
      compared.add("former names alone", alone ? 1 : 0);
    }
    boolean strays = !renaming.isLimited() && random.nextInt(4) == 0;
    return new Question(
        selection,
        strays ? 0 : from,
        strays ? last + 1_000_000_000_000_000L : to,
        strays,
        random.nextInt(4) == 0 ? 1 + random.nextInt(10) : 0,
        renaming.renamed(asked));
  }

  private void compare(ArchiveReader reader, List<Question> questions, String what)
      throws Exception {
    for (Question question : questions) {
      String as = what + ", " + former + ", " + question.selection() + " in " + root;
      try {
        compareEvents(reader, question, what, as);
        compareHeld(reader, question, what, as);
        compareGrid(reader, question, what, as);
        compareTrend(reader, question, what, as);
      } catch (UnknownChannelException e) {
        compared.add("not in the period");
      }
      if (question.equals(questions.get(0))) {
        compareFollowed(reader, question, what, as);
      }
    }
    former.forEach(
        (present, records) ->
            records
                .keySet()
                .forEach(
                    record -> {
                      ChannelMetadata metadata = reader.metadata(new Channel(GROUP, record));
                      assertThat(metadata.presentNames()).contains(present);
                    }));
  }

  private void compareEvents(ArchiveReader reader, Question question, String what, String as)
      throws IOException {
    EventQuery query =
        EventQuery.of(question.selection())
            .between(new TimeRange(question.fromNanos(), question.toNanos()));
    query = question.strays() ? query.withStrays() : query;
    query = question.lastEvents() > 0 ? query.last(question.lastEvents()) : query;
    List<NaiveReader.Event> expected = new ArrayList<>();
    for (NaiveReader.Event event : question.events()) {
      if (event.stray() ? question.strays() : query.range().contains(event.nanos())) {
        expected.add(event);
      }
    }
    if (question.lastEvents() > 0) {
      Map<String, Long> left = new HashMap<>();
      List<NaiveReader.Event> kept = new ArrayList<>();
      for (int i = expected.size() - 1; i >= 0; i--) {
        if (left.merge(expected.get(i).record(), 1L, Long::sum) <= question.lastEvents()) {
          kept.add(0, expected.get(i));
        }
      }
      expected = kept;
    }
    assertThat(AnswerLines.read(reader, query).events())
        .as("events, %s", as)
        .isEqualTo(
            expected.stream().map(event -> RandomRenaming.line(event, question.strays())).toList());
    compared.add(what + " events", expected.size());
  }

  private static List<Channel> channels(
      ArchiveReader reader, ChannelSelection selection, TimeRange period) throws IOException {
    return reader.channels(selection, period).stream().map(ChannelInfo::channel).toList();
  }

  private void compareHeld(ArchiveReader reader, Question question, String what, String as)
      throws IOException {
    for (long at : List.of(question.fromNanos(), Math.min(last, question.toNanos()))) {
      HeldQuery query = HeldQuery.of(question.selection(), Instant.EPOCH).at(at);
      List<String> held = HeldLines.read(reader, query);
      if (held != null) {
        TimeRange instant = new TimeRange(at, at + 1);
        List<Channel> found = channels(reader, question.selection(), instant);
        assertThat(held)
            .as("held at %s, %s", at, as)
            .isEqualTo(HeldLines.naively(query, found, question.events()));
        compared.add(what + " held", held.size());
      }
    }
  }

  private void compareGrid(ArchiveReader reader, Question question, String what, String as)
      throws IOException {
    long from = Math.max(first - 1, question.fromNanos());
    long to = Math.max(from + 1, Math.min(last + 1, question.toNanos()));
    GridQuery query =
        GridQuery.of(question.selection(), from, to, 1 + (to - from) / (1 + random.nextInt(40)))
            .allowIncomplete()
            .withConnectionsTo(Instant.ofEpochSecond(0, to + 1));
    Map<Channel, List<NaiveReader.Event>> byChannel = new HashMap<>();
    for (NaiveReader.Event event : question.events()) {
      byChannel
          .computeIfAbsent(new Channel(GROUP, event.record()), any -> new ArrayList<>())
          .add(event);
    }
    TimeRange period = new TimeRange(from, Math.max(query.endNanos() + 1, to + 1));
    List<Channel> found = channels(reader, question.selection(), period);
    GridLines.Lines lines = GridLines.read(reader, query);
    assertThat(lines.values())
        .as("grid, %s", as)
        .isEqualTo(GridLines.naively(query, found, byChannel));
    assertThat(lines.connections())
        .as("connections, %s", as)
        .isEqualTo(GridLines.connectionsNaively(query, found, question.events()));
    compared.add(what + " grid", lines.values().size());
  }

  /** Returns the width of bins, often one that rollups have. */
  private long step(long nanos) {
    long step = 1 + nanos / (1 + random.nextInt(20));
    return random.nextBoolean() ? step : (1 + step / FIVE_MINUTES) * FIVE_MINUTES;
  }

  private void compareTrend(ArchiveReader reader, Question question, String what, String as)
      throws IOException {
    long from = Math.max(first - 1, question.fromNanos());
    long to = Math.max(from + 1, Math.min(last + 1, question.toNanos()));
    TrendQuery query =
        new TrendQuery(
            Scope.of(question.selection()).between(new TimeRange(from, to)).allowIncomplete(),
            step(to - from),
            random.nextBoolean() ? OF_ROLLUPS : List.of(Aggregate.values()));
    TrendBins.Answer answer;
    try {
      answer = TrendBins.read(reader, query);
    } catch (UnsupportedAggregateException e) {
      List<Aggregate> ofAllTypes =
          query.aggregates().stream().filter(Aggregate::isOfAllTypes).toList();
      query = new TrendQuery(query.scope(), query.stepNanos(), ofAllTypes);
      answer = TrendBins.read(reader, query);
    }
    compared.add("rows of rollups", answer.rollupRows());
    int width = answer.channels().size();
    for (int channel = 0; channel < width; channel++) {
      String name = answer.channels().get(channel).name();
      Set<String> kinds = kinds(name);
      if (kinds.size() > 1) {
        continue;
      }
      List<TrendBins.Bin> expected =
          TrendBins.naively(
              query,
              answer.channels().get(channel),
              question.events().stream().filter(event -> event.record().equals(name)).toList(),
              kinds.contains("rows"),
              answer.coverage());
      for (int bin = 0; bin < expected.size(); bin++) {
        TrendBins.Bin actual = answer.bins().get(bin * width + channel);
        TrendBins.Bin naive = expected.get(bin);
        assertThat(actual.exact()).as("trend, %s, %s", query, as).isEqualTo(naive.exact());
        assertThat(actual.close().keySet()).isEqualTo(naive.close().keySet());
        naive
            .close()
            .forEach(
                (aggregate, number) -> {
                  double most = naive.most()[aggregate == Aggregate.TIME_MEAN ? 1 : 0];
                  double got = actual.close().getOrDefault(aggregate, Double.NaN);
                  boolean isClose =
                      Double.compare(got, number) == 0
                          || Math.abs(got - number) <= 1e-12 * most + Math.ulp(number);
                  assertThat(isClose)
                      .as("%s is %s, not %s: %s", aggregate, got, number, as)
                      .isTrue();
                });
        compared.add(what + " trend");
      }
    }
  }

  /** Returns whether the records of a channel have values that are numbers, others, or both. */
  private Set<String> kinds(String name) {
    Set<String> found = new HashSet<>();
    for (String record : names) {
      if (record.equals(name) || former.getOrDefault(name, Map.of()).containsKey(record)) {
        found.addAll(kindsOfRecords.getOrDefault(record, Set.of()));
      }
    }
    return found;
  }

  private void compareFollowed(ArchiveReader reader, Question question, String what, String as)
      throws Exception {
    FollowQuery query =
        FollowQuery.of(question.selection(), Instant.EPOCH)
            .from(question.fromNanos())
            .polling(FollowQuery.MIN_POLL);
    try (EventFollower follower = reader.follow(query)) {
      List<String> lines = new FollowedLines(follower).read();
      List<String> expected =
          question.events().stream()
              .filter(event -> !event.stray() && event.nanos() >= question.fromNanos())
              .map(FollowedLines::line)
              .toList();
      assertThat(lines).as("followed, %s", as).isEqualTo(expected);
      compared.add(what + " followed", lines.size());
    } catch (UnknownChannelException e) {
      compared.add("not in the period");
    }
  }
}
