package org.kblake.cli.process;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The identity of this process. Other processes use it to check whether the process still runs. */
public final class ThisProcess {

  private ThisProcess() {}

  /** Returns the process ID. */
  public static long pid() {
    return ProcessHandle.current().pid();
  }

  /** Returns the name of the host. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** Returns the start time of this process, to the second. */
  public static Instant since() {
    return since(ProcessHandle.current());
  }

  private static Instant since(ProcessHandle process) {
    return process.info().startInstant().orElseGet(Instant::now).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Returns whether other processes of the host are visible here. */
  public static boolean canSeeOthers() {
    return ProcessHandle.of(1).isPresent();
  }

  /**
   * Lowers the priority of this process and of the threads that it starts. Without the command
   * {@code renice} the priority stays.
   *
   * @param by the increment of the niceness, as for {@code nice -n}
   */
  public static void lowerPriority(String by) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("renice", "-n", by, "-p"));
    String[] threads = new File("/proc/self/task").list();
    if (threads == null) {
      command.add(Long.toString(pid()));
    } else {
      // Linux has a priority for each thread.
      command.addAll(List.of(threads));
    }
    ProcessBuilder renice =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // Without this variable the number is the niceness itself on Linux, and not an increment.
    renice.environment().put("POSIXLY_CORRECT", "1");
    try {
      int unused = renice.start().waitFor();
    } catch (IOException e) {
      // There is no such command.
    }
  }

  /** Returns the arguments of a process of this host; empty if they are not visible. */
  public static List<String> arguments(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().arguments())
        .map(List::of)
        .orElse(List.of());
  }

  /** Returns whether a process of this host with a start time still runs. */
  public static boolean isRunning(long pid, Instant since) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .map(process -> Math.abs(since(process).getEpochSecond() - since.getEpochSecond()) <= 2)
        .orElse(false);
  }
}
