package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** A closed log that is shorter than its copy in the mirror: it had more bytes. */
final class ShorterThanCopyTest {

  private static final int INCOMPLETE = 3;
  private static final String RANGE = " --from 2016-05-16T09:00 --to 2016-05-16T14:00";

  /** The same range, from 09:00 to 14:00 in Tokyo. */
  private static final TimeRange TIMES =
      new TimeRange(LostEndFixture.BEGIN, LostEndFixture.BEGIN + 300 * LostEndFixture.MINUTE);

  private static final Pattern DAMAGED =
      Pattern.compile(
          "\"state\" : \"damaged\",[^}]*\"fromNanos\" : (\\d+),[^}]*\"toNanos\" : (\\d+)");

  @TempDir Path directory;

  private LostEndFixture fixture;

  @BeforeEach
  void write() throws IOException {
    fixture = new LostEndFixture(directory);
  }

  private Path mirror() {
    return directory.resolve("mirror");
  }

  private String said() {
    return "log is shorter than its copy in the mirror: file=" + fixture.log();
  }

  /** Nothing but the mirror shows that the last segment of the newest pair was longer. */
  @Test
  void newestLogThatIsShorterThanItsCopyIsReadFromTheCopyAndDamagedBehindIt() throws Exception {
    fixture.removeSecondPair();
    fixture.mirror(mirror());
    String whole = fixture.runLine("get A" + RANGE).out();
    assertThat(fixture.runLine("status").err()).doesNotContain("shorter");
    fixture.cut(Files.size(fixture.log()) - 30);
    for (String question :
        List.of(
            "get A" + RANGE,
            "get A --wide --every 10min" + RANGE,
            "get A --aggregate mean --every 1h" + RANGE,
            "coverage" + RANGE,
            "status",
            "verify",
            "backfill",
            "backfill --dry-run")) {
      KblakeRun run = fixture.runLine(question);
      assertThat(run.status()).as("%s", run).isEqualTo(INCOMPLETE);
      assertThat(run.err()).as("%s", run).contains(said());
    }
    assertThat(fixture.runLine("get A" + RANGE).out()).isEqualTo(whole);
    assertThat(fixture.runLine("coverage -f json" + RANGE).out()).contains(": \"damaged\"");
    assertThat(fixture.runLine("check process").out()).contains("shorter than its copy");
    // Lines are folded.
    assertThat(fixture.runLine("doctor").out()).containsPattern("shorter than its\\s+copy");
    // What lies before the last milestone is complete.
    String before = "get A --from 2016-05-16T09:00 --to 2016-05-16T12:00";
    assertThat(fixture.runLine(before).status()).isZero();
  }

  /** The raw log alone has neither the events nor their times. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersFromTheRawLogSaySo(boolean newest) throws Exception {
    if (newest) {
      fixture.removeSecondPair();
    }
    fixture.mirror(mirror());
    fixture.cut(Files.size(fixture.log()) - 30);
    for (String question :
        List.of(
            "get A --source raw" + RANGE,
            "get A --source raw --wide --every 10min" + RANGE,
            "get A --source raw --at 2016-05-16T12:59")) {
      KblakeRun run = fixture.runLine(question);
      assertThat(run.status()).as("%s", run).isEqualTo(INCOMPLETE);
      assertThat(run.err()).as("%s", run).contains(said());
    }
    String before = "get A --source raw --from 2016-05-16T09:00 --to 2016-05-16T12:00";
    assertThat(fixture.runLine(before).status()).isZero();
  }

  /** The store shows only that a log became shorter. Its faults are not those of raw answers. */
  @Test
  void rawAnswersNeedNoStoreOfTheirArchiveAndSettings() throws Exception {
    TestStores.sample("mixed", directory.resolve("other"));
    fixture.mirror(mirror());
    Files.writeString(directory.resolve("bound.toml"), "disorder-bound = \"2h\"\n");
    for (String question :
        List.of(
            "get * --source raw -g VA/CCG --from 2016-05-15 --to 2016-05-18 --archive other",
            "get A --source raw --config bound.toml" + RANGE,
            "get A --source raw --zone UTC" + RANGE,
            "when A>3 --source raw --config bound.toml" + RANGE)) {
      KblakeRun alone = fixture.runLine(question + " --store none");
      assertThat(alone.status()).as("%s", alone).isZero();
      assertThat(fixture.runLine(question)).as(question).isEqualTo(alone);
    }
    // A reader of columns must not answer from them.
    KblakeRun columns = fixture.runLine("get A --config bound.toml" + RANGE);
    assertThat(columns.status()).isEqualTo(1);
    assertThat(columns.err()).contains("store belongs to another archive or setting");
    Path identity = fixture.store().resolve("kblake-store.properties");
    Files.writeString(identity, Files.readString(identity).replace("format=", "format=9"));
    Files.writeString(identity, Files.readString(identity).replace("reader=", "reader=9"));
    KblakeRun newer = fixture.runLine("get A --source raw" + RANGE);
    assertThat(newer.status()).as("%s", newer).isZero();
    assertThat(newer.err())
        .contains("store cannot be used, raw logs are read: store needs a newer kblake")
        .hasLineCount(1);
  }

  /** A reader keeps what it knows of a closed pair, and not for other questions. */
  @ParameterizedTest
  @CsvSource({"RAW,AUTO", "AUTO,RAW"})
  void oneReaderAnswersFromBothSources(Source first, Source second) throws Exception {
    fixture.removeSecondPair();
    fixture.mirror(mirror());
    int all = LostEndFixture.MILESTONES * LostEndFixture.EVENTS;
    fixture.cut(Files.size(fixture.log()) - 30);
    try (ArchiveReader reader = open()) {
      for (Source source : List.of(first, second, first)) {
        AnswerLines.Lines answer = AnswerLines.read(reader, query(source));
        assertThat(answer.events()).as("%s", source).hasSize(source == Source.RAW ? all - 2 : all);
        assertThat(answer.coverage().isComplete()).as("%s", source).isFalse();
      }
    }
  }

  private ArchiveReader open() throws IOException {
    return ArchiveReader.builder().archive(fixture.archive()).store(fixture.store()).open();
  }

  private static EventQuery query(Source source) {
    return EventQuery.of(ChannelSelection.all(LostEndFixture.GROUP))
        .between(TIMES)
        .from(source)
        .allowIncomplete();
  }

  /** A pair that another one follows is closed after a minute. */
  @Test
  void logThatWasClosedMinutesAgoIsDamaged() throws Exception {
    fixture.mirror(mirror());
    fixture.cut(Files.size(fixture.log()) - 30);
    FileTime recently = FileTime.from(Instant.now().minus(Duration.ofMinutes(10)));
    Files.setLastModifiedTime(fixture.log(), recently);
    Files.setLastModifiedTime(fixture.index(), recently);
    for (String question : List.of("get A" + RANGE, "coverage" + RANGE, "status", "verify")) {
      KblakeRun run = fixture.runLine(question);
      assertThat(run.status()).as("%s", run).isEqualTo(INCOMPLETE);
      assertThat(run.err()).as("%s", run).contains(said());
    }
  }

  /**
   * The begin of the log was sealed and its block was evicted, so that the copy begins behind it.
   * Nothing has the bytes between the end of the log and the first milestone of the copy.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 9, 12, 13, 20})
  void logThatEndsBeforeItsCopyBeginsIsDamagedInBetween(int segments) throws Exception {
    fixture.removeSecondPair();
    String whole = fixture.runLine("get A" + RANGE).out();
    fixture.mirrorFrom(mirror(), fixture.offset(12) + 40);
    fixture.cut(fixture.offset(segments) + (segments == 0 ? 0 : 30));
    int all = LostEndFixture.MILESTONES * LostEndFixture.EVENTS;
    int held = Math.max(0, 13 - segments) * LostEndFixture.EVENTS;
    try (ArchiveReader reader = open()) {
      assertThat(AnswerLines.read(reader, query(Source.AUTO)).events()).hasSize(all - held);
    }
    KblakeRun get = fixture.runLine("get A" + RANGE);
    assertThat(get.status()).as("%s", get).isEqualTo(INCOMPLETE);
    assertThat(get.err()).contains(said()).doesNotContain("has become shorter");
    assertThat(whole).endsWith(get.out().substring(get.out().lastIndexOf("2016-05-16T12:5")));
    assertSameDamagedTimes("cut in segment " + segments);
  }

  /** The columns have even more of the log than the copy. */
  @Test
  void sizeOfALogThatIsShorterThanItsCopyAndItsColumnsIsThatOfTheFile() throws Exception {
    fixture.cut(fixture.offset(20));
    fixture.mirrorFrom(mirror(), 0);
    fixture.putBack();
    long whole = Files.size(fixture.log());
    fixture.backfill();
    fixture.cut(fixture.offset(12));
    assertThat(fixture.runLine("get A" + RANGE).err())
        .contains(
            "log is shorter than its columns: file="
                + fixture.log()
                + ", bytes="
                + fixture.offset(12)
                + ", in columns up to="
                + whole);
  }

  /** Answers and the command coverage have one rule for the times that are damaged. */
  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void answersAndCoverageHaveTheSameDamagedTimes(boolean newest, boolean stored) throws Exception {
    if (newest) {
      fixture.removeSecondPair();
    }
    if (stored) {
      fixture.backfill();
    }
    fixture.mirror(mirror());
    long bytes = Files.size(fixture.log());
    Map<SpanKind, Integer> seen = new EnumMap<>(SpanKind.class);
    for (long cut :
        List.of(
            bytes - 1,
            bytes - 30,
            fixture.offset(LostEndFixture.MILESTONES - 1) + 5,
            fixture.offset(12),
            fixture.offset(2) + 100,
            fixture.offset(1) + 2,
            10L,
            0L)) {
      fixture.cut(cut);
      CoverageReport report = assertSameDamagedTimes("cut at " + cut);
      for (CoverageSpan span : report.spans()) {
        seen.merge(span.kind(), 1, Integer::sum);
      }
    }
    assertThat(seen.getOrDefault(SpanKind.DAMAGED, 0)).isEqualTo(stored ? 0 : 8);
  }

  private CoverageReport assertSameDamagedTimes(String what) throws Exception {
    CoverageReport report;
    try (ArchiveReader reader = open()) {
      report = AnswerLines.read(reader, query(Source.AUTO)).coverage();
    }
    List<TimeRange> answered = new ArrayList<>();
    for (CoverageSpan span : report.spans()) {
      if (span.kind() == SpanKind.DAMAGED) {
        answered.add(span.range());
      }
    }
    KblakeRun run = fixture.runLine("coverage -f json" + RANGE);
    List<TimeRange> covered = new ArrayList<>();
    Matcher matcher = DAMAGED.matcher(run.out());
    while (matcher.find()) {
      covered.add(
          new TimeRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
    }
    assertThat(covered).as("%s: %s", what, run).isEqualTo(answered);
    assertThat(run.status()).isEqualTo(report.isComplete() ? 0 : INCOMPLETE);
    return report;
  }
}
