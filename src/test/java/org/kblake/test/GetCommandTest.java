package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.format.Rfc4180;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.Pair;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;

/** {@code kblake get} on the sample archives, whose events are known. */
final class GetCommandTest {

  private static final String[] DAY = {"--from", "2016-05-15", "--to", "2016-05-18"};

  @TempDir private Path directory;

  private Path archive = Path.of("");
  private Path store = Path.of("");

  @BeforeEach
  void copySample() throws IOException {
    archive = TestStores.sample("mixed", directory.resolve("archive"));
    store = directory.resolve("store");
  }

  private KblakeRun run(String... args) {
    return runner().run(args);
  }

  private KblakeRun.Builder runner() {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .with("KBLAKE_STORE", store.toString());
  }

  private KblakeRun get(String... args) {
    List<String> all = new ArrayList<>(List.of("get", "-q"));
    all.addAll(List.of(DAY));
    all.addAll(List.of(args));
    return run(all.toArray(String[]::new));
  }

  private void backfill() throws Exception {
    TestStores.backfill(Archive.open(archive, ArchiveSettings.defaults()), store);
  }

  @ParameterizedTest
  @CsvSource({
    "tiny-le, BM/DCCT, events.tsv",
    "tiny-be, BM/DCCT, events.tsv",
    "mixed, VA/CCG, events-VA_CCG.tsv",
    "mixed, RF/AnalogData, events-RF_AnalogData.tsv"
  })
  void writesEveryEventOfASampleInLogOrder(String sample, String group, String file)
      throws IOException {
    Path events = TestArchives.resource("samples/" + sample).resolve(file);
    KblakeRun run =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", TestArchives.sample(sample).toString())
            .run(
                "get",
                "-g",
                group,
                "--from",
                "2016",
                "--to",
                "2023",
                "--strays",
                "--time",
                "epoch-ns",
                "*");

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    List<List<String>> records = Rfc4180.parse(run.out());
    assertThat(records.get(0))
        .containsExactly("time", "channel", "state", "severity", "status", "stray", "value");
    List<String> expected = Files.readAllLines(events);
    assertThat(records).hasSameSizeAs(expected);
    for (int i = 1; i < records.size(); i++) {
      assertRowIs(records.get(i), expected.get(i).split("\t", -1));
    }
  }

  private static void assertRowIs(List<String> row, String[] expected) {
    String state = List.of("disconnected", "connected", "value").get(Integer.parseInt(expected[2]));
    boolean same =
        row.subList(0, 6)
                .equals(
                    List.of(expected[0], expected[1], state, expected[3], expected[4], expected[5]))
            && sameCell(row.get(6), expected[6]);
    // a check of AssertJ's for each of thousands of rows would take a minute
    if (!same) {
      throw new AssertionError(row + " is not " + List.of(expected));
    }
  }

  private static boolean sameCell(String cell, String expected) {
    if (!cell.startsWith("[")) {
      return sameValue(cell, expected);
    }
    String[] found = cell.substring(1, cell.length() - 1).replace("\"", "").split(",");
    String[] elements = expected.split(" ", -1);
    boolean same = found.length == elements.length;
    for (int i = 0; same && i < found.length; i++) {
      same = sameValue(found[i], elements[i]);
    }
    return same;
  }

  /** Texts, integers and doubles are told alike; the sample tells floats as doubles. */
  private static boolean sameValue(String found, String expected) {
    String words = expected.replaceAll("\\binf$", "Infinity").replaceAll("^nan$", "NaN");
    if (found.equals(words)) {
      return true;
    }
    double asDouble = Double.parseDouble(words);
    return (float) asDouble == asDouble
        && Float.floatToIntBits(Float.parseFloat(found)) == Float.floatToIntBits((float) asDouble);
  }

  @Test
  void tellsGroupsApartAndMergesThemByTime() {
    List<List<String>> records = Rfc4180.parse(get("*").out());
    assertThat(records.get(0))
        .containsExactly("time", "channel", "group", "state", "severity", "status", "value");
    Map<String, List<List<String>>> byGroup =
        records.stream().skip(1).collect(Collectors.groupingBy(row -> row.get(2)));
    assertThat(byGroup).containsOnlyKeys("VA/CCG", "RF/AnalogData");
    byGroup.forEach(
        (group, rows) -> {
          List<List<String>> alone = Rfc4180.parse(get("-g", group, "*").out());
          rows.forEach(row -> assertThat(row).hasSize(7));
          assertThat(rows.stream().map(row -> row.get(0) + row.get(1) + row.get(6)))
              .isEqualTo(
                  alone.stream().skip(1).map(row -> row.get(0) + row.get(1) + row.get(5)).toList());
        });
    assertThat(records.get(1).get(0)).startsWith("2016-05-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "tsv", "json", "ndjson", "arrow"})
  void givesTheSameBytesFromColumnsAsFromRawLogs(String format) throws Exception {
    Path fromRaw = directory.resolve("raw." + format);
    Path fromStore = directory.resolve("store." + format);
    Path fromBoth = directory.resolve("both." + format);
    backfill();
    assertThat(get("--source", "raw", "-o", fromRaw.toString(), "*").status()).isZero();
    assertThat(get("--source", "store", "-o", fromStore.toString(), "*").status()).isZero();
    assertThat(get("-o", fromBoth.toString(), "*").status()).isZero();
    assertThat(fromStore).hasSameBinaryContentAs(fromRaw);
    assertThat(fromBoth).hasSameBinaryContentAs(fromRaw);
  }

  @Test
  void writesJsonThatSaysTheSameAsCsv() throws IOException {
    List<List<String>> csv = Rfc4180.parse(get("*").out());
    JsonNode json = new ObjectMapper().readTree(get("-f", "json", "*").out());
    assertThat(json).hasSize(csv.size() - 1);
    for (int i = 0; i < json.size(); i++) {
      JsonNode object = json.get(i);
      List<String> row = csv.get(i + 1);
      List<String> texts = new ArrayList<>();
      for (String column : List.of("time", "channel", "group", "state")) {
        texts.add(object.get(column).textValue());
      }
      assertThat(texts).isEqualTo(row.subList(0, 4));
      JsonNode value = object.get("value");
      if (value.isTextual()) {
        assertThat(value.textValue()).isEqualTo(row.get(6));
      } else {
        assertThat(value.isNull()).isEqualTo(!row.get(3).equals("value"));
      }
    }
    String lines = get("-f", "ndjson", "*").out();
    assertThat(lines.lines()).hasSize(json.size());
    assertThat(new ObjectMapper().readTree(lines.lines().findFirst().orElseThrow()))
        .isEqualTo(json.get(0));
  }

  @Test
  void writesParquetInWhichDuckDbSeesTheRowsOfTheCsv() throws Exception {
    Path parquet = directory.resolve("a.parquet");
    Path csv = directory.resolve("a.csv");
    for (Path file : List.of(parquet, csv)) {
      assertThat(get("-o", file.toString(), "-g", "VA/CCG", "VA_CCG:*:TEMP").status()).isZero();
    }
    List<List<String>> rows = Rfc4180.parse(Files.readString(csv));
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement();
        ResultSet found =
            statement.executeQuery(
                "select epoch_ns(time) ns, channel, state, severity, status, value, value_text,"
                    + " value_list from '"
                    + parquet
                    + "'")) {
      int i = 1;
      while (found.next()) {
        List<String> row = rows.get(i++);
        assertThat(found.getLong("ns")).isEqualTo(nanos(row.get(0)));
        assertThat(found.getString("channel")).isEqualTo(row.get(1));
        assertThat(found.getInt("state") == 2).isEqualTo(row.get(2).equals("value"));
        String value = found.getString("value");
        String text = found.getString("value_text");
        String list = found.getString("value_list");
        int kinds = (value == null ? 0 : 1) + (text == null ? 0 : 1) + (list == null ? 0 : 1);
        assertThat(kinds).isEqualTo(row.get(2).equals("value") ? 1 : 0);
        if (text != null) {
          assertThat(text).isEqualTo(row.get(5));
        }
        if (value != null) {
          assertThat(sameNumber(number(value), number(row.get(5))))
              .as("%s %s", row, value)
              .isTrue();
        }
      }
      assertThat(i).isEqualTo(rows.size());
    }
  }

  /** Numbers of several types are doubles in Parquet; a float is written as a float in CSV. */
  private static boolean sameNumber(double found, double written) {
    return Double.compare(found, written) == 0
        || Float.compare((float) found, (float) written) == 0;
  }

  private static double number(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.endsWith("inf") || lower.endsWith("infinity")) {
      return lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return lower.equals("nan") ? Double.NaN : Double.parseDouble(lower);
  }

  private static long nanos(String iso) {
    Instant instant = java.time.OffsetDateTime.parse(iso).toInstant();
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  @Test
  void writesAnArrowFileThatArrowReads() throws Exception {
    Path file = directory.resolve("a.arrow");
    assertThat(get("-o", file.toString(), "*").status()).isZero();
    long rows = 0;
    try (RootAllocator allocator = new RootAllocator();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    assertThat(rows).isEqualTo(get("*").out().lines().count() - 1);
  }

  @Test
  void answersTheLastHourWithoutARange() {
    String now = "2016-05-15T15:30:00Z"; // 00:30 in Tokyo
    KblakeRun run = runner().at(Instant.parse(now)).run("get", "-q", "RF_AnalogData:D02_007:XPOS");
    assertThat(run.status()).isZero();
    List<String> times = Rfc4180.parse(run.out()).stream().skip(1).map(row -> row.get(0)).toList();
    assertThat(times).isNotEmpty();
    assertThat(times).allMatch(time -> time.compareTo("2016-05-16T00:30") < 0);
    assertThat(
            runner()
                .at(Instant.parse("2016-05-15T20:00:00Z"))
                .run("get", "-q", "RF_AnalogData:D02_007:XPOS")
                .out())
        .isEqualTo("time,channel,state,severity,status,value\n");
  }

  @Test
  void givesTheLastEventsOfEachChannelHoweverLongAgo() {
    String[] names = {"RF_AnalogData:D02_007:XPOS", "RF_AnalogData:D05_041:XPOS"};
    List<List<String>> all = Rfc4180.parse(get(names).out());
    List<List<String>> last =
        Rfc4180.parse(run("get", "-q", "--last", "3", names[0], names[1]).out());
    List<List<String>> expected = new ArrayList<>();
    int[] left = {3, 3};
    for (int i = all.size() - 1; i > 0; i--) {
      int channel = List.of(names).indexOf(all.get(i).get(1));
      if (left[channel]-- > 0) {
        expected.add(0, all.get(i));
      }
    }
    assertThat(last.subList(1, last.size())).isEqualTo(expected);
  }

  /** Of the value events up to then, strays left out, the last in log order. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2016-05-16T00:00:00.5+09:00",
        "2016-05-16T00:14:59+09:00",
        "2016-05-16T00:30+09:00",
        "2016-05-16T12:00+09:00"
      })
  void givesTheValueHeldAtAnInstant(String at) throws IOException {
    long atNanos = nanos(at);
    Map<String, String[]> held = new LinkedHashMap<>();
    Map<String, String> lastState = new LinkedHashMap<>();
    for (String line : Files.readAllLines(events("RF_AnalogData")).subList(1, 22_863)) {
      String[] event = line.split("\t", -1);
      if (Long.parseLong(event[0]) <= atNanos && event[5].equals("0")) {
        lastState.put(event[1], event[2]);
        if (event[2].equals("2")) {
          held.put(event[1], event);
        }
      }
    }
    KblakeRun run = run("get", "-q", "-g", "RF/AnalogData", "--at", at, "--time", "epoch-ns", "*");
    assertThat(run.err()).isEmpty();
    List<List<String>> records = Rfc4180.parse(run.out());
    // a glob means what was recorded at the time, give or take the disorder bound
    RecordTable now = tableAt(atNanos);
    RecordTable soon = tableAt(atNanos + ArchiveSettings.defaults().disorderBoundNanos());
    held.keySet().removeIf(name -> now.ordinalOfName(name) < 0 && soon.ordinalOfName(name) < 0);
    assertThat(records).hasSize(1 + held.size());
    for (List<String> row : records.subList(1, records.size())) {
      String[] event = Objects.requireNonNull(held.get(row.get(1)));
      String state = "0".equals(lastState.get(row.get(1))) ? "disconnected" : "value";
      assertThat(row.subList(0, 5)).containsExactly(event[0], event[1], state, event[3], event[4]);
      assertThat(sameCell(row.get(5), event[6])).as("%s", row).isTrue();
    }
  }

  private RecordTable tableAt(long nanos) {
    try {
      List<Pair> pairs =
          Archive.open(archive, ArchiveSettings.defaults()).pairs(Group.parse("RF/AnalogData"));
      Pair at = pairs.stream().filter(pair -> nanos < pair.endNanos()).findFirst().orElseThrow();
      return at.open().records();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path events(String group) {
    return TestArchives.resource("samples/mixed").resolve("events-" + group + ".tsv");
  }

  @Test
  void tellsInADryRunWhatWouldBeReadAndReadsNothing() throws Exception {
    KblakeRun raw = get("--dry-run", "-g", "RF/AnalogData", "*:TEMP");
    assertThat(raw.status()).isZero();
    assertThat(raw.out())
        .containsPattern("raw +RF/AnalogData +20160516001500 .*/AnalogData_20160516001500.log2")
        .containsPattern("3 raw logs, 776 KiB, events ~\\d+");
    backfill();
    KblakeRun columns = get("--dry-run", "-g", "RF/AnalogData", "-o", "a.csv", "*:TEMP");
    long events = get("-g", "RF/AnalogData", "--strays", "*:TEMP").out().lines().count() - 1;
    assertThat(columns.out())
        .containsPattern("columns +RF/AnalogData +20160516001500 ")
        .contains("0 raw logs")
        .containsPattern("18 channels\n\\d+ blocks?, .*, events ~" + events / 100);
    assertThat(directory.resolve("a.csv")).doesNotExist();
  }

  @Test
  void refusesAPlaceForTheCoverageBeforeItReads() {
    KblakeRun run = get("--coverage", "nowhere/coverage.json", "RF_AnalogData:D02_007:XPOS");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("its directory does not exist").hasLineCount(1);
  }

  @Test
  void namesAnUnknownChannelAndTheNearestOnes() {
    KblakeRun run = get("RF_AnalogData:D02_007:XPOZ");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("kblake get: no such channel: RF_AnalogData:D02_007:XPOZ")
        .contains("RF_AnalogData:D02_007:XPOS")
        .hasLineCount(1);
  }

  @Test
  void namesAnUnknownGroupAndTheNearestOnes() {
    KblakeRun run = get("-g", "VA/CCC", "*");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("VA/CCC").contains("VA/CCG").hasLineCount(1);
  }

  @Test
  void leavesNoFileWhenTheQuestionCannotBeAnswered() throws IOException {
    Path file = Files.createDirectory(directory.resolve("out")).resolve("a.csv");
    assertThat(get("-o", file.toString(), "nosuch").status()).isEqualTo(1);
    assertThat(file.getParent()).isEmptyDirectory();
  }

  @Test
  void writesWhatCanBeReadAndNamesTheRestWhenAFileIsMissing() throws IOException {
    Path missing = archive.resolve("RF/AnalogData_20160516001500.log2");
    List<String> whole = get("-g", "RF/AnalogData", "*").out().lines().toList();
    Files.delete(missing);
    Path file = directory.resolve("a.csv");
    Path coverage = directory.resolve("coverage.json");

    KblakeRun run =
        get("-g", "RF/AnalogData", "-o", file.toString(), "--coverage", coverage.toString(), "*");

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
  void readsTheMissingFileFromColumnsWhereTheseHaveIt() throws Exception {
    String whole = get("*").out();
    backfill();
    Files.delete(archive.resolve("RF/AnalogData_20160516001500.log2"));
    KblakeRun run = get("*");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(whole);
    assertThat(run.status()).isZero();
  }

  @Test
  void takesChannelsFromStandardInputAndFromFiles() throws IOException {
    String names = "VA_CCG:D01_023:XPOS  since 2016\n\nVA_CCG:D02_013:CUR\n";
    String[] args = {"get", "-q", "--channels-from", "-", "--from", "2016-05-16"};
    String expected = get("VA_CCG:D01_023:XPOS", "VA_CCG:D02_013:CUR").out();
    assertThat(expected.lines().count()).isGreaterThan(10);
    assertThat(runner().reading(names).run(args).out()).isEqualTo(expected);
    Path file = Files.writeString(directory.resolve("names"), names);
    assertThat(get("--channels-from", file.toString()).out()).isEqualTo(expected);
    assertThat(runner().reading("").run(args).status()).isEqualTo(2);
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
        "get -f xml *",
        "get [a *"
      })
  void refusesWrongUsage(String line) {
    KblakeRun run = run(line.split(" "));
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("kblake get: ").hasLineCount(1);
  }

  @Test
  void answersWithTheHeaderAloneWhereNothingHappened() {
    KblakeRun run = run("get", "--from", "2019", "--to", "2020", "VA_CCG:D02_013:CUR");
    assertThat(run.out()).isEqualTo("time,channel,state,severity,status,value\n");
    assertThat(run.status()).isZero();
  }

  @Test
  void isStoppedByAFullDisk() {
    KblakeRun run = get("-o", "/dev/full", "*");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("kblake get: /dev/full: ").hasLineCount(1);
  }
}
