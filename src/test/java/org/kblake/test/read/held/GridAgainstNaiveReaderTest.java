package org.kblake.test.read.held;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.NaiveReader;

/**
 * Compares grids on random archives with strays, disorder, clocks set back, restarts and changing
 * record sets. Any grid is the same from the raw log, from columns, from any mixture of both, and
 * from {@link NaiveReader}. Damaged logs, damaged blocks and missing pairs are included. A failure
 * names its seed.
 */
final class GridAgainstNaiveReaderTest {

  private static final int ARCHIVES = Seeds.cases(2, 5);

  private static final int QUESTIONS = 5;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");
  private final OccurrenceCount compared = new OccurrenceCount();
  private Random random = new Random(0);

  @Test
  void gridsAgree() throws Exception {
    Seeds.each("grids", ARCHIVES, seed -> check(seed, false));
    requireCompared("grids");
  }

  @Test
  void gridsOfDamagedLogsAgree() throws Exception {
    Seeds.each("grids of damaged logs", ARCHIVES, seed -> check(seed, true));
    requireCompared("grids of damaged logs");
  }

  private void requireCompared(String test) {
    compared.print(test);
    compared.require("raw grids", ARCHIVES);
    compared.require("stored grids", 2L * ARCHIVES);
    compared.require("grids beside failures", ARCHIVES);
    compared.require("rows", 30L * ARCHIVES);
    compared.require("connection events", ARCHIVES);
    compared.require("gaps", 10L * ARCHIVES);
  }

  private void check(long seed, boolean damage) throws Exception {
    root = directory.resolve("seed" + seed);
    store = directory.resolve("store" + seed);
    random = new Random(~seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    if (damage) {
      for (RandomArchive.WrittenPair pair : written.pairs()) {
        flipBits(root.resolve(pair.logPath()), 1 + random.nextInt(3));
      }
    }
    TestStores.closePairs(root);
    for (Group group : written.groups()) {
      if (IndexCheck.leadsEverywhere(Archive.open(root, SETTINGS), group)) {
        check(group, damage);
      }
    }
  }

  private void flipBits(Path file, int count) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < count && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    Files.write(file, bytes);
  }

  private void check(Group group, boolean damage) throws Exception {
    List<NaiveReader.Event> events =
        NaiveReader.read(
            root, group.toString(), false, RandomArchive.ZONE, RandomArchive.DISORDER_BOUND_NANOS);
    Map<Channel, List<NaiveReader.Event>> byChannel = new HashMap<>();
    Set<String> names = new LinkedHashSet<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    OptionalLong latest = OptionalLong.empty();
    String latestStamp = "";
    for (NaiveReader.Event event : events) {
      names.add(event.record());
      byChannel
          .computeIfAbsent(new Channel(group, event.record()), any -> new ArrayList<>())
          .add(event);
      if (!event.stray()) {
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
        boolean same = latestStamp.equals(event.stamp());
        latest =
            OptionalLong.of(same ? Math.max(latest.orElseThrow(), event.nanos()) : event.nanos());
        latestStamp = event.stamp();
      }
    }
    if (first > last) {
      return;
    }
    List<GridQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      queries.add(randomQuery(group, List.copyOf(names), first, last));
    }
    List<GridLines.Lines> raw = new ArrayList<>();
    try (ArchiveReader reader = open(false)) {
      assertThat(reader.latestEvent(group)).isEqualTo(latest);
      for (GridQuery query : queries) {
        GridLines.Lines lines = read(reader, query);
        raw.add(lines);
        if (lines != null) {
          List<Channel> channels = channels(reader, query);
          assertThat(lines.values())
              .as("raw, %s", query)
              .isEqualTo(GridLines.naively(query, channels, byChannel, lines.coverage()));
          countGaps(query, lines);
          assertThat(lines.connections())
              .as("connections, raw, %s", query)
              .isEqualTo(GridLines.connectionsNaively(query, channels, events));
          count("raw grids", lines);
        }
      }
    }
    Archive archive = Archive.open(root, SETTINGS);
    for (int step = 0; step < 3; step++) {
      long from = first + random.nextLong(last - first + 1);
      TestStores.backfill(
          archive,
          store,
          step == 2
              ? TimeRange.ALL
              : new TimeRange(from, from + 1 + random.nextLong(last - first + 1)));
      try (ArchiveReader reader = open(true)) {
        assertThat(reader.latestEvent(group)).isEqualTo(latest);
        compare(reader, queries, raw, "step " + step, true);
      }
    }
    checkFailures(group, queries, raw, damage);
  }

  /**
   * Compares grids of missing pairs, which come from blocks, and of damaged blocks, which come from
   * logs.
   */
  private void checkFailures(
      Group group, List<GridQuery> queries, List<GridLines.Lines> raw, boolean damage)
      throws IOException {
    List<Pair> pairs = Archive.open(root, SETTINGS).pairs(group);
    Pair gone = pairs.get(random.nextInt(pairs.size()));
    Path hidden = root.resolve("hidden");
    Files.move(gone.logPath(), hidden);
    try (ArchiveReader reader = open(true)) {
      // The blocks have all events, and all milestones of the index.
      compare(reader, queries, raw, "without " + gone.logPath(), !damage);
    }
    Files.move(hidden, gone.logPath());
    List<Path> files;
    try (Stream<Path> all = Files.walk(store.resolve(group.toString()))) {
      files =
          all.filter(file -> file.toString().endsWith(".parquet") && random.nextBoolean()).toList();
    }
    for (Path file : files) {
      flipBits(file, 20);
    }
    try (ArchiveReader reader = open(true)) {
      compare(reader, queries, raw, "with damaged blocks", false);
    }
  }

  /** Counts the cells that are empty because they are in gaps. */
  private void countGaps(GridQuery query, GridLines.Lines lines) throws IOException {
    if (query.nullInGaps()) {
      try (ArchiveReader reader = open(false)) {
        List<String> held = GridLines.read(reader, query.nullInGaps(false)).values();
        for (int i = 0; i < held.size(); i++) {
          compared.add("gaps", held.get(i).equals(lines.values().get(i)) ? 0 : 1);
        }
      }
    }
  }

  private void count(String what, GridLines.Lines lines) {
    compared.add(what);
    compared.add("rows", lines.values().size());
    compared.add("connection events", lines.connections().size());
  }

  private void compare(
      ArchiveReader reader,
      List<GridQuery> queries,
      List<GridLines.Lines> raw,
      String what,
      boolean whole)
      throws IOException {
    for (int i = 0; i < queries.size(); i++) {
      GridLines.Lines lines = read(reader, queries.get(i));
      GridLines.Lines expected = raw.get(i);
      if (!whole && (expected == null || lines == null)) {
        continue;
      }
      if (expected == null || lines == null) {
        assertThat(lines).as("%s, %s", what, queries.get(i)).isEqualTo(expected);
        continue;
      }
      assertThat(whole ? lines.values() : ofBoth(lines.values(), expected.values()))
          .as("%s, %s", what, queries.get(i))
          .isEqualTo(whole ? expected.values() : ofBoth(expected.values(), lines.values()));
      assertThat(whole ? lines.connections() : ofBoth(lines.connections(), expected.values()))
          .as("connections, %s, %s", what, queries.get(i))
          .isEqualTo(
              whole ? expected.connections() : ofBoth(expected.connections(), lines.values()));
      if (whole) {
        assertThat(coverage(lines))
            .as("coverage, %s, %s", what, queries.get(i))
            .isEqualTo(coverage(expected));
      }
      count(whole ? "stored grids" : "grids beside failures", lines);
    }
  }

  /**
   * Returns the lines of those channels that the other grid also has, sorted. If a log or its
   * milestones are damaged, the record tables of the period and their order of channels may differ.
   */
  private static List<String> ofBoth(List<String> lines, List<String> values) {
    Set<String> channels = new HashSet<>();
    values.forEach(line -> channels.add(channelOf(line)));
    return lines.stream().filter(line -> channels.contains(channelOf(line))).sorted().toList();
  }

  private static String channelOf(String line) {
    return line.split(" ", 4)[2];
  }

  /** Returns the coverage of the grid's own times. How far back a search reads may differ. */
  private static List<String> coverage(GridLines.Lines lines) {
    CoverageReport all = lines.coverage();
    long start = all.range().fromNanos();
    return AnswerLines.lines(
        new CoverageReport(
            all.range(),
            all.spans().stream().filter(span -> span.range().fromNanos() >= start).toList(),
            all.strays(),
            all.backwardSteps(),
            List.of()));
  }

  private static GridLines.@Nullable Lines read(ArchiveReader reader, GridQuery query)
      throws IOException {
    try {
      return GridLines.read(reader, query);
    } catch (UnknownChannelException e) {
      return null;
    }
  }

  private static List<Channel> channels(ArchiveReader reader, GridQuery query) throws IOException {
    long to = Math.max(query.endNanos() + 1, query.connectionsToNanos());
    return reader.channels(query.channels(), new TimeRange(query.startNanos(), to)).stream()
        .map(info -> info.channel())
        .toList();
  }

  private ArchiveReader open(boolean withStore) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    return (withStore ? builder.store(store) : builder).open();
  }

  private List<Long> randomInstants(long start, long length, int points) {
    TreeSet<Long> instants = new TreeSet<>(List.of(start, start + length));
    long at = start;
    for (int i = 2; i < points; i++) {
      // Some are a few nanoseconds apart.
      at =
          random.nextInt(4) == 0 ? at + 1 + random.nextInt(3) : start + random.nextLong(length + 1);
      instants.add(Math.min(at, start + length));
    }
    return List.copyOf(instants);
  }

  private GridQuery randomQuery(Group group, List<String> names, long first, long last) {
    long span = last - first + 1;
    long start = first - span / 10 + random.nextLong(span + span / 5 + 1);
    long length = random.nextBoolean() ? random.nextLong(span) : random.nextLong(1 + span / 20);
    // Some grids have several windows of many points.
    int points = 1 + random.nextInt(random.nextInt(8) == 0 ? 2_000 : 60);
    ChannelSelection channels = ChannelSelection.all(group);
    if (random.nextInt(3) > 0) {
      channels = ChannelSelection.of(List.of()).in(group);
      for (int i = random.nextInt(4); i >= 0; i--) {
        channels = channels.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
      }
    }
    GridQuery query =
        random.nextInt(3) > 0
            ? GridQuery.of(channels, start, start + length, 1 + length / points)
            : GridQuery.at(channels, randomInstants(start, length, points));
    query = query.lookBack(Duration.ofDays(365)).allowIncomplete();
    query = random.nextInt(3) == 0 ? query : query.nullInGaps(true);
    return random.nextInt(3) == 0
        ? query
        : query.withConnectionsTo(
            Instant.ofEpochSecond(0, start + length + random.nextLong(1 + span / 10)));
  }
}
