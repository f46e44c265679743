package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.ScanIntervals;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * An increasing counter, such as heartbeats, pulses or hours of operation.
 *
 * @param increment the mean increment from event to event; the counter wraps around within its type
 */
public record CounterKind(String label, ValueType type, ScanIntervals intervals, int increment)
    implements SignalKind {

  @Override
  public double eventsPerSecond() {
    return 1 / intervals.meanSeconds();
  }

  @Override
  public Signal create(int ordinal, long seed) {
    SplitMix own = new SplitMix(SplitMix.derive(seed, "counter"));
    long first = own.below(1 << 20);
    long[] nanos = intervals.nanos();
    return new Signal(ordinal, seed) {

      private long count = first;

      @Override
      public void run(Step step, Machine machine, long untilNanos) {
        long due = nextNanos();
        while (due < untilNanos) {
          long random = next();
          count += increment == 1 ? 1 : (long) (SplitMix.unit(next()) * (2 * increment + 1));
          long time = due + (random >>> 12 & ((1L << JITTER_BITS) - 1));
          step.add(
              ordinal,
              time,
              arrivalNanos(time, random),
              PackedStatus.GOOD,
              encode(type, (int) count));
          due += nanos[(int) (random >>> 33) & (ScanIntervals.COUNT - 1)];
        }
        nextNanos(due);
      }
    };
  }
}
