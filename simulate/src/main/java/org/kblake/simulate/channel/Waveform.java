package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Gaussian;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.ScanIntervals;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * A channel of a {@link WaveformKind}. The bits of an event are a seed and the beam's level. The
 * elements are computed from these bits when the event is written.
 */
final class Waveform extends Signal {

  private static final int INTERVAL_SHIFT = 33;
  private static final long JITTER_MASK = (1L << JITTER_BITS) - 1;
  private static final int LEVEL_SHIFT = 32;

  private final WaveformKind kind;
  private final long[] intervals;
  private final float[] shares;

  Waveform(WaveformKind kind, int ordinal, long seed) {
    super(ordinal, seed);
    this.kind = kind;
    intervals = kind.intervals().nanos();
    shares = shares(kind, new SplitMix(SplitMix.derive(seed, "waveform")));
  }

  private static float[] shares(WaveformKind kind, SplitMix own) {
    float[] shares = new float[kind.elementCount()];
    int filled = kind.spacing() == 1 ? shares.length : shares.length * 9 / 10;
    for (int i = 0; i < filled; i += kind.spacing()) {
      shares[i] = (float) (kind.swing() * own.between(0.8, 1.2));
    }
    return shares;
  }

  @Override
  public void run(Step step, Machine machine, long untilNanos) {
    double[] levels = machine.levels(kind.quantity());
    long due = nextNanos();
    while (due < untilNanos) {
      long random = next();
      float level = (float) levels[(int) ((due - machine.stepNanos()) / Machine.SECOND_NANOS)];
      long bits = (long) Float.floatToRawIntBits(level) << LEVEL_SHIFT | next() >>> LEVEL_SHIFT;
      long time = due + (random >>> 12 & JITTER_MASK);
      step.add(ordinal(), time, arrivalNanos(time, random), PackedStatus.GOOD, bits);
      due += intervals[(int) (random >>> INTERVAL_SHIFT) & (ScanIntervals.COUNT - 1)];
    }
    nextNanos(due);
  }

  @Override
  public boolean showsZeroUndefined() {
    return false;
  }

  @Override
  public int elements(long bits, long[] target) {
    float level = Float.intBitsToFloat((int) (bits >>> LEVEL_SHIFT));
    long state = bits & 0xFFFFFFFFL;
    ValueType type = kind.type();
    boolean counted = type != ValueType.DOUBLE && type != ValueType.FLOAT;
    for (int i = 0; i < shares.length; i++) {
      double noise = kind.sigma() * Gaussian.of(SplitMix.mix(state += SplitMix.GAMMA));
      int counts = (int) (kind.pedestal() + shares[i] * level + noise + 0.5);
      counts = Math.max(0, counts);
      target[i] = counted ? counts : encode(type, counts * kind.calibration());
    }
    return shares.length;
  }
}
