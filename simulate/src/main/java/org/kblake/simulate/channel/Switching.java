package org.kblake.simulate.channel;

import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.Slice;
import org.kblake.simulate.machine.SplitMix;

/**
 * A channel that stays as it is until somebody or something changes it: set points, switches,
 * messages. The time between changes is memoryless. When it is connected it posts what it has.
 */
public abstract class Switching extends Signal {

  private boolean announce;

  Switching(int ordinal, long seed) {
    super(ordinal, seed);
  }

  /** Takes on another value. */
  abstract void change();

  abstract long bits();

  int packedStatus() {
    return PackedStatus.GOOD;
  }

  /** How long the present value lasts on average. */
  abstract double meanSeconds();

  @Override
  public final void connect(long atNanos) {
    super.connect(atNanos);
    announce = true;
  }

  @Override
  public final void run(Slice slice, Machine machine, long untilNanos) {
    while (nextNanos() < untilNanos) {
      if (announce) {
        announce = false;
      } else {
        change();
      }
      long time = nextNanos();
      slice.add(ordinal(), time, arrivalNanos(time, next()), packedStatus(), bits());
      double seconds = -StrictMath.log(SplitMix.unit(next())) * meanSeconds();
      nextNanos(time + SHORTEST_NANOS + (long) (seconds * Machine.SECOND_NANOS));
    }
  }
}
