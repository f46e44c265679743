package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;

/** {@code kblake get --follow} as a process: its output and how it ends. */
final class FollowCommandTest {

  private static final long SECOND = 1_000_000_000L;
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
    String stamp = PairName.at("CCG", now, ZoneId.of("Asia/Tokyo")).stamp();
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

  /**
   * P has events on both sides of the last milestone, some of them out of order. The event of Q is
   * older. The answer continues without a gap and without a duplicate.
   */
  @ParameterizedTest
  @CsvSource({
    "csv, --last 3, 'Q 10.0;P 4.0;P 2.5;P 5.0'",
    "tsv, --last 1, 'Q 10.0;P 5.0'",
    "csv, --last 99, 'P 1.0;P 3.0;Q 10.0;P 2.0;P 4.0;P 2.5;P 5.0'",
    "csv, --last 0, ''",
    "csv, --last 3 --where value>2.9, 'Q 10.0;P 4.0;P 5.0'",
    "csv, --from -30s --held, 'P 2.0;Q 10.0;P 4.0;P 2.5;P 5.0'",
    "tsv, --from -30s --held --where value>2.9, 'Q 10.0;P 4.0;P 5.0'"
  })
  void lastEventsAndHeldValuesPrecedeNewEvents(String format, String options, String present)
      throws Exception {
    Path root = directory.resolve("archive");
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(0, "P", ValueType.DOUBLE, 1),
                new RecordEntry(1, "Q", ValueType.DOUBLE, 1)));
    long now = System.currentTimeMillis() * 1_000_000;
    String stamp = PairName.at("CCG", now - 60 * SECOND, ZoneId.of("Asia/Tokyo")).stamp();
    Path out = directory.resolve("out");
    List<String> expected =
        new ArrayList<>(present.isEmpty() ? List.of() : List.of(present.split(";")));
    try (LogWriter writer =
        LogWriter.create(root, Group.parse("VA/CCG"), stamp, ByteOrder.BIG_ENDIAN, records)) {
      writer.milestone(now - 60 * SECOND);
      number(writer, 0, now - 59 * SECOND, 1);
      number(writer, 0, now - 40 * SECOND, 3);
      number(writer, 1, now - 35 * SECOND, 10);
      number(writer, 0, now - 45 * SECOND, 2);
      writer.milestone(now - 25 * SECOND);
      number(writer, 0, now - 20 * SECOND, 4);
      number(writer, 0, now - 22 * SECOND, 2.5);
      number(writer, 0, now - 10 * SECOND, 5);
      List<String> words =
          new ArrayList<>(List.of("get", "--follow", "--poll=10ms", "-f", format, "*"));
      words.add("--archive=" + root);
      // Not from the start of the process, which a busy machine delays.
      String fixed = options.replace("-30s", "@" + (now / SECOND - 30));
      words.addAll(List.of(fixed.split(" ")));
      Process process = start(out, words);
      // New events must not count among the last ones.
      awaitLines(process, out, 1 + expected.size());
      for (int i = 1; i <= 3; i++) {
        number(writer, i % 2, now + i, 10 + i);
        if (i == 2) {
          writer.milestone(now + i);
        }
        expected.add((i % 2 == 0 ? "P " : "Q ") + (10.0 + i));
        awaitLines(process, out, 1 + expected.size());
      }
      stop(process, "INT", 130);
    }
    String separator = format.equals("csv") ? "," : "\t";
    assertThat(
            Files.readString(out)
                .lines()
                .skip(1)
                .map(line -> line.split(separator))
                .map(cells -> cells[1] + " " + cells[5]))
        .isEqualTo(expected);
    assertThat(directory.resolve("err")).isEmptyFile();
  }

  private static void number(LogWriter writer, int ordinal, long nanos, double value)
      throws IOException {
    writer.number(ordinal, nanos, 0, 0, Double.doubleToRawLongBits(value));
    writer.flush();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to 2016-05-17",
        "--at 2016-05-17",
        "--last -1",
        "--last 3 --held",
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
