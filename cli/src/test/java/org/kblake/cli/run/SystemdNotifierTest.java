package org.kblake.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.run.settings.RunLog;

/** Notifications, with a systemd-notify that records its arguments. */
final class SystemdNotifierTest {

  private static final Map<String, String> WATCHED =
      Map.of("NOTIFY_SOCKET", "/run/systemd/notify", "WATCHDOG_USEC", "2000");

  @TempDir private Path directory;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final RunLog log =
      new RunLog(
          new PrintStream(err, true, StandardCharsets.UTF_8),
          Clock.systemUTC(),
          LogFormat.TEXT,
          false);

  /** A state that counts how often it is read. */
  private static final class Reads implements SystemdNotifier.State {

    private final List<String> overdue;
    private final CountDownLatch left;
    private final AtomicInteger unready = new AtomicInteger();

    Reads(int reads, String... overdue) {
      this.overdue = List.of(overdue);
      left = new CountDownLatch(reads);
    }

    @Override
    public boolean isReady() {
      return unready.getAndDecrement() <= 0;
    }

    @Override
    public List<String> overdue() {
      left.countDown();
      return overdue;
    }

    @Override
    public String summary() {
      return "follows 2 groups, 0 problems";
    }

    void await() throws InterruptedException {
      assertThat(left.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private SystemdNotifier notifier(Map<String, String> variables, String program) {
    return new SystemdNotifier(variables, program, Duration.ofMinutes(1), log);
  }

  private String program(String lines) throws IOException {
    Path program = directory.resolve("systemd-notify");
    Files.writeString(program, "#!/bin/sh\n" + lines + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program.toString();
  }

  private String recorder() throws IOException {
    return program("echo \"$*\" >> '" + directory.resolve("calls") + "'");
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(directory.resolve("calls"));
  }

  @Test
  void notifiesOfStartWorkAndEnd() throws Exception {
    Reads state = new Reads(3);
    try (SystemdNotifier systemd = notifier(WATCHED, recorder())) {
      systemd.begin(state);
      state.await();
    }
    String summary = " STATUS=follows 2 groups, 0 problems";
    assertThat(calls())
        .hasSizeGreaterThan(3)
        .startsWith("READY=1" + summary, "WATCHDOG=1" + summary, "WATCHDOG=1" + summary)
        .endsWith("STOPPING=1");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** systemd starts what needs this service when it is ready. */
  @Test
  void startIsReportedWhenTheStateIsReady() throws Exception {
    Reads state = new Reads(1);
    state.unready.set(3);
    try (SystemdNotifier systemd = notifier(WATCHED, recorder())) {
      systemd.begin(state);
      state.await();
    }
    assertThat(state.unready).as("asked until it was ready").hasValue(-1);
    assertThat(calls().get(0)).startsWith("READY=1");
  }

  /** An archive that does not respond is no reason to stop the process. */
  @Test
  void startIsReportedInTimeIfTheStateIsNeverReady() throws Exception {
    Reads state = new Reads(1);
    state.unready.set(Integer.MAX_VALUE);
    try (SystemdNotifier systemd =
        new SystemdNotifier(WATCHED, recorder(), Duration.ofMillis(200), log)) {
      systemd.begin(state);
      state.await();
    }
    assertThat(calls().get(0)).startsWith("READY=1");
  }

  @Test
  void nothingIsReportedIfTheProcessEndsBeforeItIsReady() throws Exception {
    Reads state = new Reads(1);
    state.unready.set(Integer.MAX_VALUE);
    try (SystemdNotifier systemd = notifier(WATCHED, recorder())) {
      systemd.begin(state);
    }
    assertThat(calls()).containsExactly("STOPPING=1");
  }

  @Test
  void watchdogIsNotNotifiedWhileAGroupIsOverdue() throws Exception {
    Reads state = new Reads(4, "RF/AnalogData", "VA/CCG");
    try (SystemdNotifier systemd = notifier(WATCHED, recorder())) {
      systemd.begin(state);
      state.await();
    }
    assertThat(calls())
        .contains("STATUS=not looked at in time: RF/AnalogData VA/CCG")
        .noneMatch(call -> call.contains("WATCHDOG"));
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("watchdog is not notified")
        .contains("RF/AnalogData VA/CCG")
        .hasLineCount(1);
  }

  @Test
  void failureIsReportedOnce() throws Exception {
    Reads state = new Reads(4);
    try (SystemdNotifier systemd = notifier(WATCHED, program("exit 4"))) {
      systemd.begin(state);
      state.await();
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("systemd cannot be notified")
        .contains("exit status 4")
        .hasLineCount(1);
  }

  @Test
  void missingProgramIsReported() throws Exception {
    Reads state = new Reads(2);
    String missing = directory.resolve("missing").toString();
    try (SystemdNotifier systemd = notifier(WATCHED, missing)) {
      systemd.begin(state);
      state.await();
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(missing).hasLineCount(1);
  }

  @Test
  void nothingIsCalledWithoutSystemd() throws Exception {
    try (SystemdNotifier systemd = notifier(Map.of("WATCHDOG_USEC", "2000"), recorder())) {
      systemd.begin(new Reads(1));
    }
    assertThat(directory.resolve("calls")).doesNotExist();
  }

  /** Without WatchdogSec in the unit, systemd waits for the start only. */
  @Test
  void watchdogIsOptional() throws Exception {
    try (SystemdNotifier systemd = notifier(Map.of("NOTIFY_SOCKET", "@notify"), recorder())) {
      systemd.begin(new Reads(1));
    }
    assertThat(calls())
        .containsExactly("READY=1 STATUS=follows 2 groups, 0 problems", "STOPPING=1");
  }
}
