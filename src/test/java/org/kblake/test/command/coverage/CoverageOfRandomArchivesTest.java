package org.kblake.test.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.AnswerLines;

/**
 * Compares the states of {@code kblake coverage} with the coverage report of a read of all events,
 * on random archives that are wholly in columns, and with its own states of the same archives if
 * none or a part of them is in columns. All find the same pauses of the archiver.
 */
final class CoverageOfRandomArchivesTest {

  private static final int ARCHIVES = 100;

  private static final Map<String, SpanKind> KINDS =
      Map.of(
          "in columns", SpanKind.ANSWERED,
          "archiver down", SpanKind.ARCHIVER_DOWN,
          "not recorded", SpanKind.NOT_RECORDED);

  @TempDir Path directory;

  private final OccurrenceCount occurrences = new OccurrenceCount();

  @Test
  void statesAgreeWithTheReportOfARead() throws Exception {
    Seeds.each("coverage of random archives", ARCHIVES, this::check);
    occurrences.print("coverage of random archives");
    occurrences.require("in columns", ARCHIVES / 4);
    occurrences.require("archiver down", ARCHIVES / 8);
    occurrences.require("milestones missing in the index", ARCHIVES / 20);
  }

  /** Few random archives have pauses in logs that can be compared. */
  @ParameterizedTest
  @ValueSource(longs = {196061114, 82695763, 33972679, 352468488, 301187230})
  void pausesOfLogsAreThoseOfColumns(long seed) throws Exception {
    check(seed);
    occurrences.require("raw pauses", 1);
    occurrences.require("partly raw pauses", 1);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("archive" + seed);
    Path store = directory.resolve("store" + seed);
    RandomArchive.Written written = RandomArchive.writeSmall(root, seed);
    if (written.pairs().isEmpty()
        || written.pairs().stream().anyMatch(pair -> pair.records().entries().isEmpty())) {
      // For a read, a pair without channels is not recorded.
      return;
    }
    if (!isLastTheLatest(written)) {
      // The range ends at a time after the last write.
      return;
    }
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    TestStores.backfill(archive, store, TimeRange.ALL);
    JsonNode answer = answer(root, store);
    TimeRange range =
        new TimeRange(answer.get("fromNanos").longValue(), answer.get("toNanos").longValue());
    NavigableMap<Long, SpanKind> states = new TreeMap<>();
    for (JsonNode span : answer.get("groups").get(0).get("spans")) {
      String state = span.get("state").textValue();
      occurrences.add(state);
      states.put(span.get("fromNanos").longValue(), KINDS.get(state));
    }
    // The last write may be a stray, or earlier than the range's end.
    long last = Math.min(lastWrite(written), range.toNanos() - 1);
    compare(states, report(root, store, range), last, written, seed);
    boolean indexed =
        written.pairs().stream()
            .flatMap(pair -> pair.milestones().stream())
            .allMatch(RandomArchive.WrittenMilestone::inIndex);
    if (!indexed) {
      occurrences.add("milestones missing in the index");
    } else if (!hasLateEvents(written)) {
      compareRaw(archive, answer, range, seed);
    }
  }

  private JsonNode answer(Path root, Path store) throws IOException {
    KblakeRun run =
        KblakeRun.in(directory)
            .at(Instant.parse("2021-01-01T00:00:00Z"))
            .with("KBLAKE_ARCHIVE", root.toString())
            .with("KBLAKE_STORE", store.toString())
            .run("coverage", "-f", "json");
    assertThat(run.err()).isEmpty();
    return new ObjectMapper().readTree(run.out());
  }

  /** Compares the pauses of an archive in columns with those of its logs. */
  private void compareRaw(Archive archive, JsonNode stored, TimeRange range, long seed)
      throws Exception {
    List<String> expected = pauses(stored);
    Path none = directory.resolve("none" + seed);
    assertThat(pauses(answer(archive.root(), none))).as("raw, seed %s", seed).isEqualTo(expected);
    Path part = directory.resolve("part" + seed);
    long middle =
        range.fromNanos() + new Random(seed).nextLong(range.toNanos() - range.fromNanos());
    TestStores.backfill(archive, part, new TimeRange(range.fromNanos(), middle));
    JsonNode partly = answer(archive.root(), part);
    assertThat(pauses(partly)).as("in columns up to %s, seed %s", middle, seed).isEqualTo(expected);
    if (!expected.isEmpty()) {
      occurrences.add("raw pauses");
      Set<String> states = new HashSet<>(partly.findValuesAsText("state"));
      if (states.containsAll(Set.of("raw only", "in columns"))) {
        occurrences.add("partly raw pauses");
      }
    }
  }

  private static List<String> pauses(JsonNode answer) {
    List<String> pauses = new ArrayList<>();
    for (JsonNode span : answer.get("groups").get(0).get("spans")) {
      if (span.get("state").textValue().equals("archiver down")) {
        pauses.add(span.get("fromNanos") + " to " + span.get("toNanos"));
      }
    }
    return pauses;
  }

  /**
   * Returns whether an event is later than the milestone behind it, which may be the first one of
   * the next pair. Events that are later than one of their own pair by more than the bound are
   * strays.
   */
  private static boolean hasLateEvents(RandomArchive.Written written) {
    long nextPair = Long.MAX_VALUE;
    for (int i = written.pairs().size() - 1; i >= 0; i--) {
      RandomArchive.WrittenPair pair = written.pairs().get(i);
      for (RandomArchive.WrittenEvent event : pair.events()) {
        OptionalLong next =
            pair.milestones().stream()
                .filter(each -> each.offset() > event.offset())
                .mapToLong(RandomArchive.WrittenMilestone::timeNanos)
                .findFirst();
        long late = event.timeNanos() - next.orElse(nextPair);
        if (late > 0 && (next.isEmpty() || late <= RandomArchive.DISORDER_BOUND_NANOS)) {
          return true;
        }
      }
      nextPair = pair.milestones().get(0).timeNanos();
    }
    return false;
  }

  /** Returns the time of the last event or milestone in log order. */
  private static long lastWrite(RandomArchive.Written written) {
    RandomArchive.WrittenPair pair = written.pairs().get(written.pairs().size() - 1);
    RandomArchive.WrittenMilestone last = pair.milestones().get(pair.milestones().size() - 1);
    return pair.events().stream()
        .filter(event -> event.offset() > last.offset())
        .mapToLong(RandomArchive.WrittenEvent::timeNanos)
        .reduce(last.timeNanos(), Math::max);
  }

  private static boolean isLastTheLatest(RandomArchive.Written written) {
    List<Long> times =
        written.pairs().stream()
            .flatMap(pair -> pair.milestones().stream())
            .map(RandomArchive.WrittenMilestone::timeNanos)
            .toList();
    return times.stream().allMatch(time -> time <= times.get(times.size() - 1));
  }

  private static NavigableMap<Long, SpanKind> report(Path root, Path store, TimeRange range)
      throws IOException {
    NavigableMap<Long, SpanKind> kinds = new TreeMap<>();
    ChannelSelection all =
        new ChannelSelection(List.of(RandomArchive.SMALL_GROUP), List.of(ChannelPattern.glob("*")));
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(root).store(store).withoutAdmission().open()) {
      EventQuery query = EventQuery.of(all).between(range);
      for (CoverageSpan span : AnswerLines.read(reader, query).coverage().spans()) {
        kinds.put(span.range().fromNanos(), span.kind());
      }
    }
    return kinds;
  }

  private static void compare(
      NavigableMap<Long, SpanKind> states,
      NavigableMap<Long, SpanKind> report,
      long lastNanos,
      RandomArchive.Written written,
      long seed) {
    TreeSet<Long> instants = new TreeSet<>(states.keySet());
    instants.addAll(report.keySet());
    for (long at : instants) {
      // A name of a pair has whole seconds, and its first milestone is in that second.
      boolean atBegin =
          written.pairs().stream()
              .map(pair -> pair.milestones().get(0).timeNanos())
              .anyMatch(first -> at < first && at >= first - 1_000_000_000L);
      // After the last write kblog may still be running in the range, which an earlier late event
      // may have lengthened.
      if (!atBegin && at < lastNanos) {
        assertThat(states.floorEntry(at).getValue())
            .as("at %s of seed %s: %s, report %s", at, seed, states, report)
            .isEqualTo(report.floorEntry(at).getValue());
      }
    }
  }
}
