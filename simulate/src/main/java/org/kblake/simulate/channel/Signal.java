package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * The running state of one channel. It computes the time and the value of the next event.
 *
 * <p>A signal reads no clock. It is run step after step, and keeps its state in a few fields
 * between steps. It has its own stream of random numbers, so that the bytes of a channel do not
 * depend on other channels.
 */
public abstract class Signal {

  /** The bits of the delay from a scan to the time stamp of its event, up to 2.1 ms. */
  static final int JITTER_BITS = 21;

  /**
   * The shortest interval between events of a channel: 100 ms, more than any delay of their
   * delivery.
   */
  static final long SHORTEST_NANOS = 100_000_000L;

  private static final int BASE_DELAY_BITS = 16;
  private static final int DELAY_BITS = 17;
  private static final long LOST_PACKET_MASK = (1L << 11) - 1;
  private static final int LOST_PACKET_SHIFT = 36;
  private static final int LOST_PACKET_BITS = 25;

  private final int ordinal;
  private final long baseDelayNanos;
  private long random;
  private long nextNanos;

  /**
   * @param ordinal the channel's index in its group's record table
   * @param seed the seed of the channel's random numbers
   */
  Signal(int ordinal, long seed) {
    this.ordinal = ordinal;
    random = seed;
    baseDelayNanos = next() >>> (Long.SIZE - BASE_DELAY_BITS);
  }

  /**
   * Adds every event that is due before a time.
   *
   * @param machine the machine that the channel follows; its current step contains the time
   */
  public abstract void run(Step step, Machine machine, long untilNanos);

  /**
   * Connects the channel. An event with its value is due at a time, whether the value changed or
   * not.
   */
  public void connect(long atNanos) {
    nextNanos = atNanos;
  }

  /**
   * Makes the channel the cause of an abort: it posts a value at a time, and stays there.
   *
   * @param sigmas the distance of the value from the mean of the hour before, in standard
   *     deviations
   */
  public void cause(long atNanos, double sigmas) {
    throw new UnsupportedOperationException("not a steady reading: ordinal=" + ordinal);
  }

  /** Returns the time when the next event is due, nanoseconds since 1970 UTC. */
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

  /**
   * Returns the state of the channel's random stream, for loops that keep it in a local variable.
   */
  final long random() {
    return random;
  }

  final void random(long state) {
    random = state;
  }

  /**
   * Returns the time when the archiver receives an event, at most a fifth of a millisecond after
   * the event. A rare lost packet adds some ten milliseconds. All delays are shorter than the
   * shortest interval, because a Channel Access circuit delivers events in order.
   */
  final long arrivalNanos(long timeNanos, long random) {
    long delay = baseDelayNanos + (random >>> (Long.SIZE - DELAY_BITS));
    if ((random >>> LOST_PACKET_SHIFT & LOST_PACKET_MASK) == 0) {
      delay += random >>> (Long.SIZE - LOST_PACKET_BITS);
    }
    return timeNanos + delay;
  }

  /**
   * Returns whether the channel has zero with the status UDF until its record is first processed,
   * as numbers have.
   */
  public boolean showsZeroUndefined() {
    return true;
  }

  /**
   * Returns the elements of a waveform event.
   *
   * @param bits the bits that the signal added
   * @param target receives the elements, encoded as in {@code EventColumns.values}
   * @return the number of elements
   */
  public int elements(long bits, long[] target) {
    throw new UnsupportedOperationException("not a waveform: ordinal=" + ordinal);
  }

  /** Returns the UTF-8 bytes of a string event. */
  public byte[] text(long bits) {
    throw new UnsupportedOperationException("not a string: ordinal=" + ordinal);
  }

  /** Returns a number encoded as an element of a type. */
  static long encode(ValueType type, double value) {
    return switch (type) {
      case DOUBLE -> Double.doubleToRawLongBits(value);
      case FLOAT -> Float.floatToRawIntBits((float) value) & 0xFFFFFFFFL;
      case LONG -> (int) value;
      case SHORT -> (short) value;
      case ENUM -> (int) value & 0xFFFF;
      case CHAR -> (int) value & 0xFF;
      case STRING -> throw new IllegalArgumentException("a string is not a number");
    };
  }
}
