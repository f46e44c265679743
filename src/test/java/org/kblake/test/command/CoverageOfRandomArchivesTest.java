package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
 * on random archives that are wholly in columns. Both find the same pauses of the archiver.
 */
final class CoverageOfRandomArchivesTest {

  private static final int ARCHIVES = 40;

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
    boolean indexed =
        written.pairs().stream()
            .flatMap(pair -> pair.milestones().stream())
            .allMatch(RandomArchive.WrittenMilestone::inIndex);
    if (!indexed || !isLastTheLatest(written)) {
      // The median interval of the index differs from that of the log, or the range ends at a time
      // after the last write.
      return;
    }
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    KblakeRun run =
        KblakeRun.in(directory)
            .at(Instant.parse("2021-01-01T00:00:00Z"))
            .with("KBLAKE_ARCHIVE", root.toString())
            .with("KBLAKE_STORE", store.toString())
            .run("coverage", "-f", "json");
    assertThat(run.err()).isEmpty();
    JsonNode answer = new ObjectMapper().readTree(run.out());
    TimeRange range =
        new TimeRange(answer.get("fromNanos").longValue(), answer.get("toNanos").longValue());
    NavigableMap<Long, SpanKind> states = new TreeMap<>();
    for (JsonNode span : answer.get("groups").get(0).get("spans")) {
      String state = span.get("state").textValue();
      occurrences.add(state);
      states.put(span.get("fromNanos").longValue(), KINDS.get(state));
    }
    compare(states, report(root, store, range), range.toNanos() - 1, written, seed);
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
      // The range ends with the last event. A short time without writes is no pause.
      if (!atBegin && at < lastNanos) {
        assertThat(states.floorEntry(at).getValue())
            .as("at %s of seed %s: %s, report %s", at, seed, states, report)
            .isEqualTo(report.floorEntry(at).getValue());
      }
    }
  }
}
