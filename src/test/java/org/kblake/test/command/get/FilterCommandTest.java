package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.format.text.Rfc4180;
import org.kblake.test.fixture.CommandFixture;

/** The options of {@code kblake get} that select rows and columns. */
final class FilterCommandTest {

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  /** Returns the rows of an answer without options for which a condition holds. */
  private List<List<String>> expected(Predicate<List<String>> condition) {
    List<List<String>> rows = new ArrayList<>(Rfc4180.parse(fixture.getAll("*").out()));
    rows.subList(1, rows.size()).removeIf(condition.negate());
    return rows;
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[-0-9.e+]+|NaN|-?Infinity");
  }

  @Test
  void rowsAreThoseThatMeetTheCondition() throws Exception {
    List<List<String>> rows =
        expected(row -> isNumber(row.get(6)) && Double.parseDouble(row.get(6)) > 2.5);
    assertThat(rows).hasSizeGreaterThan(1000);
    for (String source : List.of("raw", "auto")) {
      KblakeRun run = fixture.getAll("--source", source, "--where", "value > 2.5", "*");
      assertThat(run.err()).isEmpty();
      assertThat(Rfc4180.parse(run.out())).isEqualTo(rows);
      fixture.backfill();
    }
  }

  @Test
  void rowsHaveAtLeastTheSeverity() {
    List<List<String>> rows = expected(row -> Integer.parseInt(row.get(4)) >= 2);
    assertThat(rows).hasSizeGreaterThan(10);
    KblakeRun run = fixture.getAll("--severity", "major", "*");
    assertThat(Rfc4180.parse(run.out())).isEqualTo(rows);
  }

  /** Binary formats have the same number of rows, and the columns in the order of the option. */
  @Test
  void binaryFormatsHaveTheSameRowsAndColumns() throws Exception {
    String[] options = {
      "--where", "value > 2.5", "--columns", "value,group,time", "VA_CCG:D02_013:CUR"
    };
    long rows = get("-f", "csv", options).out().lines().count() - 1;
    assertThat(rows).isGreaterThan(10);
    assertThat(get("-o", "a.arrow", options).status()).isZero();
    long read = 0;
    try (RootAllocator memory = new RootAllocator();
        FileInputStream in = new FileInputStream(directory.resolve("a.arrow").toFile());
        ArrowFileReader reader = new ArrowFileReader(in.getChannel(), memory)) {
      assertThat(reader.getVectorSchemaRoot().getSchema().getFields().stream().map(Field::getName))
          .containsExactly("value", "group", "time");
      while (reader.loadNextBatch()) {
        read += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    assertThat(read).isEqualTo(rows);
    assertThat(get("-o", "a.parquet", options).status()).isZero();
    assertThat(get("-f", "parquet", options).out()).startsWith("PAR1");
  }

  private KblakeRun get(String option, String value, String... more) {
    List<String> words = new ArrayList<>(List.of(option, value));
    words.addAll(List.of(more));
    return fixture.getAll(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "csv|time,value|time,value",
        "csv|value,time|value,time",
        "csv|channel,status|channel,status",
        "csv|severity,value,group|severity,value,group",
        "tsv|value|value"
      })
  void columnsAreThoseOfTheOption(String format, String option, String header) {
    List<List<String>> all =
        Rfc4180.parse(fixture.getAll("VA_CCG:D02_013:CUR", "RF_AnalogData:D02_007:XPOS").out());
    KblakeRun run =
        fixture.getAll(
            "-f", format, "--columns", option, "VA_CCG:D02_013:CUR", "RF_AnalogData:D02_007:XPOS");
    List<String> names = List.of(header.split(","));
    String tab = format.equals("csv") ? "," : "\t";
    List<String> expected = new ArrayList<>();
    for (List<String> row : all) {
      List<String> cells = new ArrayList<>();
      names.forEach(name -> cells.add(row.get(all.get(0).indexOf(name))));
      expected.add(String.join(tab, cells));
    }
    assertThat(run.out().lines()).hasSizeGreaterThan(100).isEqualTo(expected);
  }

  @Test
  void objectsHaveTheColumnsOfTheOption() {
    String channel = "VA_CCG:D02_013:CUR";
    assertThat(fixture.getAll("-f", "ndjson", "--columns", "value,time", channel).out().lines())
        .allMatch(line -> line.matches("\\{\"value\":(null|\\S+),\"time\":\"2016-05-16T[^\"]+\"}"));
    assertThat(fixture.getAll("-f", "json", "--columns", "state", channel).out())
        .startsWith("[\n{\"state\":\"connected\"},\n{\"state\":");
    assertThat(fixture.run("get", "-q", "--at=201605160030", "--columns=value", channel).out())
        .matches("value\n\\d+\n");
  }

  @Test
  void timesAreLocalAndShort() {
    String[] last = {"get", "-q", "--last", "1", "--columns", "time", "VA_CCG:D02_013:CUR"};
    assertThat(withTime(last, "iso")).isEqualTo("time\n2016-05-16T00:34:21.116444706+09:00\n");
    assertThat(withTime(last, "seconds")).isEqualTo("time\n2016-05-16 00:34:21\n");
    assertThat(withTime(last, "millis")).isEqualTo("time\n2016-05-16 00:34:21.116\n");
  }

  private String withTime(String[] words, String style) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--time", style));
    return fixture.run(all.toArray(String[]::new)).out();
  }

  /** Values held at an instant, and before a range, are filtered, too. */
  @Test
  void heldValuesAreFiltered() {
    String[] range = {"--from=201605160030", "--to=201605160030", "--held"};
    List<String> all = held("--at=2016-05-16T00:29:59.999999999");
    assertThat(held("--at=2016-05-16T00:29:59.999999999", "--where", "value > 2.5"))
        .isEqualTo(
            all.stream()
                .filter(value -> isNumber(value) && Double.parseDouble(value) > 2.5)
                .toList())
        .isNotEmpty()
        .hasSizeLessThan(all.size());
    assertThat(held(range[0], range[1], range[2], "--where", "value > 2.5"))
        .containsExactlyInAnyOrderElementsOf(
            held("--at=2016-05-16T00:29:59.999999999", "--where", "value > 2.5"));
  }

  private List<String> held(String... options) {
    List<String> words = new ArrayList<>(List.of("get", "-q", "--columns=value"));
    words.addAll(List.of(options));
    words.add("VA_CCG:*:PRES");
    return fixture.run(words.toArray(String[]::new)).out().lines().skip(1).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "arrow"})
  void theNumberOfEventsThatDoNotMatchIsReported(String format) {
    String[] line = {"get", "--from=2016", "--to=2017", "-f", format, "--where=value>1e99"};
    List<String> words = new ArrayList<>(List.of(line));
    words.add("VA_CCG:D02_013:CUR");
    long events = fixture.getAll("VA_CCG:D02_013:CUR").out().lines().count() - 1;
    assertThat(fixture.run(words.toArray(String[]::new)).err())
        .endsWith(
            "none of the "
                + events
                + " events from 2016-01-01 00:00:00 to 2017-01-01 00:00:00 matches\n");
    words.add("-q");
    assertThat(fixture.run(words.toArray(String[]::new)).err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--where=value|is not a condition; write 'value > 1e-6'",
        "--where=value>1 for 5s|a row has no duration; use --when",
        "--where=NONE>1|--where names a channel that the answer does not have: NONE",
        "--severity=bad|is not one of no, minor, major, invalid",
        "--columns=time,valeu|--columns: 'valeu' is no column; name some of time,channel,",
        "--columns=|--columns: '' is no column",
        "--columns=time,time|--columns: 'time' is repeated",
        "--columns=time,stray|--columns: the column stray needs --strays",
        "--time=minutes|'minutes' is not one of iso, seconds, millis, epoch-ns"
      })
  void refusesBadValues(String option, String message) {
    for (String format : List.of("csv", "arrow")) {
      KblakeRun run = fixture.getAll(option, "-f", format, "VA_CCG:D02_013:CUR");
      assertThat(run.status()).as(run.err()).isEqualTo(2);
      assertThat(run.err()).contains(message).hasLineCount(1);
      assertThat(run.out()).isEmpty();
    }
  }
}
