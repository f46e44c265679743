package org.kblake.cli.run.status;

import java.time.Duration;
import java.time.Instant;
import org.kblake.cli.process.ThisProcess;

/** The liveness of the process that wrote a status. */
public enum Liveness {
  RUNNING,

  /** The process reported its end. */
  STOPPED,

  /** The process ended without a last status. */
  DEAD,

  /** The process has not written its status for long, and cannot be checked from this host. */
  STALE;

  private static final int MISSED_WRITES = 3;

  /** Returns the liveness from the status and, on the same host, from the process ID. */
  public static Liveness of(RunStatus status, Instant now) {
    if (status.state() == RunStatus.State.stopped) {
      return STOPPED;
    }
    boolean here = status.host().equals(ThisProcess.host()) && ThisProcess.canSeeOthers();
    if (here && !ThisProcess.isRunning(status.pid(), Instant.parse(status.since()))) {
      return DEAD;
    }
    return age(status, now).compareTo(staleAfter(status)) > 0 ? STALE : RUNNING;
  }

  /** Returns the time since a status was written. */
  public static Duration age(RunStatus status, Instant now) {
    return Duration.between(Instant.parse(status.written()), now);
  }

  private static Duration staleAfter(RunStatus status) {
    Duration every = Duration.ofSeconds(status.everySeconds());
    Duration least = StatusFile.AT_LEAST_EVERY;
    return (every.compareTo(least) > 0 ? every : least).multipliedBy(MISSED_WRITES);
  }
}
