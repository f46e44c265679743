package org.kblake.cli.process;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The identity of a process, so that others can check whether it still lives. */
public final class ThisProcess {

  private ThisProcess() {}

  /** Its number. */
  public static long pid() {
    return ProcessHandle.current().pid();
  }

  /** The machine it runs on. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** When this process began, to the second. */
  public static Instant since() {
    return since(ProcessHandle.current());
  }

  private static Instant since(ProcessHandle process) {
    return process.info().startInstant().orElseGet(Instant::now).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Whether the numbers of other processes mean anything here. */
  public static boolean seesOthers() {
    return ProcessHandle.of(1).isPresent();
  }

  /** Whether a process of this host that began at a time still runs. */
  public static boolean lives(long pid, Instant since) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .map(process -> Math.abs(since(process).getEpochSecond() - since.getEpochSecond()) <= 2)
        .orElse(false);
  }
}
