package org.kblake.test.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.files.DuckDbViews;
import org.kblake.cli.files.StoredFiles;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.DuckDb;
import org.kblake.test.fixture.SampleCells;

/** Times in the views of {@code kblake sql}, in the versions of DuckDB that users have. */
final class DuckDbViewsTest {

  private static final Pattern ROW_GROUPS = Pattern.compile("Row Groups Scanned: (\\d+) / (\\d+)");

  /** All times of these queries lie in the second of two blocks. */
  private static final String FROM = "TIMESTAMPTZ '2016-05-16 00:30:00+09'";

  private static final String TO = "TIMESTAMPTZ '2016-05-16 00:31:00+09'";

  private static final String RANGE = "time >= " + FROM + " AND time < " + TO;

  private static final String RANGE_NS =
      "time_ns >= epoch_us(" + FROM + ") * 1000 AND time_ns < epoch_us(" + TO + ") * 1000";

  private static final String CHANNEL = "VA_CCG:D06_004:TEMP";

  /** The same range for one channel. */
  private static final String MACRO =
      "kblake_events('VA_CCG', '"
          + CHANNEL
          + "', '2016-05-16 00:30:00+09', '2016-05-16T00:31:00+09:00')";

  @TempDir private static Path stores;

  private static final Map<String, CommandFixture> BY_PROFILE = new HashMap<>();

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeAll
  static void backfill() throws IOException {
    for (String profile : List.of("standard", "lake")) {
      CommandFixture kblake = CommandFixture.mixed(stores.resolve(profile));
      // Two steps make two blocks.
      assertThat(kblake.run("backfill", "--profile", profile, "--to", "201605160015").status())
          .isZero();
      assertThat(kblake.run("backfill").status()).isZero();
      BY_PROFILE.put(profile, kblake);
    }
  }

  private void use(String profile) {
    kblake = Objects.requireNonNull(BY_PROFILE.get(profile));
  }

  private List<String> before(String timeZone) {
    KblakeRun sql = kblake.run("sql");
    assertThat(sql.status()).as(sql.err()).isZero();
    return List.of("SET TimeZone = '" + timeZone + "'", sql.out());
  }

  @ParameterizedTest
  @CsvSource({"V1_4,standard", "V1_4,lake", "V2_0,standard", "V2_0,lake"})
  void timeWorksInEveryFunctionAndFilter(DuckDb duckDb, String profile) throws Exception {
    use(profile);
    boolean exact = duckDb != DuckDb.V1_4 || profile.equals("lake");
    List<Long> nanos = nanosOfNumbers();
    List<String> statements = new ArrayList<>(before("America/New_York"));
    int first = statements.size();
    statements.addAll(
        List.of(
            "SELECT DISTINCT typeof(time), typeof(time_ns) FROM VA_CCG",
            "SELECT time_ns FROM VA_CCG ORDER BY time_ns",
            "SELECT count(*) FROM VA_CCG WHERE epoch_us(time) <> time_ns // 1000",
            "SELECT count(*) FROM VA_CCG WHERE " + RANGE,
            "SELECT count(*) FROM VA_CCG WHERE " + RANGE_NS,
            // A text with an offset becomes a TIMESTAMPTZ.
            "SELECT count(*) FROM VA_CCG WHERE "
                + "time >= '2016-05-16T00:30:00+09:00' AND time < '2016-05-15T15:31:00Z'",
            "SELECT epoch_us(max(time) - min(time)) FROM VA_CCG",
            "SELECT epoch_us(time_bucket(INTERVAL 1 MINUTE, min(time))) FROM VA_CCG",
            "SELECT epoch_us(date_trunc('hour', min(time))) FROM VA_CCG"));
    statements.addAll(examples());
    List<List<String>> answers = duckDb.run(directory, statements);

    assertThat(answers).noneMatch(rows -> rows.toString().contains("error: "));
    List<List<String>> rows = answers.subList(first, answers.size());
    assertThat(rows.get(0)).containsExactly("TIMESTAMP WITH TIME ZONE\tBIGINT");
    assertThat(rows.get(1))
        .isEqualTo(nanos.stream().map(n -> String.valueOf(exact ? n : n - n % 1000)).toList());
    assertThat(rows.get(2)).containsExactly("0");
    long from = SampleCells.nanos("2016-05-16T00:30:00+09:00");
    long to = SampleCells.nanos("2016-05-16T00:31:00+09:00");
    long inRange = nanos.stream().filter(n -> n >= from && n < to).count();
    assertThat(inRange).isPositive();
    for (int i = 3; i < 6; i++) {
      assertThat(rows.get(i)).as("%s", i).containsExactly(String.valueOf(inRange));
    }
    long firstMicros = nanos.get(0) / 1000;
    long lastMicros = nanos.get(nanos.size() - 1) / 1000;
    assertThat(rows.get(6)).containsExactly(String.valueOf(lastMicros - firstMicros));
    assertThat(rows.get(7))
        .containsExactly(String.valueOf(firstMicros - firstMicros % 60_000_000L));
    assertThat(rows.get(8))
        .containsExactly(String.valueOf(firstMicros - firstMicros % 3_600_000_000L));
    assertThat(rows.subList(9, rows.size())).noneMatch(List::isEmpty);
  }

  /** Returns the times of value events of channels that hold one number, ascending. */
  private List<Long> nanosOfNumbers() {
    KblakeRun run =
        kblake.run("get", "-q", "-g", "VA/CCG", "--from", "2016", "--to", "2023", "-f", "tsv", "*");
    assertThat(run.status()).isZero();
    return run.out()
        .lines()
        .skip(1)
        .map(line -> line.split("\t", -1))
        .filter(cells -> cells[2].equals("value") && isNumber(cells[5]))
        .map(cells -> SampleCells.nanos(cells[0]))
        .sorted()
        .toList();
  }

  private static boolean isNumber(String cell) {
    return cell.matches("-?(\\d[-+.e\\d]*|Infinity)|NaN");
  }

  /** Returns the examples in the documentation and in the help. */
  private List<String> examples() throws IOException {
    Path docs = Path.of(System.getProperty("basedir", "."), "../../docs");
    String text = Files.readString(docs.resolve("store-format-parquet.md"));
    Matcher fenced = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL).matcher(text);
    assertThat(fenced.find()).isTrue();
    List<String> examples = new ArrayList<>(Arrays.asList(fenced.group(1).strip().split(";\n+")));
    Matcher help = Pattern.compile("-c \"([^\"]+)\"").matcher(kblake.run("sql", "--help").out());
    while (help.find()) {
      examples.add(help.group(1).replaceAll("\\s+", " "));
    }
    assertThat(examples).hasSizeGreaterThan(4);
    return examples;
  }

  /** The pages of the other block are zeros, so a query that reads one of them fails. */
  @ParameterizedTest
  @CsvSource({"V1_4,standard", "V1_4,lake", "V2_0,standard", "V2_0,lake"})
  void filterOnTimeSkipsRowGroups(DuckDb duckDb, String profile) throws Exception {
    use(profile);
    boolean filtersIntegers = duckDb == DuckDb.V1_4 && profile.equals("lake");
    String ofAll = "VA_CCG WHERE " + (filtersIntegers ? RANGE_NS : RANGE);
    List<String> sums = List.of(sum(ofAll), sum(MACRO));
    List<String> before = before("UTC");
    List<String> whole = new ArrayList<>(before);
    whole.addAll(sums);
    whole.add(sum(ofAll + " AND channel = '" + CHANNEL + "'"));
    sums.forEach(sum -> whole.add("EXPLAIN ANALYZE " + sum));
    List<List<String>> answers = duckDb.run(directory, whole);
    List<List<String>> expected = answers.subList(before.size(), before.size() + sums.size());
    assertThat(expected.get(0).get(0)).doesNotStartWith("0\t").doesNotContain("error");
    assertThat(expected.get(1))
        .isEqualTo(answers.get(before.size() + 2))
        .isNotEqualTo(expected.get(0));
    assertThat(expected.get(1).get(0)).doesNotStartWith("0\t").doesNotContain("error");
    if (duckDb == DuckDb.V2_0) {
      assertFewRowGroups(answers.get(before.size() + 3).toString());
      assertFewRowGroups(answers.get(before.size() + 4).toString());
    }

    Map<Path, byte[]> other = otherFiles();
    try {
      for (Path file : other.keySet()) {
        clearPages(file);
      }
      List<String> rest = new ArrayList<>(before);
      rest.addAll(sums);
      rest.add(sum("VA_CCG"));
      answers = duckDb.run(directory, rest);
    } finally {
      for (Map.Entry<Path, byte[]> file : other.entrySet()) {
        Files.write(file.getKey(), file.getValue());
      }
    }
    assertThat(answers.subList(before.size(), before.size() + sums.size())).isEqualTo(expected);
    assertThat(answers.get(before.size() + sums.size()).get(0)).startsWith("error: ");
  }

  private static String sum(String rows) {
    return "SELECT count(*), sum(hash(value)) FROM " + rows;
  }

  private static void assertFewRowGroups(String explained) {
    Matcher groups = ROW_GROUPS.matcher(explained);
    int scanned = 0;
    int all = 0;
    while (groups.find()) {
      scanned += Integer.parseInt(groups.group(1));
      all += Integer.parseInt(groups.group(2));
    }
    assertThat(scanned).isPositive().isLessThan(all);
  }

  /** Returns the files of the first block with their bytes. */
  private Map<Path, byte[]> otherFiles() throws IOException {
    List<Path> files = kblake.run("files", "-g", "VA/CCG").out().lines().map(Path::of).toList();
    List<Path> blocks = files.stream().map(Path::getParent).distinct().toList();
    assertThat(blocks).hasSize(2);
    Map<Path, byte[]> other = new HashMap<>();
    for (Path file : files) {
      if (!file.startsWith(blocks.get(1))) {
        other.put(file, Files.readAllBytes(file));
      }
    }
    return other;
  }

  /** Sets all bytes but the footer to zero. */
  private static void clearPages(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    Arrays.fill(bytes, 4, bytes.length - 8 - footer, (byte) 0);
    Files.write(file, bytes);
  }

  /** No archive has such times. This tests the expression of the views. */
  @ParameterizedTest
  @EnumSource(DuckDb.class)
  void timeIsRoundedDownBeforeTheYear1970Too(DuckDb duckDb) throws Exception {
    Group group = Group.parse("VA/CCG");
    Path file = directory.resolve("20160516000000_0-20160516010000_0.1/double.parquet");
    Files.createDirectories(file.getParent());
    for (boolean lake :
        duckDb == DuckDb.V1_4 ? new boolean[] {true} : new boolean[] {true, false}) {
      StringBuilder views = new StringBuilder();
      new DuckDbViews(List.of(group), lake).write(new StoredFiles(group, List.of(file)), views);
      String time = lake ? "ns" : "make_timestamp_ns(ns)::TIMESTAMPTZ_NS";
      List<List<String>> answers =
          duckDb.run(
              directory,
              List.of(
                  "SET TimeZone = 'UTC'",
                  "COPY (SELECT 'A' AS channel, "
                      + time
                      + " AS time, 1.0::DOUBLE AS value, 2 AS state, 0 AS severity, 0 AS status,"
                      + " false AS stray, 0 AS segment, 0 AS lateness, 0 AS tie FROM (SELECT"
                      + " unnest([-1001, -1000, -999, -1, 0, 999, 1000, 1463324400123456789]) AS"
                      + " ns)) TO '"
                      + file
                      + "'",
                  views.toString(),
                  "SELECT time_ns, epoch_us(time) FROM VA_CCG ORDER BY time_ns"));
      assertThat(answers.get(3))
          .as("lake: %s, %s", lake, answers)
          .containsExactly(
              "-1001\t-2",
              "-1000\t-1",
              "-999\t-1",
              "-1\t-1",
              "0\t0",
              "999\t0",
              "1000\t1",
              "1463324400123456789\t1463324400123456");
    }
  }
}
