package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.record.perf.PerfStream;

/** The command with this machine's cores as its source, and what {@code get} reads of them. */
final class CpuRecordTest {

  private static final String SAMPLES = "TESTED:PERF:CPU0";

  @TempDir Path directory;

  @BeforeEach
  void archive() throws IOException {
    Files.createDirectories(directory.resolve("logs/SYS"));
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "logs"
        [record]
        source = "cpu"
        host-name = "TESTED"
        learn = "1s"
        """);
  }

  private void set(String line) throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), line + "\n", StandardOpenOption.APPEND);
  }

  private KblakeRun run(String... line) {
    return KblakeRun.in(directory).at(Instant.now()).with("LC_ALL", "C").run(line);
  }

  private List<String> events(String channel) {
    return run("get", channel, "-f", "csv", "--from", "2000-01-01T00:00").out().lines().toList();
  }

  private long values(String channel) {
    return events(channel).stream().filter(line -> line.contains(",value,")).count();
  }

  /** With perf there are samples, without it what is missing is said; the counters are there. */
  @Test
  void recordsTheCoresOfThisMachine() throws Exception {
    boolean isSampled;
    try (RecorderProcess recorder = RecorderProcess.start(directory, Map.of("LC_ALL", "C"))) {
      recorder.awaitLine("connected", "group=HOST/CPU0");
      recorder.await(() -> values(SAMPLES) > 100 || values("TESTED:CPU0:USER") > 0);
      isSampled = recorder.lines().stream().noneMatch(line -> line.contains("not sampled"));
      recorder.await(() -> !isSampled || values(SAMPLES) > 100);
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
    assertThat(values("TESTED:CPU0:IDLE")).isPositive();
    if (!isSampled) {
      assertThat(values(SAMPLES)).isZero();
    }
  }

  /** A machine whose perf is in no directory of PATH, or without perf. */
  @Test
  void withoutPerfTheCountersOfTheKernelStay() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    set("groups = \"HOST/CPU0\"");
    Map<String, String> variables = Map.of("LC_ALL", "C", "PATH", empty.toString());
    try (RecorderProcess recorder = RecorderProcess.start(directory, variables)) {
      recorder.awaitLine("cores are not sampled", "not available");
      recorder.await(() -> values("TESTED:CPU0:IDLE") + values("TESTED:CPU0:USER") > 3);
    }
    assertThat(values(SAMPLES)).isZero();
    assertThat(events(SAMPLES)).anyMatch(line -> line.contains("disconnected"));
  }

  /** What a perf says that has no room: 42 records are lost, and other ones follow. */
  @Test
  void lostSamplesAreInTheLedger() throws Exception {
    byte[] stream = new PerfStream().samples(5, 0, 8, 1).lost(0, 42).samples(5, 0, 8, 9).toBytes();
    Path file = Files.write(directory.resolve("stream"), stream);
    Path programs = Files.createDirectory(directory.resolve("programs"));
    Path perf = programs.resolve("perf");
    Path go = directory.resolve("go");
    Files.writeString(
        perf,
        "#!/bin/sh\nuntil rm %1$s; do [ -e %2$s ] || exit; sleep 0.1; done 2>/dev/null; cat %2$s\n"
                .formatted(go, file)
            + "exec sleep 100\n");
    Files.setPosixFilePermissions(perf, PosixFilePermissions.fromString("rwx------"));
    set("groups = \"HOST/CPU0\"\nnew-pair = \"0s\"");
    Map<String, String> variables =
        Map.of("LC_ALL", "C", "PATH", programs + ":" + System.getenv("PATH"));
    try (RecorderProcess recorder = RecorderProcess.start(directory, variables)) {
      recorder.awaitLine("connected", "group=HOST/CPU0");
      Files.createFile(go);
      recorder.await(() -> losses().stream().anyMatch(line -> line.endsWith(",42.0,3.0]\"")));
      recorder.await(() -> values(SAMPLES) == 10);
    }
  }

  private List<String> losses() {
    return events("HOST/CPU0:LOSSES");
  }

  @Test
  void wrongSettingsAreRefused() throws IOException {
    set("cpu-rate = \"10001\"\ncpu-core = \"x\"\ncpu-counters = \"cycles,a}b\"");
    KblakeRun check = run("record", "--check");
    assertThat(check.status()).isEqualTo(2);
    assertThat(check.err())
        .contains("cpu-rate: must be a number from 1 to 10000")
        .contains("cpu-core")
        .contains("'a}b' is no event of perf");
  }
}
