package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.text.Rfc4180;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake when} and {@code kblake get --when}. */
final class WhenCommandTest {

  private static final String CONDITION = "VA_CCG:D02_013:CUR > 2.5";
  private static final String[] RANGE = {"--from", "2016-05-15", "--to", "2016-05-18"};

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private KblakeRun when(String... conditions) {
    List<String> all = new ArrayList<>(List.of("when"));
    all.addAll(List.of(conditions));
    all.addAll(List.of(RANGE));
    return fixture.run(all.toArray(String[]::new));
  }

  private static TimeMask mask(KblakeRun run) {
    List<List<String>> rows = Rfc4180.parse(run.out());
    assertThat(rows.get(0)).containsExactly("from", "to", "seconds");
    List<TimeRange> ranges = new ArrayList<>();
    for (List<String> row : rows.subList(1, rows.size())) {
      ranges.add(new TimeRange(nanos(row.get(0)), nanos(row.get(1))));
    }
    return TimeMask.of(ranges);
  }

  private static long nanos(String time) {
    Instant instant = OffsetDateTime.parse(time).toInstant();
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  @Test
  void eventsAreThoseAtTheTimesOfTheIntervals() throws Exception {
    List<List<String>> all = Rfc4180.parse(fixture.getAll("*").out());
    for (String source : List.of("raw", "auto")) {
      TimeMask met = mask(when(CONDITION));
      assertThat(met.ranges()).hasSizeGreaterThan(3);
      List<List<String>> expected = new ArrayList<>(all);
      expected.subList(1, expected.size()).removeIf(row -> !met.contains(nanos(row.get(0))));
      assertThat(expected).hasSizeGreaterThan(100).hasSizeLessThan(all.size() - 100);
      KblakeRun run = fixture.getAll("--source", source, "--when", CONDITION, "*");
      assertThat(run.err()).isEmpty();
      // Groups are merged by time, in an order that depends on the range that is read.
      assertThat(Rfc4180.parse(run.out())).containsExactlyInAnyOrderElementsOf(expected);
      fixture.backfill();
    }
  }

  @Test
  void savedIntervalsAreACondition() throws Exception {
    KblakeRun saved = when(CONDITION);
    Files.writeString(directory.resolve("saved.csv"), saved.out());
    assertThat(mask(when("@saved.csv"))).isEqualTo(mask(saved));
    assertThat(mask(when("@" + directory.resolve("saved.csv")))).isEqualTo(mask(saved));
    assertThat(fixture.getAll("--when", "@saved.csv", "*").out())
        .isEqualTo(fixture.getAll("--when", CONDITION, "*").out());
    assertThat(mask(when(CONDITION, "not @saved.csv")).isEmpty()).isTrue();
    TimeMask complement = mask(when("not @saved.csv"));
    TimeMask range =
        TimeMask.of(
            List.of(
                new TimeRange(
                    nanos("2016-05-15T00:00:00+09:00"), nanos("2016-05-18T00:00:00+09:00"))));
    assertThat(complement).isEqualTo(range.without(mask(saved)));
  }

  @Test
  void conditionsAreJoined() {
    String other = "VA_CCG:D02_013:CUR < 4";
    TimeMask one = mask(when(CONDITION));
    TimeMask two = mask(when(other));
    assertThat(mask(when(CONDITION, other))).isEqualTo(one.and(two));
    assertThat(mask(when("--any", CONDITION, other))).isEqualTo(one.or(two));
    TimeMask not = mask(when("not " + CONDITION));
    assertThat(not.and(one).isEmpty()).isTrue();
    assertThat(not.ranges()).isNotEmpty();
    long least = 60_000_000_000L;
    List<TimeRange> whole =
        one.ranges().stream().filter(each -> each.toNanos() - each.fromNanos() >= least).toList();
    assertThat(mask(when(CONDITION + " for 1m")).ranges())
        .isEqualTo(whole)
        .hasSizeLessThan(one.ranges().size());
  }

  @Test
  void tablesAreOfTheTimesOfTheIntervals() {
    TimeMask met = mask(when(CONDITION));
    String[] wide = {"--wide", "--every", "1m", "VA_CCG:D02_013:CUR"};
    List<List<String>> points = Rfc4180.parse(fixture.getAll(wide).out());
    points.subList(1, points.size()).removeIf(row -> !met.contains(nanos(row.get(0))));
    assertThat(points).hasSizeGreaterThan(3);
    List<String> within = new ArrayList<>(List.of("--when", CONDITION));
    within.addAll(List.of(wide));
    assertThat(Rfc4180.parse(fixture.getAll(within.toArray(String[]::new)).out()))
        .isEqualTo(points);

    long events =
        fixture.getAll("--when", CONDITION, "VA_CCG:D02_013:CUR").out().lines().count() - 1;
    long counted =
        Rfc4180.parse(
                fixture
                    .getAll(
                        "--when",
                        CONDITION,
                        "--every",
                        "6h",
                        "--aggregate",
                        "count",
                        "VA_CCG:D02_013:CUR")
                    .out())
            .stream()
            .skip(1)
            .mapToLong(row -> Long.parseLong(row.get(2)))
            .sum();
    long values =
        fixture
                .getAll("--when", CONDITION, "--where", "value < Infinity", "VA_CCG:D02_013:CUR")
                .out()
                .lines()
                .count()
            - 1;
    assertThat(counted).isPositive().isBetween(values, events);
  }

  /** The groups of {@code get -g} are those of the answer. A condition may be of another one. */
  @Test
  void aConditionIsOfAnyGroup() {
    String channel = "RF_AnalogData:D05_037:TEMP";
    KblakeRun all = fixture.getAll("--when", CONDITION, channel);
    assertThat(all.out().lines()).hasSizeGreaterThan(3);
    KblakeRun ofGroup = fixture.getAll("-g", "RF/AnalogData", "--when", CONDITION, channel);
    assertThat(ofGroup.out()).isEqualTo(all.out());
    for (String each : List.of("-q", "--each")) {
      KblakeRun built =
          fixture.run(
              "build",
              each,
              "-g",
              "RF/AnalogData",
              "--event",
              CONDITION,
              channel,
              "--from",
              "2016-05-15",
              "--to",
              "2016-05-18");
      assertThat(built.status()).as(built.err()).isZero();
      assertThat(built.out().lines()).hasSizeGreaterThan(3);
    }
    assertThat(when("-g", "RF/AnalogData", CONDITION).err()).contains("no such channel");
  }

  /** The range is longer than a long of nanoseconds. */
  @Test
  void centuriesAreARange() {
    KblakeRun run = fixture.run("when", CONDITION, "--from", "1700-01-01", "--to", "2262-01-01");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(mask(run)).isEqualTo(mask(when(CONDITION)));
    assertThat(run.err()).contains("s of 1.773");
  }

  @Test
  void theTableForPeopleFitsATerminal() {
    KblakeRun run = when("-f", "text", CONDITION);
    assertThat(run.out().lines()).hasSizeGreaterThan(3).allMatch(line -> line.length() <= 80);
    assertThat(run.out()).startsWith("FROM ");
  }

  @Test
  void conditionsThatAreNeverMetSaySo() {
    KblakeRun never = when("VA_CCG:D02_013:CUR > 1e30");
    assertThat(never.out()).isEqualTo("from,to,seconds\n");
    assertThat(never.err()).contains("0 intervals, 0.0 s of 259200.0 s; the values are known for");
    KblakeRun get =
        fixture.run(
            "get",
            "--from",
            "2016-05-15",
            "--to",
            "2016-05-18",
            "--when",
            "VA_CCG:D02_013:CUR > 1e30",
            "*");
    assertThat(get.out().lines()).hasSize(1);
    assertThat(get.err()).contains("the conditions of --when are met at no time of the range");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "value > 1 | names no channel",
        "> 1 | names no channel",
        "VA_CCG:* > 1 | no such channel: VA_CCG:*",
        "VA_CCG:D02_013:CUR | is not a condition",
        "VA_CCG:D02_013:CUR > 1 for ever | is not a duration",
        "NONE:SUCH > 1 | no such channel",
        "@missing.csv | missing.csv",
        "@bad.csv | line 2",
        "@back.csv | line 3: 2016-05-17 is after 2016-05-16T00:00",
        "@latin.csv | latin.csv is not text in UTF-8",
        "@. | is a directory",
        "@other.csv | does not begin with from,to"
      })
  void wrongConditionsAreRefused(String condition, String message) throws IOException {
    Files.writeString(directory.resolve("bad.csv"), "from,to\nyesterday\n");
    Files.writeString(directory.resolve("other.csv"), "time,value\n1,2\n");
    String back = "from,to\n2016-05-16,2016-05-17\n2016-05-17,2016-05-16T00:00\n";
    Files.writeString(directory.resolve("back.csv"), back);
    Files.write(directory.resolve("latin.csv"), new byte[] {(byte) 0xE4, '\n'});
    KblakeRun run = when(condition);
    assertThat(run.status()).isIn(1, 2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
    assertThat(fixture.getAll("--when", condition, "*").err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({"--follow", "--held", "--dry-run", "--last=3", "--at=2016-05-16"})
  void otherQuestionsExcludeConditions(String option) {
    KblakeRun run = fixture.run("get", "--when", CONDITION, option, "*");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--when excludes");
  }
}
