package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.log.pair.PairName;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;

/** {@code kblake get --follow} as a process: its output and how it ends. */
final class FollowCommandTest {

  private static final String[] ALL = {"--from", "2016-05-15", "*"};

  @TempDir private Path directory;

  /** Following writes the existing events in the same bytes as a read, for all types. */
  @ParameterizedTest
  @CsvSource({"csv, iso", "tsv, epoch-ns", "ndjson, iso", "ndjson, epoch-ns"})
  void writesTheLinesOfARead(String format, String style) throws Exception {
    CommandFixture kblake = CommandFixture.mixed(directory);
    List<String> words = new ArrayList<>(List.of("get", "-q", "-f", format, "--time", style));
    words.addAll(List.of(ALL));
    KblakeRun read = kblake.run(words.toArray(String[]::new));
    assertThat(read.status()).isZero();
    words.addAll(List.of("--follow", "--archive", kblake.archive().toString()));
    Path out = directory.resolve("out");
    Process process = start(out, words);
    await(process, out, read.out().getBytes(StandardCharsets.UTF_8).length);
    stop(process, "INT", 130);
    assertThat(out).hasContent(read.out());
    assertThat(directory.resolve("err")).isEmptyFile();
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void writesNewEventsUntilItIsStopped(String signal, int status) throws Exception {
    Path root = directory.resolve("archive");
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(3, "VA_CCG:PRES", ValueType.DOUBLE, 1)));
    long now = System.currentTimeMillis() * 1_000_000;
    Group group = Group.parse("VA/CCG");
    String stamp = PairName.at("CCG", now, java.time.ZoneId.of("Asia/Tokyo")).stamp();
    Path out = directory.resolve("out");
    try (LogWriter writer = LogWriter.create(root, group, stamp, ByteOrder.BIG_ENDIAN, records)) {
      writer.milestone(now);
      writer.number(0, now, 0, 0, Double.doubleToRawLongBits(1.5));
      writer.flush();
      List<String> words =
          List.of(
              "get",
              "--follow",
              "--poll=10ms",
              "--time=epoch-ns",
              "--archive=" + root,
              "VA_CCG:PRES");
      Process process = start(out, words);
      for (int i = 1; i <= 3; i++) {
        awaitLines(process, out, 1 + i);
        writer.number(0, now + i, 0, 0, Double.doubleToRawLongBits(i));
        writer.flush();
      }
      awaitLines(process, out, 5);
      stop(process, signal, status);
    }
    assertThat(out)
        .hasContent(
            """
            time,channel,state,severity,status,value
            %d,VA_CCG:PRES,value,0,0,1.5
            %d,VA_CCG:PRES,value,0,0,1.0
            %d,VA_CCG:PRES,value,0,0,2.0
            %d,VA_CCG:PRES,value,0,0,3.0
            """
                .formatted(now, now + 1, now + 2, now + 3));
    assertThat(directory.resolve("err")).isEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to 2016-05-17",
        "--at 2016-05-17",
        "--last 3",
        "--wide --every 1s",
        "--dry-run",
        "--coverage c.json",
        "-o o.csv",
        "-f json",
        "-f arrow",
        "--source store",
        "--poll 1ms"
      })
  void refusesOptionsThatEndARange(String options) throws IOException {
    List<String> words = new ArrayList<>(List.of("get", "--follow", "*"));
    words.addAll(List.of(options.split(" ")));
    KblakeRun run = CommandFixture.mixed(directory).run(words.toArray(String[]::new));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).startsWith("kblake get: --");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void pollNeedsFollow() throws IOException {
    KblakeRun run = CommandFixture.mixed(directory).run("get", "--poll", "1s", "*");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("kblake get: --poll needs --follow\n");
  }

  @Test
  void closedPipeIsNoError() throws IOException {
    Path root = CommandFixture.mixed(directory).archive();
    Shell.Result result =
        new Shell(directory)
            .with("KBLAKE_ARCHIVE", root)
            .run(
                "set -o pipefail; "
                    + KblakeProcess.function()
                    + "kblake get --from 2016-05-15 --follow '*' | head -n 2");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).hasLineCount(2);
    assertThat(result.err()).isEmpty();
  }

  private Process start(Path out, List<String> words) throws IOException {
    return KblakeProcess.start(
        List.of(),
        directory,
        ProcessBuilder.Redirect.to(out.toFile()),
        directory.resolve("err"),
        words.toArray(String[]::new));
  }

  private void await(Process process, Path out, long bytes) throws Exception {
    Await.await(
        bytes + " bytes",
        () -> !process.isAlive() || Files.exists(out) && Files.size(out) >= bytes);
    assertThat(process.isAlive()).as(Files.readString(directory.resolve("err"))).isTrue();
  }

  private void awaitLines(Process process, Path out, int lines) throws Exception {
    Await.await(
        lines + " lines",
        () -> !process.isAlive() || Files.readString(out).lines().count() >= lines);
    assertThat(process.isAlive()).as(Files.readString(directory.resolve("err"))).isTrue();
  }

  private static void stop(Process process, String signal, int status) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
    assertThat(kill.waitFor(60, TimeUnit.SECONDS)).isTrue();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    assumeThat(ended || !signal.equals("INT")).as("SIGINT is ignored here").isTrue();
    assertThat(process.exitValue()).isEqualTo(status);
  }
}
