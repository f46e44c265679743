package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.Kblake;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.kblogrd.Kblogrd;
import org.kblake.test.fixture.ChildJvm;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.RemoteCommands;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;

/**
 * A volume of the archive does not answer, as with a hard NFS mount whose server is down. A reader
 * waits until the volume answers or the process is killed.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HangingVolumeTest {

  private static final String VA = "/VA";
  private static final int CONTROL_C = 130;
  private static final int TERMINATED = 143;
  private static final String[] ALL_EVENTS = {
    "get", "-q", "VA*", "RF*", "--from", "2016-05-15", "--to", "2016-05-18"
  };

  @TempDir Path directory;

  private RemoteCommands kblake;
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void mount() throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    kblake = new RemoteCommands(directory, Cache.CACHED);
  }

  @AfterEach
  void endAndUnmount() throws Exception {
    processes.forEach(Process::destroyForcibly);
    kblake.close();
    for (Process process : processes) {
      process.waitFor();
    }
  }

  private Process start(Class<?> program, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(ChildJvm.command(program, List.of()));
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(directory.resolve("err").toFile());
    builder.environment().put("KBLAKE_ARCHIVE", kblake.remote().toString());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private String logged() throws IOException {
    return Files.readString(directory.resolve("err"));
  }

  private void assertEnds(Process process, int status, Duration within) throws Exception {
    assertThat(process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)).as(logged()).isTrue();
    assertThat(process.exitValue()).as(logged()).isEqualTo(status);
    assertThat(logged()).doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get -q VA* --from 2016-05-16 --to 2016-05-17",
        "backfill --store store",
        "backfill --store store --threads 1 -g VA/CCG",
        "channels",
        "status --store store",
      })
  void controlCEndsACommandThatWaits(String command) throws Exception {
    kblake.files().hang(VA);
    Process process = start(Kblake.class, command.split(" "));
    await("a question", () -> kblake.files().waiting() > 0);
    signal(process, "INT");
    assertEnds(process, CONTROL_C, Duration.ofSeconds(20));
  }

  @Test
  void controlCEndsKblogrdThatWaits() throws Exception {
    kblake.files().hang(VA);
    Process process = start(Kblogrd.class, "-t", "20160516000000-20160516010000", "VA/CCG");
    await("a question", () -> kblake.files().waiting() > 0);
    signal(process, "INT");
    assertEnds(process, CONTROL_C, Duration.ofSeconds(20));
  }

  private Process startRun(String... lines) throws Exception {
    Files.writeString(
        directory.resolve("kblake.toml"),
        "store = \"store\"\n[run]\nstatus-interval = \"200ms\"\nseal-age = \"1ms\"\n"
            + "seal-events = 0\n"
            + String.join("\n", lines)
            + "\n");
    return start(Kblake.class, "run");
  }

  private void awaitLogged(String text) throws Exception {
    await(text, () -> logged().contains(text));
  }

  @Test
  void runCanBeKilledWhileItWaits() throws Exception {
    Process process = startRun();
    awaitLogged("message=\"block sealed\" group=VA/CCG");
    kblake.files().hang("/");
    await("a question", () -> kblake.files().waiting() > 0);
    process.destroyForcibly();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    kblake.files().release();
    assertThat(run("verify").status()).isZero();
  }

  private KblakeRun run(String... words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", kblake.remote().toString())
        .with("KBLAKE_STORE", directory.resolve("store").toString())
        .at(Instant.now())
        .run(words);
  }

  /** With a mirror, answers come from columns and copies, and report missing times. */
  @Test
  void answersDoNotWaitIfThereIsAMirror() throws Exception {
    List<String> events = kblake.truth(ALL_EVENTS).out().lines().toList();
    Process process = startRun("mirror = \"" + directory.resolve("mirror") + "\"");
    awaitLogged("message=\"block sealed\" group=RF/AnalogData");
    awaitLogged("message=\"block sealed\" group=VA/CCG");
    signal(process, "TERM");
    assertEnds(process, TERMINATED, Duration.ofSeconds(60));
    kblake.files().hang("/");
    long begin = System.nanoTime();
    KblakeRun unresponsive = run(ALL_EVENTS);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(took).isLessThan(Duration.ofSeconds(20));
    assertThat(unresponsive.status()).as(unresponsive.err()).isIn(0, 3);
    assertThat(events).containsAll(unresponsive.out().lines().toList());
    assertThat(unresponsive.out().lines().count()).isGreaterThan(1);
    if (unresponsive.out().lines().count() < events.size()) {
      assertThat(unresponsive.status()).isEqualTo(3);
      assertThat(unresponsive.err()).contains("does not answer");
    }
    kblake.files().release();
    // On a busy machine, a read of the archive may exceed the time limit of half a second.
    await(
        "all events",
        () -> {
          KblakeRun again = run(ALL_EVENTS);
          return again.status() == 0 && again.out().lines().toList().equals(events);
        });
  }
}
