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
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/** {@code kblake get --aggregate}: figures of the events in bins. */
final class TrendTableTest {

  private static final String PRESSURE = "VA_CCG:D04_000:PRES";
  private static final String TEMPERATURE = "RF_AnalogData:D02_002:TEMP";

  private static final List<String> RANGE =
      List.of("get", "--from", "20160516001230", "--to", "201605160040");

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private KblakeRun get(String... words) {
    List<String> all = new ArrayList<>(RANGE);
    all.addAll(List.of(words));
    return run(fixture.archive(), all);
  }

  private KblakeRun run(Path archive, List<String> words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .run(words.toArray(new String[0]));
  }

  private KblakeRun bins(String... words) {
    List<String> all =
        new ArrayList<>(List.of("--every", "10m", "--aggregate", "count,min,max,mean,last-time"));
    all.addAll(List.of(words));
    return get(all.toArray(new String[0]));
  }

  /** Bins begin at --from, the last one ends at --to. Each event counts in one of them. */
  @Test
  void rowsAreBinsOfEachChannel() {
    KblakeRun run = bins(TEMPERATURE);
    assertThat(run.status()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("time,channel,count,min,max,mean,last-time,incomplete");
    assertThat(lines).hasSize(1 + 3);
    assertThat(lines.get(2)).startsWith("2016-05-16T00:22:30.000000000+09:00," + TEMPERATURE + ",");
    List<String> events =
        get(TEMPERATURE).out().lines().filter(line -> line.contains(",value,")).toList();
    long counted = 0;
    double most = Double.NEGATIVE_INFINITY;
    String last = "";
    for (String line : lines.subList(1, 4)) {
      String[] cells = line.split(",", -1);
      counted += Long.parseLong(cells[2]);
      most = cells[4].isEmpty() ? most : Math.max(most, Double.parseDouble(cells[4]));
      last = cells[6].isEmpty() ? last : cells[6];
      assertThat(cells[7]).isEqualTo("0");
    }
    assertThat(counted).isPositive().isEqualTo(events.size());
    assertThat(most)
        .isEqualTo(
            events.stream()
                .mapToDouble(line -> Double.parseDouble(line.split(",")[5]))
                .max()
                .orElseThrow());
    assertThat(events.get(events.size() - 1)).startsWith(last + ",");
  }

  @Test
  void emptyBinsHaveNoValues() {
    String json =
        run(
                fixture.archive(),
                List.of(
                    "get",
                    "--from",
                    "20160516001230",
                    "--to",
                    "2016-05-16T00:12:30.000000001",
                    "--every",
                    "1ns",
                    "--aggregate",
                    "count,min,std,first-time",
                    "-f",
                    "ndjson",
                    PRESSURE))
            .out();
    assertThat(json).contains("\"count\":0,\"min\":null,\"std\":null,\"first-time\":null,");
  }

  @Test
  void everyFormatHoldsTheSameTable() throws Exception {
    String csv = bins(PRESSURE, TEMPERATURE).out();
    assertThat(csv).startsWith("time,channel,group,count,");
    assertThat(bins("-f", "tsv", PRESSURE, TEMPERATURE).out()).isEqualTo(csv.replace(',', '\t'));
    Path parquet = directory.resolve("bins.parquet");
    assertThat(bins("-o", parquet.toString(), PRESSURE, TEMPERATURE).status()).isZero();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*), sum(count), max(epoch_ns(\"last-time\")) FROM '"
                    + parquet
                    + "'")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).isEqualTo(6);
      assertThat(rows.getLong(2))
          .isEqualTo(
              csv.lines().skip(1).mapToLong(line -> Long.parseLong(line.split(",")[3])).sum());
      assertThat(rows.getLong(3)).isGreaterThan(1_463_325_150_000_000_000L);
    }
    Path arrow = directory.resolve("bins.arrow");
    assertThat(bins("-o", arrow.toString(), PRESSURE, TEMPERATURE).status()).isZero();
    try (RootAllocator allocator = new RootAllocator();
        ArrowFileReader reader = new ArrowFileReader(FileChannel.open(arrow), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(6);
      assertThat(reader.getVectorSchemaRoot().getVector("channel").getObject(0))
          .hasToString(PRESSURE);
    }
  }

  @Test
  void wideTableHasColumnsForEachChannel() {
    List<String> lines =
        get("--every", "10m", "--wide", "--aggregate", "count,max", PRESSURE, TEMPERATURE)
            .out()
            .lines()
            .toList();
    assertThat(lines).hasSize(1 + 3);
    assertThat(lines.get(0))
        .isEqualTo(
            "time,%1$s:count,%1$s:max,%2$s:count,%2$s:max,incomplete"
                .formatted(PRESSURE, TEMPERATURE));
    String[] first = lines.get(1).split(",", -1);
    String[] expected = bins(TEMPERATURE).out().lines().toList().get(1).split(",", -1);
    assertThat(List.of(first[3], first[4])).isEqualTo(List.of(expected[2], expected[4]));
  }

  @Test
  void waveformsAndTextsHaveFirstAndLast() throws IOException {
    Path tiny = TestStores.sample("tiny-le", directory.resolve("tiny"));
    String[] words = {
      "get", "--from", "20220315", "--to", "20220316", "*", "--every", "24h", "--aggregate"
    };
    List<String> all = new ArrayList<>(List.of(words));
    all.add("count,last");
    KblakeRun run = run(tiny, all);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out().lines().findFirst().orElseThrow())
        .contains("last,")
        .contains("last_list")
        .contains("last_text");
    all.set(all.size() - 1, "count,mean");
    KblakeRun refused = run(tiny, all);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .contains("mean is not defined for ")
        .contains("it has count, first, last, severity");
  }

  /** A bin that meets a log that cannot be read is marked, and the status is 3. */
  @Test
  void binsOfUnreadableLogsAreMarked() throws IOException {
    try (var files = Files.walk(fixture.archive())) {
      for (Path log :
          (Iterable<Path>) files.filter(f -> f.toString().endsWith(".log2"))::iterator) {
        if (log.toString().endsWith("AnalogData_20160516001500.log2")) {
          Files.delete(log);
        }
      }
    }
    KblakeRun run = bins(TEMPERATURE);
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("incomplete: unavailable");
    assertThat(run.out().lines().skip(1)).hasSize(3).allMatch(line -> line.endsWith(",1"));
  }

  @Test
  void mistakesAreNamed() {
    assertThat(get("--aggregate", "mean", PRESSURE).err()).contains("--every");
    KblakeRun wrong = get("--every", "1h", "--aggregate", "mean,average", PRESSURE);
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("has no 'average'").contains("time-mean");
    assertThat(get("--every", "1h", "--aggregate", "min,min", PRESSURE).err()).contains("repeats");
  }
}
