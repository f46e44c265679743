package org.kblake.cli.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.ingest.internal.pace.Threads;

/**
 * Tells systemd that the process is ready, works, and stops. It calls the program {@code
 * systemd-notify}, because the JDK has no datagram sockets of Unix. Nothing is done if systemd does
 * not wait for notifications.
 *
 * <p>The watchdog of systemd restarts a process that does not notify it. It is notified at half of
 * its interval, only while each group was looked at in time. A group on an unresponsive volume does
 * not count, because a restart would not help.
 */
public final class SystemdNotifier implements AutoCloseable {

  private static final String PROGRAM = "systemd-notify";
  private static final long LIMIT_SECONDS = 10;
  private static final long READY_CHECK_MILLIS = 50;
  private static final Duration READY_LIMIT = Duration.ofSeconds(30);

  private final String program;
  private final Duration readyLimit;
  private final long everyMicros;
  private final RunLog log;
  private final @Nullable ScheduledExecutorService thread;
  private @Nullable String failure;
  private List<String> overdueBefore = List.of();

  /** The state of the process. */
  public interface State {

    /** Returns whether the process does its work, as {@code /ready} reports. */
    boolean isReady();

    /** Returns the groups at which no thread has looked in time. */
    List<String> overdue();

    /** Returns a line for {@code systemctl status}. */
    String summary();
  }

  /**
   * @param variables the environment, which has {@code NOTIFY_SOCKET} if systemd waits for
   *     notifications, and {@code WATCHDOG_USEC} if it watches the process
   */
  public SystemdNotifier(Map<String, String> variables, RunLog log) {
    this(variables, PROGRAM, READY_LIMIT, log);
  }

  /**
   * @param program the program to call
   * @param readyLimit the longest time until the process counts as ready
   */
  SystemdNotifier(Map<String, String> variables, String program, Duration readyLimit, RunLog log) {
    this.program = program;
    this.readyLimit = readyLimit;
    this.log = log;
    boolean waits = !variables.getOrDefault("NOTIFY_SOCKET", "").isEmpty();
    everyMicros = micros(variables.getOrDefault("WATCHDOG_USEC", "")) / 2;
    thread =
        waits ? Executors.newSingleThreadScheduledExecutor(Threads.named("kblake-systemd-")) : null;
  }

  private static long micros(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  /**
   * Reports that the process is ready as soon as its state says so, and begins to notify the
   * watchdog. An archive that does not respond delays this report for a limited time only: the
   * process has started, and a restart would not help.
   */
  public void begin(State state) {
    if (thread != null) {
      long untilNanos = System.nanoTime() + readyLimit.toNanos();
      thread.execute(() -> reportReady(thread, state, untilNanos));
    }
  }

  private void reportReady(ScheduledExecutorService own, State state, long untilNanos) {
    // The tasks end with the executor.
    ScheduledFuture<?> unused;
    if (!state.isReady() && System.nanoTime() - untilNanos < 0) {
      unused =
          own.schedule(
              () -> {
                if (!own.isShutdown()) {
                  reportReady(own, state, untilNanos);
                }
              },
              READY_CHECK_MILLIS,
              TimeUnit.MILLISECONDS);
      return;
    }
    send("READY=1", "STATUS=" + state.summary());
    if (everyMicros > 0) {
      unused = own.scheduleWithFixedDelay(() -> ping(state), 0, everyMicros, TimeUnit.MICROSECONDS);
    }
  }

  private void ping(State state) {
    try {
      List<String> overdue = state.overdue();
      if (overdue.isEmpty()) {
        send("WATCHDOG=1", "STATUS=" + state.summary());
      } else {
        if (!overdue.equals(overdueBefore)) {
          log.warn("watchdog is not notified", "groupsNotLookedAt", String.join(" ", overdue));
        }
        send("STATUS=not looked at in time: " + String.join(" ", overdue));
      }
      overdueBefore = overdue;
    } catch (RuntimeException e) {
      failed(e.toString());
    }
  }

  private void send(String... assignments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(assignments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          failed("no end within " + LIMIT_SECONDS + " s");
        } else if (process.exitValue() != 0) {
          failed("exit status " + process.exitValue());
        } else {
          failure = null;
        }
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      failed(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports a failure once, until it changes or ends. */
  private void failed(String reason) {
    if (!reason.equals(failure)) {
      failure = reason;
      log.warn("systemd cannot be notified", "program", program, "problem", reason);
    }
  }

  /** Reports that the process stops. Waits until this is done. */
  @Override
  public void close() {
    if (thread == null || thread.isShutdown()) {
      return;
    }
    thread.execute(() -> send("STOPPING=1"));
    thread.shutdown();
    Threads.awaitEnd(thread);
  }
}
