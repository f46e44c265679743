package org.kblake.simulate;

import java.util.List;
import org.kblake.simulate.channel.Signal;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.Schedule;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * An input/output controller (IOC). Its channels disconnect together when it restarts, and connect
 * together afterwards.
 */
final class SimulatedIoc {

  private static final long NOTICED_NANOS = 40_000_000L;
  private static final long SPREAD_NANOS = 3_000_000_000L;
  private static final long FIRST_VALUE_NANOS = 100_000_000L;
  private static final long EPICS_EPOCH_NANOS = 631_152_000L * Machine.SECOND_NANOS;
  private static final int MIN_RESTART_SECONDS = 90;
  private static final double MEAN_RESTART_SECONDS = 240;

  private final List<Signal> signals;
  private final Schedule schedule;
  private final SplitMix random;
  private boolean connected;
  private boolean restarted;
  private long downNanos;
  private long upNanos;

  SimulatedIoc(List<Signal> signals, Schedule schedule, long seed) {
    this.signals = List.copyOf(signals);
    this.schedule = schedule;
    random = new SplitMix(seed);
  }

  /** Begins the search of the archiver for the IOC's channels. */
  void start(long atNanos) {
    connected = false;
    restarted = false;
    upNanos = atNanos;
  }

  /** Adds the events of the IOC's channels before a time. */
  void run(Step step, Machine machine, long untilNanos) {
    while (true) {
      if (!connected) {
        if (upNanos >= untilNanos) {
          return;
        }
        connect(step, upNanos);
      }
      long endNanos = Math.min(untilNanos, downNanos);
      for (Signal signal : signals) {
        if (signal.nextNanos() < endNanos) {
          signal.run(step, machine, endNanos);
        }
      }
      if (downNanos >= untilNanos) {
        return;
      }
      disconnect(step);
    }
  }

  private void connect(Step step, long atNanos) {
    boolean clockLost = restarted && random.chance(schedule.clockLostShare());
    for (Signal signal : signals) {
      long time = atNanos + (long) (random.unit() * SPREAD_NANOS);
      step.add(signal.ordinal(), time, time, PackedStatus.CONNECTED, 0);
      if (clockLost && signal.showsZeroUndefined()) {
        long uptime = time - atNanos + MIN_RESTART_SECONDS * Machine.SECOND_NANOS;
        long arrival = time + FIRST_VALUE_NANOS / 2;
        step.add(signal.ordinal(), EPICS_EPOCH_NANOS + uptime, arrival, PackedStatus.UNDEFINED, 0);
      }
      signal.connect(time + FIRST_VALUE_NANOS + (random.next() >>> 40));
    }
    connected = true;
    double seconds = random.waiting(schedule.meanSecondsBetweenRestarts());
    long spread = 2 * SPREAD_NANOS;
    downNanos = atNanos + spread + (long) (seconds * Machine.SECOND_NANOS);
  }

  private void disconnect(Step step) {
    for (Signal signal : signals) {
      long time = downNanos + NOTICED_NANOS + (random.next() >>> 39);
      step.add(signal.ordinal(), time, time, PackedStatus.DISCONNECTED, 0);
    }
    double seconds = MIN_RESTART_SECONDS + random.waiting(MEAN_RESTART_SECONDS);
    upNanos = downNanos + (long) (seconds * Machine.SECOND_NANOS);
    connected = false;
    restarted = true;
  }
}
