package org.kblake.test.read.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.rollup.RollupWriting;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ReaderBins;
import org.kblake.query.internal.rollup.RollupReading;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
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
 * Aggregates of random archives from the rollups of blocks equal those from the raw log: with
 * several blocks of segments that overlap in time, half covered, merged, and with damaged rollups.
 * Blocks keep all rollups here, and readers use them even if they cost more. A failure names its
 * seed.
 */
final class RollupTrendTest {

  private static final int ARCHIVES = Seeds.cases(5, 12);
  private static final int QUESTIONS = 6;
  private static final int MAX_NAMES = 5;
  private static final double BOUND = 1e-12;
  private static final long FIVE_MINUTES = Duration.ofMinutes(5).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private static final List<Aggregate> HELD = List.of(Aggregate.TIME_MEAN, Aggregate.KNOWN);

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();
  private Path root = Path.of("");
  private Path store = Path.of("");
  private Random random = new Random(0);
  private Group group = new Group("VA", "CCG");
  private List<String> names = List.of();
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
  void rollupsGiveTheAggregatesOfEvents() throws Exception {
    Seeds.each("rollups", ARCHIVES, this::check);
    compared.print("rollups");
    compared.require("rows of steps", 2L * ARCHIVES);
    compared.require("rows of half covered", 3);
    compared.require("rows of covered", 2L * ARCHIVES);
    compared.require("rows of covered in windows", 2L * ARCHIVES);
    compared.require("rows of merged", 2L * ARCHIVES);
    compared.require("rows of damaged", ARCHIVES);
    compared.require("held rows of covered", 1);
    compared.require("held rows of merged", 1);
    compared.require("values", 20L * ARCHIVES);
    compared.require("answers without rollups", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    root = directory.resolve("seed" + seed);
    store = directory.resolve("none");
    random = new Random(~seed);
    RandomArchive.Written written =
        random.nextInt(3) == 0
            ? RandomArchive.writeSmall(root, seed)
            : RandomArchive.write(root, seed);
    group = written.groups().get(random.nextInt(written.groups().size()));
    TestStores.closePairs(root);
    readNaively(written);
    Archive archive = Archive.open(root, SETTINGS);
    if (names.isEmpty() || first > last || !IndexCheck.leadsEverywhere(archive, group)) {
      return;
    }
    List<TrendQuery> queries = new ArrayList<>();
    List<TrendBins.Answer> raw = new ArrayList<>();
    try (ArchiveReader reader = open(Integer.MAX_VALUE)) {
      for (int i = 0; i < QUESTIONS; i++) {
        TrendQuery query = randomQuery();
        try {
          raw.add(TrendBins.read(reader, query.from(Source.RAW)));
          queries.add(query);
        } catch (UnsupportedAggregateException | UnknownChannelException e) {
          compared.add("refused");
        }
      }
    }
    store = directory.resolve("steps" + seed);
    TestStores.backfillInSteps(archive, store, 4, new SplittableRandom(seed));
    compare(queries, raw, "steps", Integer.MAX_VALUE);
    store = directory.resolve("store" + seed);
    TestStores.backfill(archive, store, new TimeRange(first, first + (last - first) / 2 + 1));
    compare(queries, raw, "half covered", Integer.MAX_VALUE);
    TestStores.backfill(archive, store);
    compare(queries, raw, "covered", Integer.MAX_VALUE);
    compare(queries, raw, "covered in windows", 1 + random.nextInt(4));
    assertThat(TestStores.verify(archive, store)).isEmpty();
    merge(archive);
    compare(queries, raw, "merged", Integer.MAX_VALUE);
    assertThat(TestStores.verify(archive, store)).isEmpty();
    for (int i = 0; i < 4; i++) {
      damage();
      compare(queries, raw, "damaged", Integer.MAX_VALUE);
    }
    remove();
    compare(queries, raw, "removed", Integer.MAX_VALUE);
  }

  private void readNaively(RandomArchive.Written written) throws IOException {
    Map<String, Integer> counts = new HashMap<>();
    Set<String> others = new HashSet<>();
    for (RandomArchive.WrittenPair pair : written.pairs(group)) {
      pair.records().entries().stream()
          .filter(entry -> !Rollups.isOf(entry.type(), entry.waveform()))
          .forEach(entry -> others.add(entry.name()));
    }
    first = Long.MAX_VALUE;
    last = Long.MIN_VALUE;
    for (NaiveReader.Event event :
        NaiveReader.read(
            root, group.toString(), false, RandomArchive.ZONE, SETTINGS.disorderBoundNanos())) {
      if (!event.stray()) {
        if (!others.contains(event.record())) {
          counts.merge(event.record(), 1, Integer::sum);
        }
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
      }
    }
    names =
        counts.keySet().stream()
            .sorted(Comparator.comparingInt(name -> -counts.getOrDefault(name, 0)))
            .limit(MAX_NAMES)
            .toList();
  }

  private ArchiveReader open(int mostBins) throws IOException {
    ArchiveReader.Builder builder =
        ReaderBins.set(ArchiveReader.builder().archive(root).settings(SETTINGS), mostBins);
    return (Files.exists(store.resolve("kblake-store.properties")) ? builder.store(store) : builder)
        .open();
  }

  private TrendQuery randomQuery() {
    long span = last - first + 1;
    long step =
        switch (random.nextInt(4)) {
          case 0 -> FIVE_MINUTES * (1 + random.nextInt(12));
          case 1 -> HOUR * (1 + random.nextInt(24));
          case 2 -> FIVE_MINUTES + random.nextLong(6 * HOUR);
          default -> Math.max(1, span / (1 + random.nextInt(6)));
        };
    // At most some hundred bins.
    step = Math.max(step, span / 300 / FIVE_MINUTES * FIVE_MINUTES);
    long from = first + random.nextLong(span) - span / 4;
    if (random.nextInt(3) > 0) {
      from = Math.floorDiv(from, step) * step;
    } else if (random.nextBoolean()) {
      from = Math.floorDiv(from, FIVE_MINUTES) * FIVE_MINUTES;
    }
    long length = 1 + random.nextLong(span + 2 * step);
    ChannelSelection channels = ChannelSelection.of(List.of()).in(group);
    for (int i = random.nextInt(3); i >= 0; i--) {
      channels = channels.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
    }
    List<Aggregate> aggregates = new ArrayList<>(List.of(Aggregate.values()));
    if (random.nextBoolean()) {
      aggregates.removeAll(HELD);
    }
    if (random.nextInt(3) == 0) {
      aggregates.removeIf(any -> random.nextBoolean());
      aggregates.addAll(List.of(Aggregate.MIN, Aggregate.MAX));
    }
    long lookBack =
        random.nextBoolean()
            ? Duration.ofDays(365).toNanos()
            : FIVE_MINUTES / 2 + random.nextLong(6 * HOUR);
    return new TrendQuery(
        Scope.of(channels)
            .between(new TimeRange(from, from + length))
            .lookBackNanos(lookBack)
            .allowIncomplete(),
        step,
        aggregates.stream().distinct().toList());
  }

  private void merge(Archive archive) throws Exception {
    try (Store open = TestStores.storeForWriting(archive, store)) {
      List<Block> blocks = open.blocks(group, problem -> {});
      for (int i = 0; i + 1 < blocks.size(); i += 2) {
        try {
          TestStores.compact(archive, open, List.of(blocks.get(i), blocks.get(i + 1)));
        } catch (IllegalArgumentException e) {
          compared.add("not adjoining");
        }
      }
    }
  }

  private List<Path> rollups() throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .filter(file -> file.endsWith(Rollups.FILE_NAME) && !file.startsWith("trash"))
          .toList();
    }
  }

  /** Flips bits of each file, cuts it, or takes that of another block. */
  private void damage() throws IOException {
    List<Path> files = rollups();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      switch (random.nextInt(4)) {
        case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        case 1 -> bytes = Files.readAllBytes(files.get(random.nextInt(files.size())));
        default -> {
          for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
          }
        }
      }
      Files.write(file, bytes);
    }
  }

  private void remove() throws IOException {
    for (Path file : rollups()) {
      Files.delete(file);
    }
  }

  private void compare(
      List<TrendQuery> queries, List<TrendBins.Answer> raw, String what, int mostBins)
      throws IOException {
    try (ArchiveReader reader = open(mostBins)) {
      for (int i = 0; i < queries.size(); i++) {
        TrendBins.Answer expected = raw.get(i);
        TrendBins.Answer answer = TrendBins.read(reader, queries.get(i));
        compared.add("rows of " + what, answer.rollupRows());
        if (queries.get(i).hasHeldValues()) {
          compared.add("held rows of " + what, answer.rollupRows());
        }
        compared.add("answers without rollups", answer.rollupRows() == 0 ? 1 : 0);
        assertThat(answer.complete())
            .as("%s, %s", what, queries.get(i))
            .isEqualTo(expected.complete());
        if (mostBins == Integer.MAX_VALUE) {
          // Otherwise a segment counts in each window that reads it.
          assertThat(AnswerLines.lines(answer.coverage()))
              .as("%s, %s", what, queries.get(i))
              .isEqualTo(AnswerLines.lines(expected.coverage()));
        }
        double most = 0;
        for (TrendBins.Bin bin : expected.bins()) {
          most = Math.max(most, most(bin));
        }
        for (int k = 0; k < expected.bins().size(); k++) {
          compare(expected.bins().get(k), answer.bins().get(k), most, what + ", " + queries.get(i));
        }
      }
    }
  }

  /**
   * Returns the largest known absolute value of a bin, which has no more known time than it says.
   */
  private static double most(TrendBins.Bin bin) {
    double held = Math.abs(bin.close().getOrDefault(Aggregate.TIME_MEAN, 0.0));
    return Math.max(
        Double.isFinite(held) ? held : 0,
        Math.max(
            absolute(bin.exact().get(Aggregate.MIN)), absolute(bin.exact().get(Aggregate.MAX))));
  }

  /**
   * @param mostOfAll the largest absolute value of all bins; one from another bin may be held
   */
  private void compare(
      TrendBins.Bin expected, TrendBins.Bin actual, double mostOfAll, String what) {
    assertThat(actual.place() + actual.exact())
        .as(what)
        .isEqualTo(expected.place() + expected.exact());
    assertThat(actual.close().keySet()).as(what).isEqualTo(expected.close().keySet());
    expected
        .close()
        .forEach(
            (aggregate, number) -> {
              double most = aggregate == Aggregate.TIME_MEAN ? mostOfAll : most(expected);
              double got = actual.close().getOrDefault(aggregate, Double.NaN);
              boolean isClose =
                  Double.compare(got, number) == 0
                      || Math.abs(got - number) <= 2 * BOUND * most + Math.ulp(number);
              assertThat(isClose)
                  .as("%s is %s, not %s: %s, %s", aggregate, got, number, what, expected)
                  .isTrue();
              compared.add("values");
            });
  }

  private static double absolute(@Nullable String bits) {
    return bits == null ? 0 : Math.abs(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16)));
  }
}
