package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.TestStores;

/** {@code kblake get --wide}: held values of several groups side by side. */
final class WideTableTest {

  private static final List<String> RANGE =
      List.of(
          "get", "--from", "20160516001230", "--to", "201605160040", "--wide", "--every", "60s");

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  /** A month of milliseconds took all memory of the program that kept it. */
  @Test
  void aTableBeyondTheMemoryIsRefusedBeforeItIsRead() {
    List<String> huge =
        List.of("get", "--from", "201601", "--to", "201602", "--wide", "--memory", "8G");
    String name = "VA_CCG:D04_000:PRES";
    KblakeRun values = fixture.run(with(huge, "--every", "1ms", name));
    assertThat(values.status()).isEqualTo(1);
    assertThat(values.out()).isEmpty();
    assertThat(values.err())
        .contains("the table has 2678400001 rows of 2 columns, at least 39.9 GiB")
        .contains("at most 8.00 GiB are allowed (--memory); take a longer --every");
    KblakeRun bins = fixture.run(with(huge, "--every", "1ms", "--aggregate", "max", name));
    assertThat(bins.status()).isEqualTo(1);
    assertThat(bins.err()).contains("the table has 2678400000 rows of 3 columns");
    String[] narrow = {"get", "--from=201601", "--to=201602", "--memory=8G", "--every=1ms"};
    KblakeRun rows = fixture.run(with(List.of(narrow), "--aggregate", "min,max", name, "*2:TEMP"));
    assertThat(rows.status()).isEqualTo(1);
    assertThat(rows.err()).containsPattern("the table has [0-9]{11} rows of 5 columns");
    assertThat(fixture.run(with(huge, "--every", "1h", name)).status()).isZero();
  }

  @Test
  void onlyRowsAtTheTimesOfConditionsCount() throws IOException {
    String name = "VA_CCG:D04_000:PRES";
    Path times = directory.resolve("times.csv");
    Files.writeString(times, "from,to\n2016-01-02T00:00:00Z,2016-01-02T00:00:01.001Z\n");
    String[] line = {"get", "--from=201601", "--to=201602", "--wide", "--every=1ms"};
    String[] when = with(List.of(line), "--when", "@" + times, name);
    KblakeRun refused = fixture.run(with(List.of(when), "--memory=15K"));
    assertThat(refused.status()).as(refused.err()).isEqualTo(1);
    assertThat(refused.err()).contains("the table has 1001 rows of 2 columns");
  }

  @Test
  void columnsThatDoNotFitInTheHeapAreRefused() throws Exception {
    List<String> line = new ArrayList<>(List.of("build", "--from=20160515", "--to=20160518"));
    line.add("--event=VA_CCG:D02_013:CUR > 2.5");
    for (int offset = 0; offset < 1000; offset++) {
      line.add("--offset=" + offset + "s");
    }
    line.add("*");
    Path err = directory.resolve("err");
    line.add("--archive=" + fixture.archive());
    Process small =
        KblakeProcess.start(List.of("-Xmx32m"), directory, err, line.toArray(String[]::new));
    assertThat(small.waitFor()).isEqualTo(1);
    assertThat(Files.readString(err))
        .containsPattern(
            "the table has \\d+003 columns, and at most 1\\d{4} fit in the heap; take fewer");
  }

  private static String[] with(List<String> words, String... more) {
    return Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void rowsAreInstantsAndColumnsAreChannels() {
    KblakeRun run = get("VA_CCG:D04_000:PRES", "RF_AnalogData:D02_002:TEMP");
    assertThat(run.status()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(1 + 28);
    assertThat(lines.get(0)).isEqualTo("time,VA_CCG:D04_000:PRES,RF_AnalogData:D02_002:TEMP");
    assertThat(lines.get(1)).startsWith("2016-05-16T00:12:30.000000000+09:00,0,3.13362");
    assertThat(lines.get(28)).startsWith("2016-05-16T00:39:30.000000000+09:00,");
  }

  @Test
  void numbersAreThoseOfKblogrdInFullPrecision() {
    List<String> names =
        List.of("VA_CCG:D07_001:XPOS", "VA_CCG:D04_000:PRES", "VA_CCG:D04_007:XPOS");
    List<String> table =
        fixture
            .kblogrd(
                "-f",
                "kaleida",
                "-r",
                String.join(",", names),
                "-t",
                "20160516001230-201605160040d60",
                "VA/CCG")
            .out()
            .lines()
            .toList();
    List<String> wide = get(names.toArray(new String[0])).out().lines().toList();
    for (int row = 1; row < table.size(); row++) {
      String[] cells = table.get(row).split("\t");
      String[] exact = wide.get(row).split(",");
      for (int i = 1; i < cells.length; i++) {
        double expected = Double.parseDouble(exact[i]);
        assertThat(Double.parseDouble(cells[i]))
            .isCloseTo(expected, Offset.offset(1e-6 * Math.abs(expected)));
      }
    }
  }

  @Test
  void everyFormatHoldsTheSameTable() throws Exception {
    String[] names = {"VA_CCG:D04_000:PRES", "RF_AnalogData:D02_002:TEMP"};
    String csv = get(names).out();
    assertThat(get("-f", "tsv", names[0], names[1]).out()).isEqualTo(csv.replace(',', '\t'));
    String json = get("-f", "json", names[0], names[1]).out();
    assertThat(json)
        .startsWith(
            "[\n{\"time\":\"2016-05-16T00:12:30.000000000+09:00\",\"VA_CCG:D04_000:PRES\":0,")
        .endsWith("}\n]\n");
    Path parquet = directory.resolve("table.parquet");
    assertThat(get("-o", parquet.toString(), names[0], names[1]).status()).isZero();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*), sum(\"RF_AnalogData:D02_002:TEMP\"), min(epoch_ns(time)) FROM '"
                    + parquet
                    + "'")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).isEqualTo(28);
      double sum =
          csv.lines().skip(1).mapToDouble(line -> Double.parseDouble(line.split(",")[2])).sum();
      assertThat(rows.getDouble(2)).isEqualTo(sum, Offset.offset(1e-9));
      assertThat(rows.getLong(3)).isEqualTo(1_463_325_150_000_000_000L);
    }
    Path arrow = directory.resolve("table.arrow");
    assertThat(get("-o", arrow.toString(), names[0], names[1]).status()).isZero();
    try (RootAllocator allocator = new RootAllocator();
        ArrowFileReader reader = new ArrowFileReader(FileChannel.open(arrow), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(28);
      assertThat(reader.getVectorSchemaRoot().getVector(2).getObject(0))
          .isEqualTo(Double.valueOf(csv.lines().skip(1).findFirst().orElseThrow().split(",")[2]));
    }
  }

  @Test
  void waveformsAndTextsHaveColumnsToo() throws IOException {
    TestStores.sample("tiny-le", directory.resolve("tiny"));
    String out =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", directory.resolve("tiny").toString())
            .run(
                "get",
                "--from",
                "20220315031800",
                "--to",
                "20220315031820",
                "--wide",
                "--every",
                "10s",
                "*")
            .out();
    assertThat(out.lines())
        .containsExactly(
            "time,BM_DCCT:HCUR,CGLINJ:BKSEL:NOB_SET,BM_MODE:STAT,BM_BLM:D1:ADC,BM_DCCT:NEVER",
            "2022-03-15T03:18:00.000000000+09:00,,,,,",
            "2022-03-15T03:18:10.000000000+09:00,1.5,-2346,Beam On,\"[0.0,-1.25,\"\"NaN\"\",\"\"Infinity\"\"]\",",
            "2022-03-15T03:18:20.000000000+09:00,1.5,-2346,Beam On,\"[0.0,-1.25,\"\"NaN\"\",\"\"Infinity\"\"]\",");
  }

  @Test
  void conflictingOptionsAreRefused() {
    for (List<String> words :
        List.of(
            List.of("get", "--wide", "X"),
            List.of("get", "--every", "60s", "X"),
            List.of("get", "--wide", "--every", "0s", "X"),
            List.of("get", "--wide", "--every", "1s", "--last", "3", "X"),
            List.of("get", "--wide", "--every", "1s", "--to", "2016", "X"))) {
      assertThat(fixture.run(words.toArray(new String[0])).status()).as("%s", words).isEqualTo(2);
    }
  }

  private KblakeRun get(String... more) {
    ArrayList<String> words = new ArrayList<>(RANGE);
    words.addAll(List.of(more));
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", fixture.archive().toString())
        .run(words.toArray(new String[0]));
  }
}
