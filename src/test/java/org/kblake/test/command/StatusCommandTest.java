package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/** {@code kblake status} on a sample archive, with and without columns. */
final class StatusCommandTest {

  /** 2016-05-16T00:20:00+09:00, in the second pair of RF/AnalogData. */
  private static final long MIDDLE_NANOS = 1_463_325_600_000_000_000L;

  @TempDir private Path directory;

  private Path archive = Path.of("");
  private Path store = Path.of("");

  @BeforeEach
  void copySample() throws IOException {
    archive = TestStores.sample("mixed", directory.resolve("archive"));
    store = directory.resolve("store");
  }

  private KblakeRun run(String... args) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .with("KBLAKE_STORE", store.toString())
        .run(args);
  }

  private JsonNode json() throws IOException {
    KblakeRun run = run("status", "-f", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private void backfill(TimeRange range) throws Exception {
    TestStores.backfill(Archive.open(archive, ArchiveSettings.defaults()), store, range);
  }

  private static JsonNode group(JsonNode status, String name) {
    for (JsonNode group : status.get("groups")) {
      if (group.get("group").textValue().equals(name)) {
        return group;
      }
    }
    throw new AssertionError(name + " is not in " + status);
  }

  private long logBytes(String group) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = archive.relativize(file).toString();
        bytes += name.startsWith(group + "_") && name.endsWith(".log2") ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  @Test
  void reportsSizesAndPeriodsWithoutAStore() throws IOException {
    JsonNode rf = group(json(), "RF/AnalogData");
    assertThat(rf.get("pairs").intValue()).isEqualTo(3);
    assertThat(rf.get("from").textValue()).isEqualTo("2016-05-16T00:00:00+09:00");
    assertThat(rf.get("newestEvent").textValue()).startsWith("2016-05-16T00:42:");
    assertThat(rf.get("rawBytes").longValue()).isEqualTo(logBytes("RF/AnalogData"));
    assertThat(rf.get("coverage").doubleValue()).isZero();
    assertThat(rf.get("lagSeconds").isNull()).isTrue();
    assertThat(run("status").out())
        .containsPattern("RF/AnalogData +\\d+ h +- +0\\.0% ")
        .containsPattern("total +\\S+ KiB raw, 0\\.0% in columns");
  }

  @Test
  void reportsFullCoverageAfterABackfill() throws Exception {
    backfill(TimeRange.ALL);
    JsonNode status = json();
    JsonNode rf = group(status, "RF/AnalogData");
    assertThat(rf.get("coverage").doubleValue()).isEqualTo(1);
    assertThat(rf.get("lagSeconds").doubleValue()).isZero();
    assertThat(rf.get("newestEventInColumns")).isEqualTo(rf.get("newestEvent"));
    assertThat(rf.get("storedEvents").longValue()).isEqualTo(22_862);
    assertThat(status.get("total").get("storedBytes").longValue()).isEqualTo(storedBytes());
    assertThat(run("status").out()).containsPattern("RF/AnalogData .* 0 s +100% ");
  }

  private long storedBytes() throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> store.relativize(file).getNameCount() > 2)
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Test
  void reportsTheLagBehindTheNewestEvent() throws Exception {
    backfill(new TimeRange(0, MIDDLE_NANOS));
    JsonNode rf = group(json(), "RF/AnalogData");
    assertThat(rf.get("coverage").doubleValue()).isBetween(0.1, 0.9);
    assertThat(rf.get("lagSeconds").doubleValue()).isBetween(300.0, 1800.0);
  }

  @Test
  void countsLogsThatExistOnlyInColumns() throws Exception {
    backfill(TimeRange.ALL);
    long gone = Files.size(archive.resolve("RF/AnalogData_20160516000000.log2"));
    long all = logBytes("RF/AnalogData");
    Files.delete(archive.resolve("RF/AnalogData_20160516000000.log2"));
    Files.delete(archive.resolve("RF/AnalogData_20160516000000.log1"));
    JsonNode rf = group(json(), "RF/AnalogData");
    assertThat(rf.get("onlyInColumnsBytes").longValue()).isEqualTo(gone);
    assertThat(rf.get("rawBytes").longValue()).isEqualTo(all);
    assertThat(rf.get("coverage").doubleValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "\0\0\"\0",
        "WHOLE {}",
        "WHOLE host",
        "WHOLE disk",
        "WHOLE text",
        "WHOLE mode",
        "WHOLE 2016-05-16T11:59:50Z",
        "WHOLE :5,"
      })
  void goesOnWithoutADamagedStatusOfTheProcess(String text) throws Exception {
    backfill(TimeRange.ALL);
    Path file = store.resolve("kblake-run.json");
    String whole =
        """
        {"version":1,"state":"running","host":"h","pid":1,"since":"2016-05-16T00:00:00Z",
         "written":"2016-05-16T11:59:50Z","everySeconds":5,"counters":{},"rates":{},"disk":{},
         "groups":[{"group":"RF/AnalogData","mode":"follow"}]}""";
    Files.writeString(file, whole);
    assertThat(run("status").err()).isEmpty();
    String changed =
        switch (text) {
          case "WHOLE {}" -> whole + "{}";
          case "WHOLE text" -> whole.replace("\"disk\":{}", "\"disk\":\"full\"");
          case "WHOLE :5," -> whole.replace(":5,", ":9223372036854775807,");
          case "WHOLE 2016-05-16T11:59:50Z" ->
              whole.replace("2016-05-16T11:59:50Z", "+999999999-12-31T23:59:59Z");
          default -> text.startsWith("WHOLE ") ? whole.replace(text.substring(6), "other") : text;
        };
    Files.writeString(file, changed);
    KblakeRun run = run("status");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith("kblake status: incomplete: status file is damaged: file=" + file + ", found=")
        .doesNotContain("Exception")
        .hasLineCount(1);
    assertThat(run.out())
        .contains("process  unknown")
        .containsPattern("RF/AnalogData .* 0 s +100% ");
  }

  @Test
  void namesAPairThatIsUnavailable() throws IOException {
    Path log = archive.resolve("VA/CCG_20160516000000.log2");
    Files.delete(log);
    Files.createSymbolicLink(log, Path.of("/offline/volume/CCG.log2"));
    KblakeRun run = run("status", "-f", "json");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains("VA/CCG")
        .contains("20160516000000-20160516002717")
        .contains(log.toString())
        .hasLineCount(1);
    JsonNode group = group(new ObjectMapper().readTree(run.out()), "VA/CCG");
    assertThat(group.get("problems")).hasSize(1);
  }

  @Test
  void namesABlockThatIsDamaged() throws Exception {
    backfill(TimeRange.ALL);
    try (Stream<Path> files = Files.walk(store.resolve("VA/CCG"))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Files.write(file, new byte[64]);
      }
    }
    KblakeRun run = run("status");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("damaged").contains("VA/CCG");
    assertThat(run.out()).containsPattern("VA/CCG .* 0\\.0%");
  }

  @Test
  void namesAParquetFileThatIsCut() throws Exception {
    backfill(TimeRange.ALL);
    Path cut = CommandFixture.block(store.resolve("VA/CCG")).resolve("double.parquet");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 1000));
    KblakeRun run = run("status");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("damaged").contains(cut.toString()).hasLineCount(1);
  }

  @Test
  void fitsEightyColumnsWithTheWorstGroupsFirst() throws Exception {
    backfill(TimeRange.ALL);
    Files.writeString(
        directory.resolve("kblake.toml"), "[run.group.\"VA/CCG\"]\nstale-warning = \"5m\"\n");
    KblakeRun run = run("status");
    assertThat(run.out().lines().skip(2)).allMatch(line -> line.length() <= 80);
    assertThat(groups(run)).containsExactly("VA/CCG", "RF/AnalogData");
    assertThat(run.out()).contains("groups   2, 1 with problems; newest events are ");
    assertThat(groups(run("status", "--problems"))).containsExactly("VA/CCG");
    assertThat(groups(run("status", "--sort", "name"))).containsExactly("RF/AnalogData", "VA/CCG");
    assertThat(groups(run("status", "--sort", "size"))).containsExactly("RF/AnalogData", "VA/CCG");
    assertThat(run.out()).doesNotContain("\u001b");
    assertThat(run("status", "--color", "always").out()).contains("\u001b[35mVA/CCG ");
  }

  private static List<String> groups(KblakeRun run) {
    return run.out()
        .lines()
        .filter(line -> line.matches("(VA|RF)/.*"))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }

  @Test
  void refusesAnUnknownGroup() {
    KblakeRun run = run("status", "-g", "VA/CCX");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("did you mean VA/CCG?");
  }
}
