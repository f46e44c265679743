package org.kblake.test.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/** {@code kblake coverage} on a sample archive, with and without trouble. */
final class CoverageCommandTest {

  /** 2016-05-16T00:20:00+09:00, in the second of three pairs of RF/AnalogData. */
  private static final long MIDDLE_NANOS = 1_463_325_600_000_000_000L;

  /** The sample has shorter pauses. */
  private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  @TempDir private Path directory;

  private CommandFixture fixture;

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private void backfill(TimeRange range) throws Exception {
    TestStores.backfill(
        Archive.open(fixture.archive(), ArchiveSettings.defaults()), fixture.store(), range);
  }

  /** A span of the answer. */
  private record Span(String state, long from, long to) {}

  private static List<Span> spans(KblakeRun run, String group) throws IOException {
    List<Span> spans = new ArrayList<>();
    for (JsonNode each : new ObjectMapper().readTree(run.out()).get("groups")) {
      if (each.get("group").textValue().equals(group)) {
        for (JsonNode span : each.get("spans")) {
          spans.add(
              new Span(
                  span.get("state").textValue(),
                  span.get("fromNanos").longValue(),
                  span.get("toNanos").longValue()));
        }
      }
    }
    return spans;
  }

  /** Returns the states of a group without the pauses of the archiver that the sample has. */
  private static List<String> states(KblakeRun run, String group) throws IOException {
    return longSpans(run, group).stream().map(Span::state).toList();
  }

  private static List<Span> longSpans(KblakeRun run, String group) throws IOException {
    List<Span> spans = new ArrayList<>();
    for (Span span : spans(run, group)) {
      Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
      if (span.state().equals("archiver down") && span.to() - span.from() < PAUSE_NANOS) {
        continue;
      }
      if (last != null && last.state().equals(span.state())) {
        spans.set(spans.size() - 1, new Span(last.state(), last.from(), span.to()));
      } else {
        spans.add(span);
      }
    }
    return spans;
  }

  private KblakeRun json(String... groups) {
    List<String> words = new ArrayList<>(List.of("coverage", "-f", "json"));
    words.addAll(List.of(groups));
    return fixture.run(words.toArray(String[]::new));
  }

  @Test
  void logsWithoutColumnsAreRawOnly() throws IOException {
    KblakeRun run = json();
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(states(run, "RF/AnalogData")).containsExactly("raw only");
    assertThat(fixture.run("coverage").out())
        .containsPattern("RF/AnalogData [o-]+ +0%\n")
        .contains("o raw only");
  }

  @Test
  void aBackfilledArchiveIsInColumns() throws Exception {
    fixture.backfill();
    assertThat(states(json(), "RF/AnalogData")).containsExactly("in columns");
    assertThat(fixture.run("coverage", "RF/AnalogData").out())
        .containsPattern("RF/AnalogData [#-]+ +100%\n")
        .contains("# in columns")
        .contains("- archiver down");
  }

  @Test
  void pausesOfLogsAreThoseOfColumns() throws Exception {
    List<Span> raw = spans(json(), "RF/AnalogData");
    assertThat(raw).extracting(Span::state).contains("archiver down", "raw only");
    fixture.backfill();
    List<Span> columns =
        spans(json(), "RF/AnalogData").stream()
            .map(
                span ->
                    new Span(
                        span.state().replace("in columns", "raw only"), span.from(), span.to()))
            .toList();
    assertThat(raw).isEqualTo(columns);
  }

  @Test
  void aLogWithoutItsIndexIsDamaged() throws IOException {
    Path index = fixture.archive().resolve("RF/AnalogData_20160516001500.log1");
    FileTime modified = Files.getLastModifiedTime(index);
    Files.write(index, new byte[100]);
    Files.setLastModifiedTime(index, modified);
    KblakeRun run = json();
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("not an index of KEKBLog").hasLineCount(1);
    assertThat(states(run, "RF/AnalogData")).containsExactly("raw only", "damaged", "raw only");
  }

  @Test
  void theRestOfAPartlyStoredLogIsRawOnly() throws Exception {
    backfill(new TimeRange(0, MIDDLE_NANOS));
    List<Span> spans = longSpans(json(), "RF/AnalogData");
    assertThat(spans).extracting(Span::state).containsExactly("in columns", "raw only");
    assertThat(spans.get(1).from())
        .isBetween(
            MIDDLE_NANOS - TimeUnit.MINUTES.toNanos(1), MIDDLE_NANOS + TimeUnit.HOURS.toNanos(1));
  }

  @Test
  void readsNoLogInColumns() throws Exception {
    backfill(new TimeRange(0, MIDDLE_NANOS));
    String before = json().out();
    try (Stream<Path> files = Files.walk(fixture.archive())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.startsWith("AnalogData_") && !name.startsWith("AnalogData_201605160033")) {
          FileTime modified = Files.getLastModifiedTime(file);
          Files.write(file, new byte[(int) Files.size(file)]);
          Files.setLastModifiedTime(file, modified);
        }
      }
    }
    assertThat(json().out()).isEqualTo(before);
  }

  @Test
  void aDamagedBlockIsDamagedUntilItsNeighbours() throws Exception {
    backfill(new TimeRange(0, MIDDLE_NANOS));
    backfill(TimeRange.ALL);
    List<Path> blocks;
    try (Stream<Path> files = Files.walk(fixture.store().resolve("RF"))) {
      blocks = files.filter(file -> file.endsWith("block.kb")).sorted().toList();
    }
    assertThat(blocks).hasSizeGreaterThan(1);
    Files.write(blocks.get(0), new byte[100]);
    KblakeRun run = json();
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("block is damaged: file=" + blocks.get(0)).hasLineCount(1);
    List<Span> spans = longSpans(run, "RF/AnalogData");
    assertThat(spans).extracting(Span::state).containsExactly("damaged", "in columns");
    assertThat(spans.get(0).to()).isLessThan(MIDDLE_NANOS + TimeUnit.HOURS.toNanos(1));
    assertThat(states(run, "VA/CCG")).containsExactly("in columns");
  }

  @Test
  void aGroupWhoseDirectoryFailsIsGoneAndTheOthersStay() throws Exception {
    backfill(new TimeRange(0, MIDDLE_NANOS));
    Files.move(fixture.archive().resolve("RF"), directory.resolve("RF"));
    Files.createSymbolicLink(fixture.archive().resolve("RF"), Path.of("/offline/RF"));
    KblakeRun run = json();
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith("kblake coverage: incomplete: group is unavailable: group=RF/AnalogData")
        .contains("mount its volume")
        .hasLineCount(1);
    assertThat(states(run, "RF/AnalogData")).containsSubsequence("in columns", "volume gone");
    assertThat(states(run, "RF/AnalogData")).containsOnly("in columns", "volume gone");
    assertThat(states(run, "VA/CCG")).contains("in columns").doesNotContain("volume gone");
    assertThat(fixture.run("coverage").out()).containsPattern("RF/AnalogData .*\\?").contains("?");
  }

  @Test
  void aGroupThatIsAwayWithoutColumnsIsGone() throws Exception {
    Files.move(fixture.archive().resolve("RF"), directory.resolve("RF"));
    Files.createSymbolicLink(fixture.archive().resolve("RF"), Path.of("/offline/RF"));
    assertThat(states(json(), "RF/AnalogData")).containsExactly("volume gone");
    assertThat(states(json("RF/AnalogData"), "RF/AnalogData")).containsExactly("volume gone");
  }

  @Test
  void aPairWithoutItsFileIsGone() throws Exception {
    Path log = fixture.archive().resolve("RF/AnalogData_20160516001500.log2");
    Files.delete(log);
    Files.createSymbolicLink(log, Path.of("/offline/AnalogData.log2"));
    KblakeRun run = json();
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith(
            "kblake coverage: incomplete: pair is unavailable: group=RF/AnalogData, period=20160516001500")
        .hasLineCount(1);
    assertThat(states(run, "RF/AnalogData")).containsExactly("raw only", "volume gone", "raw only");
  }

  @Test
  void columnsReplaceRemovedLogs() throws Exception {
    fixture.backfill();
    for (String end : List.of("log1", "log2")) {
      Files.delete(fixture.archive().resolve("RF/AnalogData_20160516001500." + end));
    }
    KblakeRun run = json();
    assertThat(run.status()).isZero();
    assertThat(states(run, "RF/AnalogData")).containsExactly("in columns");
  }

  @Test
  void aLongTimeWithoutWritesIsDown() throws Exception {
    Path system = fixture.archive().resolve("RF");
    for (String end : List.of("log1", "log2")) {
      Files.move(
          system.resolve("AnalogData_20160516000000." + end),
          system.resolve("AnalogData_20160515000000." + end));
    }
    List<Span> raw = longSpans(json(), "RF/AnalogData");
    // The events of the log are those of the next day.
    assertThat(raw).extracting(Span::state).containsExactly("archiver down", "raw only");
    fixture.backfill();
    List<Span> stored = longSpans(json(), "RF/AnalogData");
    assertThat(stored).extracting(Span::state).containsExactly("archiver down", "in columns");
  }

  @Test
  void theYoungEndOfAGrowingLogIsPending() throws Exception {
    backfill(new TimeRange(0, MIDDLE_NANOS));
    for (String end : List.of("log1", "log2")) {
      Files.setLastModifiedTime(
          fixture.archive().resolve("RF/AnalogData_20160516003355." + end),
          FileTime.from(Instant.now()));
    }
    KblakeRun.Builder runner = fixture.runner().at(Instant.parse("2016-05-15T17:00:00Z"));
    List<Span> spans =
        longSpans(runner.run("coverage", "-f", "json", "RF/AnalogData"), "RF/AnalogData");
    assertThat(spans).extracting(Span::state).containsExactly("in columns", "raw only", "pending");
    assertThat(spans.get(2).to() - spans.get(2).from()).isEqualTo(TimeUnit.HOURS.toNanos(1));
    List<Span> later =
        longSpans(
            runner.run("coverage", "-f", "json", "RF/AnalogData", "--to", "2016-05-16T03:00"),
            "RF/AnalogData");
    assertThat(later)
        .extracting(Span::state)
        .containsExactly("in columns", "raw only", "pending", "not recorded");
    // The segments of the last hour are not expected in columns yet, as far as the log has them.
    List<Span> young =
        longSpans(
            fixture
                .runner()
                .at(Instant.parse("2016-05-15T16:00:00Z"))
                .run("coverage", "-f", "json", "RF/AnalogData"),
            "RF/AnalogData");
    assertThat(young).extracting(Span::state).containsExactly("in columns", "pending");
  }

  @Test
  void damageOfALogInColumnsIsShown() throws Exception {
    Path log = fixture.archive().resolve("RF/AnalogData_20160516001500.log2");
    for (int i = 0; i < 40; i++) {
      CommandFixture.flip(log, Files.size(log) / 2 + i);
    }
    fixture.backfill();
    KblakeRun run = json();
    assertThat(run.status()).isZero();
    assertThat(states(run, "RF/AnalogData")).contains("in columns", "damaged");
    assertThat(fixture.run("coverage").out()).containsPattern("RF/AnalogData .*X");
  }

  @Test
  void answersPatternsInTheOrderOfTheCommandLine() {
    KblakeRun run = fixture.run("coverage", "VA/*,RF/Analog*");
    assertThat(run.status()).isZero();
    assertThat(run.out().indexOf("VA/CCG"))
        .isPositive()
        .isLessThan(run.out().indexOf("RF/AnalogData"));
    assertThat(run.out()).doesNotContain("BM/");
  }

  @Test
  void namesTheNearestGroups() {
    KblakeRun run = fixture.run("coverage", "RF/AnalogDate");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("kblake coverage: no such group in archive and store: RF/AnalogDate")
        .contains("RF/AnalogData")
        .hasLineCount(1);
    assertThat(fixture.run("coverage", "X*").err())
        .startsWith("kblake coverage: no such group in archive and store: X*");
  }

  @Test
  void explainsAnEmptyRange() {
    KblakeRun run = fixture.run("coverage", "--from", "2010", "--to", "2011", "RF/AnalogData");
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .startsWith("nothing was recorded from 2010-01-01 00:00:00 to 2011-01-01 00:00:00")
        .contains("RF/AnalogData was recorded from 2016-05-16 00:00:00 to 2016-05-16 00:42:");
  }

  @Test
  void showsARangeOfMoreThan292Years() {
    KblakeRun run = fixture.run("coverage", "--from", "1700", "--to", "2250", "RF/AnalogData");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("1700-01-01 to 2249-12-31")
        .containsPattern("RF/AnalogData [.]+[o-]+[.]+ +\\S+%\n")
        .contains("|2000");
  }

  @Test
  void countsTheGroupsItDoesNotName() throws IOException {
    Path system = fixture.archive().resolve("VA");
    for (String name : List.of("A", "B")) {
      for (String end : List.of(".log1", ".log2")) {
        String period = "_20160516000000" + end;
        Files.copy(system.resolve("CCG" + period), system.resolve(name + period));
      }
    }
    assertThat(fixture.run("coverage", "--from", "2010", "--to", "2011").err())
        .startsWith("nothing was recorded from ")
        .endsWith("; and 1 more group\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coverage -o picture.pdf",
        "coverage -f pdf",
        "coverage RF",
        "coverage --from 2016-05-17 --to 2016-05-16",
        "coverage [a"
      })
  void refusesWrongUsage(String line) {
    KblakeRun run = fixture.run(line.split(" "));
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void writesFilesByTheirEnding() throws IOException {
    for (String name : List.of("c.svg", "c.json", "c.txt")) {
      KblakeRun run = fixture.run("coverage", "-o", name);
      assertThat(run.status()).isZero();
      assertThat(run.out()).isEmpty();
    }
    assertThat(Files.readString(directory.resolve("c.svg"))).contains("<svg").contains("VA/CCG");
    assertThat(Files.readString(directory.resolve("c.json"))).isEqualTo(json().out());
    assertThat(Files.readString(directory.resolve("c.txt")))
        .isEqualTo(fixture.run("coverage").out());
  }

  @Test
  void aPictureInsideTheArchiveIsRefused() {
    KblakeRun run = fixture.run("coverage", "-o", "archive/c.svg");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("is inside the archive");
  }
}
