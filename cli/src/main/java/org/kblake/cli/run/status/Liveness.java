package org.kblake.cli.run.status;

import java.time.Duration;
import java.time.Instant;
import org.kblake.cli.process.ThisProcess;

/** Whether the process that wrote a status still runs. */
public enum Liveness {
  RUNNING,

  /** It said that it ended. */
  STOPPED,

  /** It ended without a last status. */
  DEAD,

  /** It has not written for long, and cannot be asked from here. */
  STALE;

  private static final int MISSED_WRITES = 3;

  /** Tells by the status and, on the same host, by the process's number. */
  public static Liveness of(RunStatus status, Instant now) {
    if (status.state() == RunStatus.State.stopped) {
      return STOPPED;
    }
    boolean here = status.host().equals(ThisProcess.host()) && ThisProcess.seesOthers();
    if (here && !ThisProcess.lives(status.pid(), Instant.parse(status.since()))) {
      return DEAD;
    }
    return age(status, now).compareTo(staleAfter(status)) > 0 ? STALE : RUNNING;
  }

  /** How long ago a status was written. */
  public static Duration age(RunStatus status, Instant now) {
    return Duration.between(Instant.parse(status.written()), now);
  }

  private static Duration staleAfter(RunStatus status) {
    Duration every = Duration.ofSeconds(status.everySeconds());
    Duration least = StatusFile.AT_LEAST_EVERY;
    return (every.compareTo(least) > 0 ? every : least).multipliedBy(MISSED_WRITES);
  }
}
