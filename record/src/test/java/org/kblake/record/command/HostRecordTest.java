package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** The command with this machine as its source, and what {@code get} reads of it. */
final class HostRecordTest {

  private static final String IDLE = "TESTED:CPU0:IDLE";

  @TempDir Path directory;

  @BeforeEach
  void archive() throws IOException {
    Files.createDirectories(directory.resolve("logs/SYS"));
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "logs"
        [record]
        host-name = "TESTED"
        host-rate = "100"
        """);
  }

  private KblakeRun run(String... line) {
    return KblakeRun.in(directory).at(Instant.now()).with("LC_ALL", "C").run(line);
  }

  /** A core is idle or works: one of these counters always grows. */
  private List<List<Double>> core() {
    return Stream.of(IDLE, "TESTED:CPU0:USER", "TESTED:CPU0:NICE").map(this::values).toList();
  }

  private List<Double> values(String channel) {
    return run("get", channel, "-f", "csv", "--from", "2000-01-01T00:00")
        .out()
        .lines()
        .map(line -> line.split(","))
        .filter(words -> words.length > 5 && words[2].equals("value"))
        .map(words -> Double.valueOf(words[5]))
        .toList();
  }

  @Test
  void recordsTheCountersOfThisMachine() throws Exception {
    String[] arguments = {"--source", "host"};
    try (RecorderProcess recorder =
        RecorderProcess.start(directory, Map.of("LC_ALL", "C"), arguments)) {
      for (String group : List.of("HOST/CPU", "HOST/MEM", "HOST/NET")) {
        recorder.awaitLine("connected", "group=" + group);
      }
      recorder.await(() -> core().stream().anyMatch(values -> values.size() > 3));
      assertThat(recorder.end("TERM")).isEqualTo(143);
      // A busy disk may be late.
      assertThat(recorder.lines())
          .filteredOn(line -> !line.contains("disk has not") && !line.contains("written again"))
          .noneMatch(line -> line.contains("WARN") || line.contains("EPICS_CA"));
    }
    assertThat(core()).allSatisfy(values -> assertThat(values).isSorted().doesNotHaveDuplicates());
    assertThat(Files.readAllLines(directory.resolve("logs/SYS/LCF/MEM.lcf")))
        .contains("TESTED:MEM:AVAILABLE");
  }

  @Test
  void beginsPairsAtTimesOfDay() throws Exception {
    LocalTime now = LocalTime.now(ZoneId.of("Asia/Tokyo")).truncatedTo(ChronoUnit.SECONDS);
    String times =
        IntStream.range(1, 100)
            .mapToObj(i -> now.plusSeconds(2L * i).toString())
            .collect(Collectors.joining(", "));
    Files.writeString(
        directory.resolve("kblake.toml"),
        "rotate-at = \"" + times + "\"\n",
        StandardOpenOption.APPEND);
    try (RecorderProcess recorder =
        RecorderProcess.start(directory, Map.of("LC_ALL", "C"), "--source", "host", "HOST/MEM")) {
      recorder.await(() -> memoryLogs() >= 2);
    }
  }

  private long memoryLogs() {
    String[] names = directory.resolve("logs/HOST").toFile().list();
    return names == null
        ? 0
        : Stream.of(names).filter(name -> name.matches("MEM_\\d+\\.log1")).count();
  }

  @Test
  void theCheckPrintsCounters() {
    KblakeRun check = run("record", "--check", "--source", "host", "HOST/CPU");
    assertThat(check.out()).contains(IDLE).contains("/proc").contains("double");
    assertThat(check.status()).isZero();
  }

  @Test
  void aRateThatIsTooHighIsRefused() throws IOException {
    Path settings = directory.resolve("kblake.toml");
    String text = Files.readString(settings);
    for (String rate : List.of("\"101\"", "101", "0", "0.5")) {
      Files.writeString(settings, text.replace("\"100\"", rate));
      KblakeRun check = run("record", "--check", "--source", "host");
      assertThat(check.status()).as(rate).isEqualTo(2);
      assertThat(check.err()).contains("host-rate");
    }
    Files.writeString(settings, text.replace("\"100\"", "50"));
    assertThat(run("record", "--check", "--source", "host", "HOST/CPU").status()).isZero();
  }
}
