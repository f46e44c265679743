package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
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
import org.kblake.test.fixture.SampleCells;
import org.kblake.test.fixture.TestArchives;

/**
 * Tests the output of {@code kblake get} in each format, on sample archives whose events are known.
 */
final class GetFormatsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
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
            && SampleCells.same(row.get(6), expected[6]);
    // AssertJ would take a minute for the thousands of rows.
    if (!same) {
      throw new AssertionError(row + " is not " + List.of(expected));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.csv", "a.tsv", "A.JSON", "a.jsonl", "a"})
  void compressesTextByTheEndingOfTheFile(String name) throws IOException {
    Path plain = directory.resolve(name);
    Path gzip = directory.resolve(name + ".gz");
    Path zstandard = directory.resolve(name + ".zst");
    for (Path file : List.of(plain, gzip, zstandard)) {
      assertThat(fixture.getAll("-o", file.toString(), "VA*").status()).isZero();
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(gzip))) {
      assertThat(in).hasSameContentAs(Files.newInputStream(plain));
    }
    try (InputStream in = new ZstdInputStream(Files.newInputStream(zstandard))) {
      assertThat(in).hasSameContentAs(Files.newInputStream(plain));
    }
    assertThat(Files.size(gzip)).isLessThan(Files.size(plain) / 3);
  }

  @Test
  void compressesTablesAndFormatsThatAnOptionNames() throws IOException {
    Path file = directory.resolve("table.xyz.gz");
    String table =
        "-q --from 2016-05-16T00:12 --to 2016-05-16T00:30 --wide --every 60s VA_CCG:*:TEMP";
    String plain = get(table).out();
    assertThat(get(table, "-f", "csv", "-o", file.toString()).err()).isEmpty();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      assertThat(in).hasContent(plain);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.xlsx", "a.h5", "a.csv.bz2", "a.xlsx.gz"})
  void refusesAnUnknownEndingWithTheList(String name) {
    KblakeRun run = fixture.getAll("-o", name, "*");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("kblake get: unknown ending of -o ")
        .contains(name, ".csv, .tsv, .json, .ndjson, .jsonl, .arrow, .arrows, .feather, .parquet")
        .hasLineCount(1);
    assertThat(directory.resolve(name)).doesNotExist();
    assertThat(fixture.getAll("-f", "csv", "-o", name, "VA_CCG:D02_013:CUR").status()).isZero();
  }

  @Test
  void refusesToCompressBinaryFormats() {
    KblakeRun run = fixture.getAll("-o", "a.parquet.gz", "*");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(".gz and .zst are for text formats only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "tsv", "json", "ndjson", "arrow"})
  void givesTheSameBytesFromColumnsAsFromRawLogs(String format) throws Exception {
    Path fromRaw = directory.resolve("raw." + format);
    Path fromStore = directory.resolve("store." + format);
    Path fromBoth = directory.resolve("both." + format);
    fixture.backfill();
    assertThat(fixture.getAll("--source", "raw", "-o", fromRaw.toString(), "*").status()).isZero();
    assertThat(fixture.getAll("--source", "store", "-o", fromStore.toString(), "*").status())
        .isZero();
    assertThat(fixture.getAll("-o", fromBoth.toString(), "*").status()).isZero();
    assertThat(fromStore).hasSameBinaryContentAs(fromRaw);
    assertThat(fromBoth).hasSameBinaryContentAs(fromRaw);
  }

  @Test
  void writesJsonWithTheContentsOfTheCsv() throws IOException {
    List<List<String>> csv = Rfc4180.parse(fixture.getAll("*").out());
    JsonNode json = JSON.readTree(fixture.getAll("-f", "json", "*").out());
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
    String lines = fixture.getAll("-f", "ndjson", "*").out();
    assertThat(lines.lines()).hasSize(json.size());
    assertThat(JSON.readTree(lines.lines().findFirst().orElseThrow())).isEqualTo(json.get(0));
  }

  @Test
  void writesParquetThatDuckDbReadsAsTheRowsOfTheCsv() throws Exception {
    Path parquet = directory.resolve("a.parquet");
    Path csv = directory.resolve("a.csv");
    for (Path file : List.of(parquet, csv)) {
      assertThat(fixture.getAll("-o", file.toString(), "-g", "VA/CCG", "VA_CCG:*:TEMP").status())
          .isZero();
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
        assertThat(found.getLong("ns")).isEqualTo(SampleCells.nanos(row.get(0)));
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

  /**
   * Returns whether two numbers are equal, as doubles or as floats. Parquet has a double for each
   * numeric type, and CSV has a float as a float.
   */
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

  /** Some programs that read Arrow refuse unions, so each kind of value has a column. */
  @ParameterizedTest
  @ValueSource(
      strings = {"--from 2016-05-16T00:12 --to 2016-05-17 --strays *", "--at 2016-05-16T12:00 *"})
  void writesArrowWithoutUnionsWithTheRowsOfTheCsv(String args) throws Exception {
    Path file = directory.resolve("a.arrow");
    assertThat(get(args, "-o", file.toString()).status()).isZero();
    List<List<String>> csv = Rfc4180.parse(get(args, "-f", "csv").out());
    int rows = 0;
    try (RootAllocator allocator = new RootAllocator();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      List<Field> fields = reader.getVectorSchemaRoot().getSchema().getFields();
      assertThat(fields).extracting(Field::getName).endsWith("value", "value_text", "value_list");
      assertThat(fields).noneMatch(field -> field.getType() instanceof ArrowType.Union);
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row++) {
          assertSameRow(root, row, csv.get(++rows));
        }
      }
    }
    assertThat(rows).isEqualTo(csv.size() - 1).isPositive();
  }

  private KblakeRun get(String args, String... more) {
    List<String> words = new ArrayList<>(List.of("get"));
    words.addAll(List.of(args.split(" ")));
    words.addAll(List.of(more));
    return fixture.run(words.toArray(String[]::new));
  }

  private static void assertSameRow(VectorSchemaRoot root, int row, List<String> csv) {
    long nanos = ((TimeStampNanoTZVector) root.getVector("time")).get(row);
    Map<String, Object> values = new HashMap<>();
    for (String column : List.of("value", "value_text", "value_list")) {
      Object value = root.getVector(column).getObject(row);
      if (value != null) {
        values.put(column, value);
      }
    }
    String cell = csv.get(csv.size() - 1);
    boolean noValue = cell.isEmpty() && !values.containsKey("value_text");
    boolean same =
        nanos == SampleCells.nanos(csv.get(0))
            && values.size() == (noValue ? 0 : 1)
            && (noValue || sameValue(values, cell));
    if (!same) {
      throw new AssertionError(values + " at " + nanos + " is not " + csv);
    }
  }

  private static boolean sameValue(Map<String, Object> values, String cell) {
    Map.Entry<String, Object> value = values.entrySet().iterator().next();
    try {
      return switch (value.getKey()) {
        case "value" -> sameNumber((Double) value.getValue(), number(cell));
        case "value_text" -> value.getValue().toString().equals(cell);
        default -> {
          JsonNode elements = JSON.readTree(cell);
          List<?> list = (List<?>) value.getValue();
          boolean same = list.size() == elements.size();
          for (int i = 0; same && i < list.size(); i++) {
            String element = elements.get(i).asText();
            same =
                list.get(i) instanceof Double number
                    ? sameNumber(number, number(element))
                    : list.get(i).toString().equals(element);
          }
          yield same;
        }
      };
    } catch (IOException e) {
      throw new AssertionError(cell, e);
    }
  }

  @Test
  void writesAFileThatArrowReads() throws Exception {
    Path file = directory.resolve("a.arrow");
    assertThat(fixture.getAll("-o", file.toString(), "*").status()).isZero();
    long rows = 0;
    try (RootAllocator allocator = new RootAllocator();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    assertThat(rows).isEqualTo(fixture.getAll("*").out().lines().count() - 1);
  }
}
