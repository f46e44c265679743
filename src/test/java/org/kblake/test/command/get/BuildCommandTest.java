package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.KblakeRun;
import org.kblake.format.text.Rfc4180;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake build}. */
final class BuildCommandTest {

  private static final String CHANNEL = "VA_CCG:D02_013:CUR";
  private static final String[] RANGE = {"--from", "2016-05-15", "--to", "2016-05-18"};

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private KblakeRun build(String... args) {
    List<String> all = new ArrayList<>(List.of("build"));
    all.addAll(List.of(RANGE));
    all.addAll(List.of(args));
    return fixture.run(all.toArray(String[]::new));
  }

  /** Each cell is the value of get --at at the event's time and the offset. */
  @Test
  void cellsAreTheValuesHeldAtTheOffsets() throws Exception {
    for (boolean stored : List.of(false, true)) {
      KblakeRun run =
          build(
              "--event",
              CHANNEL + " > 2.5",
              "--offset",
              "-1s",
              "--offset",
              "0s",
              "--offset",
              "90m",
              "*_013:*");
      assertThat(run.status()).as(run.err()).isZero();
      List<List<String>> rows = Rfc4180.parse(run.out());
      List<String> header = rows.get(0);
      assertThat(header.subList(0, 3)).containsExactly("time", "event", "complete");
      assertThat(header).contains(CHANNEL + "@-1s", CHANNEL + "@0s", CHANNEL + "@90m");
      assertThat(rows).hasSizeGreaterThan(3);
      long seconds = 0;
      for (int row = 1; row < rows.size(); row++) {
        List<String> cells = rows.get(row);
        assertThat(cells.get(1)).isEqualTo(Integer.toString(row));
        assertThat(cells.get(2)).isEqualTo("1");
        String own = cells.get(header.indexOf(CHANNEL + "@0s"));
        assertThat(Double.parseDouble(own)).isGreaterThan(2.5);
        for (int column = 3; column < header.size() && row < 4; column++) {
          String[] name = header.get(column).split("@");
          String at = plus(cells.get(0), name[1]);
          List<List<String>> held =
              Rfc4180.parse(fixture.run("get", "-q", "--at", at, name[0]).out());
          String expected = held.size() == 1 ? "" : held.get(1).get(held.get(1).size() - 1);
          assertThat(cells.get(column)).as("%s at %s", name[0], at).isEqualTo(expected);
          seconds++;
        }
      }
      assertThat(seconds).isGreaterThan(8);
      if (!stored) {
        fixture.backfill();
      }
    }
  }

  private static String plus(String time, String offset) {
    OffsetDateTime parsed = OffsetDateTime.parse(time);
    return switch (offset) {
      case "-1s" -> parsed.minusSeconds(1).toString();
      case "90m" -> parsed.plusMinutes(90).toString();
      default -> parsed.toString();
    };
  }

  @Test
  void eachValueThatMeetsTheConditionIsAnEvent() {
    KblakeRun run = build("--event", CHANNEL + " > 2.5", "--each", CHANNEL);
    List<List<String>> rows = Rfc4180.parse(run.out());
    List<List<String>> events =
        Rfc4180.parse(fixture.getAll("--where", CHANNEL + " > 2.5", CHANNEL).out());
    assertThat(rows).hasSameSizeAs(events).hasSizeGreaterThan(10);
    assertThat(rows.get(0)).containsExactly("time", "event", "complete", CHANNEL);
    // Events come in log order, and rows in the order of time.
    assertThat(rows.stream().skip(1).map(row -> row.get(0)))
        .isSorted()
        .containsExactlyInAnyOrderElementsOf(
            events.stream().skip(1).map(row -> row.get(0)).toList());
    assertThat(run.err()).contains((rows.size() - 1) + " events, 0 of them incomplete");
  }

  @Test
  void aConditionThatIsNeverMetGivesNoRowAndSaysSo() {
    KblakeRun run = build("--event", CHANNEL + " > 1e30", CHANNEL);
    assertThat(run.status()).isZero();
    assertThat(run.out()).isEqualTo("time,event,complete," + CHANNEL + "\n");
    assertThat(run.err()).contains("the condition begins to be met at no time of the range");
  }

  /** A begin is an instant at which the condition was known not to be met just before. */
  @Test
  void anEventIsABeginOfAnInterval() {
    List<String> begins =
        Rfc4180.parse(
                fixture
                    .run(
                        "when",
                        "-q",
                        CHANNEL + " > 2.5",
                        "--from",
                        "2016-05-15",
                        "--to",
                        "2016-05-18")
                    .out())
            .stream()
            .skip(1)
            .map(row -> plus(row.get(0), "0s"))
            .toList();
    List<String> times =
        Rfc4180.parse(build("--event", CHANNEL + " > 2.5", CHANNEL).out()).stream()
            .skip(1)
            .map(row -> plus(row.get(0), "0s"))
            .toList();
    assertThat(begins).containsAll(times);
    assertThat(times).isNotEmpty();
  }

  @Test
  void rowsOfADamagedLogAreMarked() throws Exception {
    Path log = CommandFixture.find(fixture.archive(), "CCG_20160516000000.log2");
    byte[] bytes = Files.readAllBytes(log);
    for (int i = bytes.length / 2; i < bytes.length / 2 + 2000; i++) {
      bytes[i] = 0;
    }
    Files.write(log, bytes);
    KblakeRun run = build("--event", CHANNEL + " > 2.5", "--each", "VA_CCG:*");
    assertThat(run.status()).isEqualTo(3);
    List<List<String>> rows = Rfc4180.parse(run.out());
    assertThat(rows.stream().skip(1).map(row -> row.get(2))).contains("0");
    assertThat(run.err()).contains("of them incomplete").contains("kblake build: incomplete");
  }

  /** A log is gone, and the block that has it is damaged: no source has some of the values. */
  @Test
  void rowsWithoutAnySourceAreMarked() throws Exception {
    String[] question = {"--event", "RF_AnalogData:D05_037:TEMP > -1e30", "--each", CHANNEL};
    List<List<String>> whole = Rfc4180.parse(build(question).out());
    fixture.backfill();
    Files.delete(CommandFixture.find(fixture.archive(), "CCG_20160516000000.log2"));
    assertThat(Rfc4180.parse(build(question).out())).isEqualTo(whole);
    Path block = CommandFixture.block(fixture.store().resolve("VA/CCG"));
    try (Stream<Path> files = Files.list(block)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".parquet")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, 4, bytes.length / 2, (byte) 0x55);
        Files.write(file, bytes);
      }
    }
    KblakeRun run = build(question);
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("of them incomplete").contains("kblake build: incomplete");
    List<List<String>> rows = Rfc4180.parse(run.out());
    assertThat(rows).hasSameSizeAs(whole);
    assertThat(rows.stream().skip(1).map(row -> row.get(2))).contains("0");
    // A row that is not marked has the right value.
    for (int row = 1; row < rows.size(); row++) {
      if (rows.get(row).get(2).equals("1")) {
        assertThat(rows.get(row)).isEqualTo(whole.get(row));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VA_CCG:D02_013:CUR > 2.5 | --offset=soon | is not a duration",
        "VA_CCG:D02_013:CUR > 2.5 | --offset=9000000d | --offset 9000000d is longer than 36500d",
        "value > 1 | --offset=0s | names no channel",
        "VA_CCG:D02_013:CUR > 1 for 1s | --each | --each excludes",
        "NONE:SUCH > 1 | --each | no such channel"
      })
  void wrongQuestionsAreRefused(String event, String option, String message) {
    KblakeRun run = build("--event", event, option, "*");
    assertThat(run.status()).isIn(1, 2);
    assertThat(run.err()).contains(message);
  }
}
