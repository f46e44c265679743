package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.Slice;
import org.kblake.simulate.machine.SplitMix;

/**
 * One channel as it runs: it computes the time and the value of its next event.
 *
 * <p>A signal never looks at a clock; it is run slice after slice. Between slices its state is a
 * handful of fields, its random numbers its own stream, so that what one channel does changes no
 * other's bytes.
 */
public abstract class Signal {

  /** An event is stamped up to 2.1 ms after its scan was due. */
  static final int JITTER_BITS = 21;

  /** No two events of a channel are closer: 100 ms, more than any delay on the way. */
  static final long SHORTEST_NANOS = 100_000_000L;

  private static final int BASE_DELAY_BITS = 16;
  private static final int DELAY_BITS = 17;
  private static final long HICCUP = (1L << 11) - 1;
  private static final int HICCUP_SHIFT = 36;
  private static final int HICCUP_BITS = 25;

  private final int ordinal;
  private final long baseDelayNanos;
  private long random;
  private long nextNanos;

  /**
   * @param ordinal the channel's place in its group's record table
   * @param seed of the channel's random numbers
   */
  Signal(int ordinal, long seed) {
    this.ordinal = ordinal;
    random = seed;
    baseDelayNanos = next() >>> (Long.SIZE - BASE_DELAY_BITS);
  }

  /**
   * Adds every event that is due before the given time.
   *
   * @param machine what the channel may follow; its present slice holds the given time
   */
  public abstract void run(Slice slice, Machine machine, long untilNanos);

  /**
   * The channel has just been connected: what it shows is due at the given time, whether it changed
   * or not.
   */
  public void connect(long atNanos) {
    nextNanos = atNanos;
  }

  /** When the next event is due, nanoseconds since 1970 UTC. */
  public final long nextNanos() {
    return nextNanos;
  }

  final void nextNanos(long nanos) {
    nextNanos = nanos;
  }

  public final int ordinal() {
    return ordinal;
  }

  final long next() {
    return SplitMix.mix(random += SplitMix.GAMMA);
  }

  /** The state of the channel's random stream, for loops that keep it in a local. */
  final long random() {
    return random;
  }

  final void random(long state) {
    random = state;
  }

  /**
   * When the archiver receives an event: a fifth of a millisecond at most after its time, but for a
   * lost packet now and then, which costs some ten milliseconds. A circuit delivers in order, so no
   * delay is longer than the shortest interval.
   */
  final long arrivalNanos(long timeNanos, long random) {
    long delay = baseDelayNanos + (random >>> (Long.SIZE - DELAY_BITS));
    if ((random >>> HICCUP_SHIFT & HICCUP) == 0) {
      delay += random >>> (Long.SIZE - HICCUP_BITS);
    }
    return timeNanos + delay;
  }

  /**
   * Whether the channel is a number, which is zero and undefined until its record is first
   * processed.
   */
  public boolean showsZeroUndefined() {
    return true;
  }

  /**
   * The elements of a waveform event.
   *
   * @param bits as the signal added them
   * @param target takes the elements, as {@code EventColumns.values} holds them
   * @return how many
   */
  public int elements(long bits, long[] target) {
    throw new UnsupportedOperationException("not a waveform: ordinal=" + ordinal);
  }

  /** The UTF-8 bytes of a string event; the signal's own array. */
  public byte[] text(long bits) {
    throw new UnsupportedOperationException("not a string: ordinal=" + ordinal);
  }

  /** A number's bits as an element of the given type. */
  static long encode(ValueType type, double value) {
    return switch (type) {
      case DOUBLE -> Double.doubleToRawLongBits(value);
      case FLOAT -> Float.floatToRawIntBits((float) value) & 0xFFFFFFFFL;
      case LONG -> (int) value;
      case SHORT -> (short) value;
      case ENUM -> (int) value & 0xFFFF;
      case CHAR -> (int) value & 0xFF;
      case STRING -> throw new IllegalArgumentException("a string is no number");
    };
  }
}
