package org.kblake.test.kblogrd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.kblogrd.Kblogrd;
import org.kblake.test.fixture.ChildJvm;
import org.kblake.test.fixture.CommandFixture;

/** kblogrd as a process: readers that go away, signals. */
final class KblogrdProcessTest {

  private static final String RANGE = "20160516-20160517";

  /** Far more than a pipe holds. */
  private static final String[] MUCH = {"-f", "kaleida", "-t", RANGE + "d1", "RF/AnalogData"};

  /** Of Linux. */
  private static final int HALF_PIPE_BYTES = 32_768;

  @TempDir private Path directory;
  @TempDir private Path temporary;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @Test
  void aReaderThatGoesAwayEndsItQuietly() throws Exception {
    Process process = start("-t", RANGE, "RF/AnalogData");
    try (InputStream out = process.getInputStream()) {
      assertThat(out.readNBytes(100)).hasSize(100);
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
  }

  /** The reader stands still, so the writer stands in the middle of its answer when it is told. */
  @Test
  void aSignalEndsItWhereItStandsAndNoLineIsHalf() throws Exception {
    Process process = start(MUCH);
    InputStream out = process.getInputStream();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(out.readNBytes(10_000));
    awaitStandstill(process, out);
    // Process.destroy would close the pipe, too
    assertThat(process.toHandle().destroy()).isTrue();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    all.write(out.readAllBytes());
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
    String text = all.toString(StandardCharsets.UTF_8);
    assertThat(text).endsWith("\n");
    long columns = text.lines().findFirst().orElseThrow().split("\t").length;
    assertThat(text.lines()).allMatch(line -> line.split("\t").length == columns);
    String whole = fixture.kblogrd(MUCH).out();
    assertThat(whole.startsWith(text)).isTrue();
    assertThat(text.length()).isLessThan(whole.length());
  }

  /** Waits until the pipe takes no more: what is in it is much, and does not grow. */
  private static void awaitStandstill(Process process, InputStream out) throws Exception {
    int before = 0;
    int now = 0;
    while (now < HALF_PIPE_BYTES || now > before) {
      assertThat(process.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
      before = now;
      now = out.available();
    }
  }

  @Test
  void nothingIsReadFromStandardInput() throws Exception {
    Process process = start("-t", "20160516001230-20160516001330", "VA/CCG");
    byte[] out = process.getInputStream().readAllBytes();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(out).isNotEmpty();
    assertThat(process.exitValue()).isZero();
  }

  /**
   * What the launcher leaves aside for a cold start decodes and hashes as what it stands for. A
   * native library's file would stay behind: nothing is cleaned up when the process halts.
   */
  @Test
  void coldColumnsAnswerAsWarmOnes() throws Exception {
    fixture.backfill();
    for (String group : List.of("VA/CCG", "RF/AnalogData")) {
      String expected = fixture.kblogrd("-t", RANGE, group).out();
      Process process = start("-t", RANGE, group);
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(expected)
          .isNotEmpty();
      assertThat(process.getErrorStream().readAllBytes()).isEmpty();
    }
    assertThat(temporary).isEmptyDirectory();
  }

  private Process start(String... words) throws IOException {
    List<String> command =
        ChildJvm.command(
            Kblogrd.class, List.of("-Dkblake.cold=true", "-Djava.io.tmpdir=" + temporary));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("KBLAKE_ARCHIVE", fixture.archive().toString());
    if (Files.exists(fixture.store())) {
      builder.environment().put("KBLAKE_STORE", fixture.store().toString());
    }
    return builder.start();
  }
}
