package org.kblake.cli.run.status;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Rates of counters over the last minute. Confined to one thread. */
public final class Rates {

  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, RunStatus.Counters counters) {}

  /** Takes a sample of the counters, and returns their growth per second. */
  public RunStatus.Rates sample(RunStatus.Counters counters, long nowNanos) {
    samples.addLast(new Sample(nowNanos, counters));
    while (samples.size() > 2 && nowNanos - samples.getFirst().nanos > WINDOW_NANOS) {
      samples.removeFirst();
    }
    Sample first = samples.getFirst();
    double seconds = (nowNanos - first.nanos) * 1e-9;
    if (seconds <= 0) {
      return new RunStatus.Rates(0, 0);
    }
    return new RunStatus.Rates(
        Math.round((counters.events() - first.counters.events()) / seconds),
        Math.round((counters.rawBytes() - first.counters.rawBytes()) / seconds));
  }
}
