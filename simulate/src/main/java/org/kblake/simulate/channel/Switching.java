package org.kblake.simulate.channel;

import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * A channel whose value is constant between changes: a set point, a switch or a message. The time
 * between changes has an exponential distribution. When the channel is connected it posts its
 * value.
 */
public abstract class Switching extends Signal {

  private boolean announce;

  Switching(int ordinal, long seed) {
    super(ordinal, seed);
  }

  /** Changes the value. */
  abstract void change();

  abstract long bits();

  int packedStatus() {
    return PackedStatus.GOOD;
  }

  /** Returns the mean time until the current value changes. */
  abstract double meanSeconds();

  @Override
  public final void connect(long atNanos) {
    super.connect(atNanos);
    announce = true;
  }

  @Override
  public final void run(Step step, Machine machine, long untilNanos) {
    while (nextNanos() < untilNanos) {
      if (announce) {
        announce = false;
      } else {
        change();
      }
      long time = nextNanos();
      step.add(ordinal(), time, arrivalNanos(time, next()), packedStatus(), bits());
      double seconds = -StrictMath.log(SplitMix.unit(next())) * meanSeconds();
      nextNanos(time + SHORTEST_NANOS + (long) (seconds * Machine.SECOND_NANOS));
    }
  }
}
