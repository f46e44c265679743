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

/** kblogrd as a process: readers that close the pipe, and signals. */
final class KblogrdProcessTest {

  private static final String RANGE = "20160516-20160517";

  /** A request whose answer is much larger than a pipe's buffer. */
  private static final String[] MUCH = {"-f", "kaleida", "-t", RANGE + "d1", "RF/AnalogData"};

  /** Half of the size of a pipe's buffer on Linux. */
  private static final int HALF_PIPE_BYTES = 32_768;

  @TempDir private Path directory;
  @TempDir private Path temporary;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @Test
  void aReaderThatClosesThePipeEndsItQuietly() throws Exception {
    Process process = start("-t", RANGE, "RF/AnalogData");
    try (InputStream out = process.getInputStream()) {
      assertThat(out.readNBytes(100)).hasSize(100);
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
  }

  /**
   * The reader has stopped, so the signal arrives while the writer waits in the middle of its
   * answer.
   */
  @Test
  void aSignalEndsItAfterAWholeLine() throws Exception {
    Process process = start(MUCH);
    InputStream out = process.getInputStream();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(out.readNBytes(10_000));
    awaitHalfPipe(process, out);
    // Process.destroy would close the pipe, too.
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

  @Test
  void nothingIsReadFromStandardInput() throws Exception {
    Process process = start("-t", "20160516001230-20160516001330", "VA/CCG");
    byte[] out = process.getInputStream().readAllBytes();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(out).isNotEmpty();
    assertThat(process.exitValue()).isZero();
  }

  /**
   * The launcher replaces native decoding by Java code with the same results. It leaves no file of
   * a native library behind, even if the process is killed.
   */
  @Test
  void columnsAreReadWithoutANativeLibrary() throws Exception {
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

  private static void awaitHalfPipe(Process process, InputStream out)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (out.available() < HALF_PIPE_BYTES) {
      assertThat(process.isAlive()).as("kblogrd is still writing").isTrue();
      assertThat(System.nanoTime() - begin)
          .as("half a pipe within 30 s, %d bytes so far", out.available())
          .isLessThan(TimeUnit.SECONDS.toNanos(30));
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private Process start(String... words) throws IOException {
    List<String> command =
        ChildJvm.command(
            Kblogrd.class, List.of("-Dkblake.lz4=java", "-Djava.io.tmpdir=" + temporary));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("KBLAKE_ARCHIVE", fixture.archive().toString());
    if (Files.exists(fixture.store())) {
      builder.environment().put("KBLAKE_STORE", fixture.store().toString());
    }
    return builder.start();
  }
}
