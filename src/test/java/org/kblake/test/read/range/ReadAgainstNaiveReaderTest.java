package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.HeldLines;
import org.kblake.test.oracle.NaiveReader;

/**
 * Compares reads of random archives, whole and damaged. For any channels and any range, the answer
 * is the same from the raw log, from columns, from any mixture of both, and from {@link
 * NaiveReader}. A failure names its seed.
 */
final class ReadAgainstNaiveReaderTest {

  private static final int WHOLE = Seeds.cases(8, 25);

  private static final int DAMAGED = Seeds.cases(12, 40);

  private static final String NOTHING_HELD = " unknown UNKNOWN";

  private static final int QUESTIONS = 12;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");
  private final OccurrenceCount compared = new OccurrenceCount();
  private Random random = new Random(0);
  private List<NaiveReader.Event> events = List.of();
  private List<String> names = List.of();

  /** True if every milestone at which a clock was set back has an index entry. */
  private boolean indexLeadsEverywhere;

  private long first;
  private long last;

  @Test
  void answersOfWholeArchivesAgree() throws Exception {
    Seeds.each("whole archives", WHOLE, seed -> check(seed, false));
    requireCompared("whole archives", WHOLE);
  }

  @Test
  void answersOfDamagedArchivesAgree() throws Exception {
    Seeds.each("damaged archives", DAMAGED, seed -> check(seed, true));
    requireCompared("damaged archives", DAMAGED);
  }

  private void requireCompared(String test, int archives) {
    compared.print(test);
    for (String kind : List.of("raw", "stored")) {
      compared.require(kind + " answers", 6L * archives);
      compared.require(kind + " events", 100L * archives);
      compared.require(kind + " held values", 10L * archives);
    }
  }

  private void check(long seed, boolean damage) throws Exception {
    root = directory.resolve("seed" + seed);
    store = directory.resolve("store" + seed);
    random = new Random(~seed);
    List<Path> indexes =
        RandomArchive.writeSmall(root, seed).pairs().stream()
            .map(pair -> root.resolve(pair.indexPath()))
            .toList();
    if (damage) {
      for (int i = 0; i <= random.nextInt(3); i++) {
        damage(logOf(indexes.get(random.nextInt(indexes.size()))));
      }
      if (random.nextInt(3) == 0) {
        cut(logOf(indexes.get(random.nextInt(indexes.size()))));
      }
    }
    TestStores.closePairs(root);
    readNaively();
    compare();
    delete(root);
    delete(store);
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> files = Files.walk(tree)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static Path logOf(Path index) {
    return Path.of(index.toString().replaceFirst("1$", "2"));
  }

  private void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    Files.write(file, bytes);
  }

  /** Cuts a log, often below its index. */
  private void cut(Path log) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
  }

  private void readNaively() throws IOException {
    events =
        NaiveReader.read(
            root,
            RandomArchive.SMALL_GROUP.toString(),
            false,
            RandomArchive.ZONE,
            SETTINGS.disorderBoundNanos());
    Set<String> all = new LinkedHashSet<>();
    indexLeadsEverywhere = true;
    List<Pair> pairs = Archive.open(root, SETTINGS).pairs(RandomArchive.SMALL_GROUP);
    for (Pair pair : pairs) {
      PairLog log = pair.open();
      log.records().entries().forEach(entry -> all.add(entry.name()));
      indexLeadsEverywhere &= IndexCheck.leadsEverywhere(log);
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
    if (first > last) {
      // Strays may exist, and a question about them must meet their segments.
      first = pairs.get(0).beginNanos();
      last = first + 1;
    }
  }

  private void compare() throws Exception {
    Archive archive = Archive.open(root, SETTINGS);
    List<EventQuery> ranges = new ArrayList<>();
    List<HeldQuery> instants = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      ranges.add(randomQuery());
      instants.add(
          HeldQuery.of(randomChannels(), Instant.EPOCH).at(randomTime()).allowIncomplete());
    }
    List<AnswerLines.Lines> raw = new ArrayList<>();
    List<List<String>> held = new ArrayList<>();
    try (ArchiveReader reader = open(false)) {
      for (int i = 0; i < QUESTIONS; i++) {
        AnswerLines.Lines answer = read(reader, ranges.get(i).from(Source.RAW));
        if (answer != null && indexLeadsEverywhere) {
          assertThat(answer.events())
              .as("raw, %s", ranges.get(i))
              .isEqualTo(expected(ranges.get(i)));
          compared.add("raw answers");
          compared.add("raw events", answer.events().size());
        }
        raw.add(answer);
        List<String> values = HeldLines.read(reader, instants.get(i).from(Source.RAW));
        if (values != null && indexLeadsEverywhere) {
          assertThat(values)
              .as("held, raw, %s", instants.get(i))
              .isEqualTo(heldNaively(reader, instants.get(i)));
          compared.add("raw held values", values.size());
        }
        held.add(values);
      }
    }
    for (int step = 0; step < 3; step++) {
      if (step < 2) {
        long from = randomTime();
        TestStores.backfill(
            archive, store, new TimeRange(from, from + random.nextLong(last - first + 2)));
      } else {
        TestStores.backfill(archive, store);
      }
      try (ArchiveReader reader = open(true)) {
        for (int i = 0; i < QUESTIONS; i++) {
          AnswerLines.Lines answer = read(reader, ranges.get(i));
          AnswerLines.Lines expected = raw.get(i);
          assertThat(answer == null)
              .as("channels are not known, step %s, %s", step, ranges.get(i))
              .isEqualTo(expected == null);
          if (expected != null && answer != null) {
            assertThat(answer.events())
                .as("step %s, %s", step, ranges.get(i))
                .isEqualTo(expected.events());
            if (ranges.get(i).lastEvents() == 0) {
              assertThat(AnswerLines.lines(answer.coverage()))
                  .as("coverage, step %s, %s", step, ranges.get(i))
                  .isEqualTo(AnswerLines.lines(expected.coverage()));
            } else if (!hasAllLastEvents(reader, ranges.get(i), answer.events())) {
              // Both searches read back to the beginning of the range, in different steps.
              assertThat(answer.coverage().isComplete())
                  .as("complete, step %s, %s", step, ranges.get(i))
                  .isEqualTo(expected.coverage().isComplete());
            }
            compared.add("stored answers");
            compared.add("stored events", answer.events().size());
          }
          List<String> values = HeldLines.read(reader, instants.get(i));
          assertThat(values).as("held, step %s, %s", step, instants.get(i)).isEqualTo(held.get(i));
          compared.add("stored held values", values == null ? 0 : values.size());
          if (values != null && values.stream().allMatch(line -> line.endsWith(NOTHING_HELD))) {
            // Both searches read the whole look-back. Only that of the raw log passes damage
            // between
            // milestones that state the same.
            boolean isComplete = reader.held(instants.get(i)).coverage().isComplete();
            assertThat(reader.held(instants.get(i).from(Source.RAW)).coverage().isComplete())
                .as("held is complete, step %s, %s", step, instants.get(i))
                .isIn(isComplete, true);
            compared.add(isComplete ? "complete searches" : "incomplete searches");
          }
        }
      }
    }
  }

  /**
   * Returns whether each channel has as many events as requested, so that no search reads further
   * back.
   */
  private static boolean hasAllLastEvents(
      ArchiveReader reader, EventQuery query, List<String> events) throws IOException {
    for (ChannelInfo info : reader.channels(query.channels(), query.range())) {
      String name = info.channel().name();
      if (events.stream().filter(line -> line.split("\t", 4)[2].equals(name)).count()
          < query.lastEvents()) {
        return false;
      }
    }
    return true;
  }

  private ArchiveReader open(boolean withStore) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    return (withStore ? builder.store(store) : builder).open();
  }

  /** Returns an answer, or null if the period does not have one of the channels. */
  private static AnswerLines.@Nullable Lines read(ArchiveReader reader, EventQuery query)
      throws IOException {
    try {
      return AnswerLines.read(reader, query);
    } catch (UnknownChannelException e) {
      return null;
    }
  }

  private long randomTime() {
    long span = last - first;
    return first - span / 10 + random.nextLong(span + span / 5 + 1);
  }

  private ChannelSelection randomChannels() {
    if (names.isEmpty() || random.nextInt(3) == 0) {
      return ChannelSelection.all(RandomArchive.SMALL_GROUP);
    }
    ChannelSelection some = ChannelSelection.of(List.of()).in(RandomArchive.SMALL_GROUP);
    for (int i = random.nextInt(3); i >= 0; i--) {
      some = some.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
    }
    return some;
  }

  private EventQuery randomQuery() {
    long from = randomTime();
    long to =
        from
            + (random.nextBoolean()
                ? random.nextLong(last - first + 2)
                : random.nextLong(60_000_000_000L));
    EventQuery query =
        EventQuery.of(randomChannels()).between(new TimeRange(from, to)).allowIncomplete();
    if (random.nextInt(4) == 0) {
      // The spans of strays are unknown here, so all strays are requested.
      query = query.between(new TimeRange(0, last + 1_000_000_000_000_000L)).withStrays();
    } else if (random.nextInt(3) == 0) {
      query = query.last(1 + random.nextInt(20));
    }
    return query.batches(1 + random.nextInt(200), 1 + random.nextInt(2000));
  }

  private boolean isAsked(ChannelSelection channels, String name) {
    return channels.patterns().stream()
        .anyMatch(
            pattern -> pattern.kind() == ChannelPattern.Kind.GLOB || pattern.text().equals(name));
  }

  private List<String> expected(EventQuery query) {
    List<NaiveReader.Event> asked = new ArrayList<>();
    for (NaiveReader.Event event : events) {
      if (isAsked(query.channels(), event.record())
          && (event.stray() ? query.hasStrays() : query.range().contains(event.nanos()))) {
        asked.add(event);
      }
    }
    if (query.lastEvents() > 0) {
      Map<String, Long> left = new HashMap<>();
      List<NaiveReader.Event> kept = new ArrayList<>();
      for (int i = asked.size() - 1; i >= 0; i--) {
        if (left.merge(asked.get(i).record(), 1L, Long::sum) <= query.lastEvents()) {
          kept.add(0, asked.get(i));
        }
      }
      asked = kept;
    }
    return asked.stream().map(event -> line(event, query.hasStrays())).toList();
  }

  private static String line(NaiveReader.Event event, boolean withStray) {
    return event.nanos()
        + "\t"
        + RandomArchive.SMALL_GROUP
        + "\t"
        + event.record()
        + "\t"
        + event.state()
        + "\t"
        + event.severity()
        + "\t"
        + event.status()
        + "\t"
        + (withStray && event.stray() ? 1 : 0)
        + "\t"
        + (event.state() == EventState.VALUE_CODE ? GridLines.textAsDouble(event) : "");
  }

  /**
   * Returns the values of the channels that the period has. This test does not compare which
   * channels these are.
   */
  private List<String> heldNaively(ArchiveReader reader, HeldQuery query) throws IOException {
    List<Channel> channels =
        reader
            .channels(query.channels(), new TimeRange(query.atNanos(), query.atNanos() + 1))
            .stream()
            .map(ChannelInfo::channel)
            .toList();
    return HeldLines.naively(query, channels, events);
  }
}
