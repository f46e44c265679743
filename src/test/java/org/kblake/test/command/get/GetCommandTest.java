package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.format.text.Rfc4180;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake get} on the sample archives, whose events are known. */
final class GetCommandTest {

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @Test
  void namesTheGroupOfEachEventAndMergesByTime() {
    List<List<String>> records = Rfc4180.parse(fixture.getAll("*").out());
    assertThat(records.get(0))
        .containsExactly("time", "channel", "group", "state", "severity", "status", "value");
    Map<String, List<List<String>>> byGroup =
        records.stream().skip(1).collect(Collectors.groupingBy(row -> row.get(2)));
    assertThat(byGroup).containsOnlyKeys("VA/CCG", "RF/AnalogData");
    byGroup.forEach(
        (group, rows) -> {
          List<List<String>> alone = Rfc4180.parse(fixture.getAll("-g", group, "*").out());
          rows.forEach(row -> assertThat(row).hasSize(7));
          assertThat(rows.stream().map(row -> row.get(0) + row.get(1) + row.get(6)))
              .isEqualTo(
                  alone.stream().skip(1).map(row -> row.get(0) + row.get(1) + row.get(5)).toList());
        });
    assertThat(records.get(1).get(0)).startsWith("2016-05-1");
  }

  @Test
  void dryRunListsTheReadsAndReadsNothing() throws Exception {
    KblakeRun raw = fixture.getAll("--dry-run", "-g", "RF/AnalogData", "*:TEMP");
    assertThat(raw.status()).isZero();
    assertThat(raw.out())
        .containsPattern("raw +RF/AnalogData +20160516001500 .*/AnalogData_20160516001500.log2")
        .containsPattern("3 raw logs, 776 KiB, events ~\\d+");
    fixture.backfill();
    KblakeRun columns = fixture.getAll("--dry-run", "-g", "RF/AnalogData", "-o", "a.csv", "*:TEMP");
    long events =
        fixture.getAll("-g", "RF/AnalogData", "--strays", "*:TEMP").out().lines().count() - 1;
    assertThat(columns.out())
        .containsPattern("columns +RF/AnalogData +20160516001500 ")
        .contains("0 raw logs")
        .containsPattern("18 channels\n\\d+ blocks?, .*, events ~" + events / 100);
    assertThat(directory.resolve("a.csv")).doesNotExist();
  }

  @Test
  void refusesAnUnusableCoverageFileBeforeReading() {
    KblakeRun run =
        fixture.getAll("--coverage", "nowhere/coverage.json", "RF_AnalogData:D02_007:XPOS");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("the directory does not exist").hasLineCount(1);
  }

  @Test
  void namesAnUnknownChannelAndTheNearestOnes() {
    KblakeRun run = fixture.getAll("RF_AnalogData:D02_007:XPOZ");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("kblake get: no such channel: RF_AnalogData:D02_007:XPOZ")
        .contains("RF_AnalogData:D02_007:XPOS")
        .hasLineCount(1);
  }

  /** One fault has one phrase, whatever the command and the kind of answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "get",
        "get --at now",
        "get --wide --every 60s",
        "get -f arrow",
        "get --follow",
        "channels"
      })
  void unknownNamesAndPatternsAreNoSuchChannel(String command) {
    String[] line = (command + " -q NOPE* RF_AnalogData:D02_007:XPOZ").split(" ");
    KblakeRun run = fixture.run(line);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith(
            "kblake "
                + line[0]
                + ": no such channel: NOPE*, RF_AnalogData:D02_007:XPOZ (nearest: "
                + "RF_AnalogData:D02_007:XPOS, ")
        .hasLineCount(1);
  }

  @Test
  void channelsMayBeSeparatedByCommas() {
    String words = fixture.getAll("VA_CCG:D01_023:XPOS", "VA_CCG:D02_013:CUR").out();
    assertThat(words.lines().count()).isGreaterThan(10);
    assertThat(fixture.getAll("VA_CCG:D01_023:XPOS,VA_CCG:D02_013:CUR").out()).isEqualTo(words);
    assertThat(fixture.getAll("VA_CCG:{D01_023:XPOS,D02_013:CUR}").out()).isEqualTo(words);
    assertThat(fixture.getAll(",").err()).contains("no such channel: ,");
    assertThat(fixture.getAll("").status()).isEqualTo(2);
  }

  @Test
  void aTextThatIsNoGlobMayBeAName() {
    KblakeRun run = fixture.getAll("[a", "VA*");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no such channel: [a (pattern has an open bracket)");
  }

  @Test
  void namesAnUnknownGroupAndTheNearestOnes() {
    KblakeRun run = fixture.getAll("-g", "VA/CCC", "*");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("VA/CCC").contains("VA/CCG").hasLineCount(1);
  }

  @Test
  void leavesNoFileWhenTheQuestionCannotBeAnswered() throws IOException {
    Path file = Files.createDirectory(directory.resolve("out")).resolve("a.csv");
    assertThat(fixture.getAll("-o", file.toString(), "nosuch").status()).isEqualTo(1);
    assertThat(file.getParent()).isEmptyDirectory();
  }

  @Test
  void writesTheReadableEventsAndNamesAMissingFile() throws IOException {
    Path missing = fixture.archive().resolve("RF/AnalogData_20160516001500.log2");
    List<String> whole = fixture.getAll("-g", "RF/AnalogData", "*").out().lines().toList();
    Files.delete(missing);
    Path file = directory.resolve("a.csv");
    Path coverage = directory.resolve("coverage.json");

    KblakeRun run =
        fixture.getAll(
            "-g", "RF/AnalogData", "-o", file.toString(), "--coverage", coverage.toString(), "*");

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith("kblake get: incomplete: unavailable: RF/AnalogData from 2016-05-16T00:")
        .contains("period=20160516001500-20160516003355, file=" + missing)
        .hasLineCount(1);
    List<String> rest = Files.readAllLines(file);
    assertThat(rest).hasSizeBetween(1000, whole.size() - 1000);
    assertThat(whole).containsSubsequence(rest);
    JsonNode report = new ObjectMapper().readTree(coverage.toFile());
    assertThat(report.get("complete").booleanValue()).isFalse();
    assertThat(report.get("spans").findValuesAsText("kind")).contains("unavailable", "answered");
  }

  @Test
  void printsTheCoverageAsATable() throws Exception {
    fixture.backfill();
    Files.delete(fixture.archive().resolve("RF/AnalogData_20160516001500.log2"));
    Files.delete(CommandFixture.find(fixture.store().resolve("RF"), "block.kb"));
    KblakeRun run = fixture.getAll("-o", "a.csv", "--coverage", "-", "*");
    assertThat(run.status()).isEqualTo(3);
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).matches("GROUP +KIND +FROM +TO +DURATION");
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(run.out())
        .containsPattern("VA/CCG +answered +2016-05-16 00:0\\d:\\d\\d 2016-05-16 \\S+ +\\d+ min\n")
        .containsPattern("RF/AnalogData unavailable ! +2016-05-16 00:0\\d:\\d\\d ")
        .contains("incomplete: events may be missing where a line has !\n")
        .containsPattern("\\d\\.\\d% of the log from columns, \\d\\d\\.\\d% from raw logs\n");
    assertThat(fixture.getAll("-o", "a.csv", "--coverage", "c.txt", "*").out()).isEmpty();
    assertThat(Files.readString(directory.resolve("c.txt"))).isEqualTo(run.out());
  }

  @Test
  void printsTheCoverageAsJsonIfTheFormatIsJson() throws IOException {
    KblakeRun run = fixture.getAll("-o", "a.json", "-f", "json", "--coverage", "-", "*");
    fixture.getAll("-o", "a.csv", "--coverage", "c.any", "*");
    assertThat(new ObjectMapper().readTree(run.out()).get("complete").booleanValue()).isTrue();
    assertThat(Files.readString(directory.resolve("c.any"))).isEqualTo(run.out());
  }

  @Test
  void saysThatAllOfTheLogIsFromOneSource() throws Exception {
    String[] words = {"-o", "a.csv", "--coverage", "-", "*"};
    assertThat(fixture.getAll(words).out())
        .endsWith("complete: no event of the range is missing\nall from raw logs\n");
    fixture.backfill();
    assertThat(fixture.getAll(words).out())
        .endsWith("complete: no event of the range is missing\nall from columns\n");
  }

  @Test
  void readsColumnsIfTheLogIsMissing() throws Exception {
    String whole = fixture.getAll("*").out();
    fixture.backfill();
    Files.delete(fixture.archive().resolve("RF/AnalogData_20160516001500.log2"));
    KblakeRun run = fixture.getAll("*");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(whole);
    assertThat(run.status()).isZero();
  }

  @Test
  void takesChannelsFromStandardInputAndFromFiles() throws IOException {
    String names = "VA_CCG:D01_023:XPOS  since 2016\n\nVA_CCG:D02_013:CUR\n";
    String[] args = {"get", "-q", "--channels-from", "-", "--from", "2016-05-16"};
    String expected = fixture.getAll("VA_CCG:D01_023:XPOS", "VA_CCG:D02_013:CUR").out();
    assertThat(expected.lines().count()).isGreaterThan(10);
    assertThat(fixture.runner().reading(names).run(args).out()).isEqualTo(expected);
    Path file = Files.writeString(directory.resolve("names"), names);
    assertThat(fixture.getAll("--channels-from", file.toString()).out()).isEqualTo(expected);
    assertThat(fixture.runner().reading("").run(args).status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get",
        "get --coverage - *",
        "get --time iso -f parquet *",
        "get --from now --to -1h *",
        "get --last 0 *",
        "get --at now --from today *",
        "get --from tomorrowish *",
        "get -f xml *"
      })
  void refusesWrongUsage(String line) {
    KblakeRun run = fixture.run(line.split(" "));
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("kblake get: ").hasLineCount(1);
  }

  /** picocli must not take a value such as -1M for options. */
  @Test
  void takesTimesThatBeginWithAMinusAsValues() {
    String channel = "VA_CCG:D02_013:CUR";
    String whole = fixture.getAll(channel).out();
    assertThat(whole.lines().count()).isGreaterThan(10);
    for (String line :
        List.of("--from -1M", "--from=-1M", "--from -1y --to now", "--from 2016-05 --to now-1h")) {
      KblakeRun run = fixture.run(("get " + line + " " + channel).split(" "));
      assertThat(run.out()).as(line).isEqualTo(whole);
    }
  }

  /** Times are read and printed in the output zone. File names stay in the archive's zone. */
  @Test
  void outputZoneChangesTimesAndNothingElse() throws Exception {
    fixture.backfill();
    String[] utc = {"--out-zone", "UTC"};
    String range = "--from 2016-05-15T15:12 --to 2016-05-15T15:25 ";
    for (String answer :
        List.of("VA*", "-f json VA*", "--wide --every 60s VA*", "-g RF/AnalogData *")) {
      String tokyo =
          fixture.run(("get " + range.replace("15T15", "16T00") + answer).split(" ")).out();
      String found = fixture.run(("get --out-zone UTC " + range + answer).split(" ")).out();
      assertThat(found).as(answer).contains("2016-05-15T15:12").doesNotContain("+09:00");
      assertThat(found.replace("2016-05-15T15:", "2016-05-16T00:").replace("+00:00", "+09:00"))
          .as(answer)
          .isEqualTo(tokyo);
    }
    assertThat(fixture.run("get", utc[0], utc[1], "--at", "2016-05-15T15:25", "VA*").out())
        .isEqualTo(
            fixture
                .runner()
                .with("KBLAKE_OUT_ZONE", "UTC")
                .run("get", "--at", "2016-05-16T00:25+09:00", "VA*")
                .out())
        .contains("+00:00");
    KblakeRun backwards = fixture.run("get", utc[0], utc[1], "--from", "2017", "--to", "2016", "*");
    assertThat(backwards.err()).contains("2017-01-01T00:00:00Z", "2016-01-01T00:00:00Z");
    assertThat(fixture.run("status", utc[0], utc[1]).out()).contains("(UTC)");
    assertThat(fixture.run("get", "--out-zone", "Europe", "*").err())
        .contains("--out-zone: no such time zone: Europe");
  }

  @Test
  void errorOfARangeShowsBothEndsAsUnderstood() {
    assertThat(fixture.run("get", "--from", "2016-05-17", "--to", "2016-05", "*").err())
        .isEqualTo(
            "kblake get: --from 2016-05-17T00:00:00+09:00 is later than --to"
                + " 2016-05-01T00:00:00+09:00\n");
    assertThat(fixture.run("backfill", "--from", "2016-05-17", "--to", "20160516").err())
        .contains("from 2016-05-17T00:00:00+09:00 to 2016-05-16T00:00:00+09:00");
  }

  @Test
  void answersWithTheHeaderAloneIfThereAreNoEvents() {
    KblakeRun run = fixture.run("get", "--from", "2019", "--to", "2020", "VA_CCG:D02_013:CUR");
    assertThat(run.out()).isEqualTo("time,channel,state,severity,status,value\n");
    assertThat(run.status()).isZero();
  }

  @Test
  void isStoppedByAFullDisk() {
    KblakeRun run = fixture.getAll("-o", "/dev/full", "*");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("kblake get: /dev/full: ").hasLineCount(1);
  }
}
