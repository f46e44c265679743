package org.kblake.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.process.ProcessEnvironment;

/** Stops a process that the test starts. */
final class StoppableTest {

  private static final int STOPPED_BY_SIGTERM = 128 + 15;

  @TempDir private Path directory;

  /** The JVM ends only after the message, even on a slow terminal. */
  @Test
  void messageIsPrintedBeforeTheEnd() throws Exception {
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SlowTerminal.class.getName())
            .redirectError(err.toFile())
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).as(Files.readString(err)).isEqualTo("begun");
    }
    process.destroy();
    assertThat(process.waitFor()).isEqualTo(STOPPED_BY_SIGTERM);
    assertThat(err).hasContent("stopped; all stays");
  }

  @Test
  void theHeapIsWatchedUntilTheWorkEnds() throws Exception {
    List<Thread> watches = new ArrayList<>();
    int status =
        Stoppable.runQuietly(
            () -> {
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().equals("kblake-heap"))
                  .forEach(watches::add);
              return 7;
            });
    assertThat(status).isEqualTo(7);
    assertThat(watches).hasSize(1);
    watches.get(0).join(TimeUnit.SECONDS.toMillis(30));
    assertThat(watches.get(0).isAlive()).isFalse();
  }

  /** A program that works until it is stopped. */
  static final class SlowTerminal {

    public static void main(String[] args) throws Exception {
      ProcessEnvironment environment =
          new ProcessEnvironment(
              new ByteArrayInputStream(new byte[0]),
              System.out,
              slow(System.err),
              Map.of(),
              Path.of(""),
              Clock.systemUTC(),
              false,
              false);
      Stoppable.run(
          new Session(environment, new CommonOptions()),
          "all stays",
          () -> {
            System.out.println("begun");
            TimeUnit.MINUTES.sleep(1);
            return 0;
          });
    }

    private static PrintStream slow(PrintStream err) {
      return new PrintStream(err, true, StandardCharsets.UTF_8) {
        @Override
        public void println(String line) {
          while (!isHeld()) {
            Thread.onSpinWait();
          }
          super.println(line);
        }
      };
    }

    /** Whether the JVM would end if its end did not wait for the work. */
    private static boolean isHeld() {
      return Thread.getAllStackTraces().keySet().stream()
          .anyMatch(
              thread ->
                  thread.getName().equals("kblake-stop")
                      && thread.getState() == Thread.State.TIMED_WAITING);
    }
  }
}
