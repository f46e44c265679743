package org.kblake.simulate.machine;

import java.util.Arrays;

/**
 * The events of a group in a short interval of time. Channels add their events one channel after
 * the other. {@link #sort} sorts all events by the time when the archiver received them.
 *
 * <p>Steps are faster than a queue of the next events of all channels. Each channel computes the
 * events of a whole step while its state is in the processor cache. A radix sort of 24-bit arrival
 * times needs two passes.
 *
 * <p>Events that arrive after the end of the step are moved to the next one.
 */
public final class Step {

  /** The longest step. 24 bits of 4,096 ns cover 8 s more. */
  public static final int MAX_SECONDS = 60;

  private static final int FIRST_EVENTS = 1024;
  private static final int KEY_SHIFT = 12;
  private static final int DIGIT_BITS = 12;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final long LAST_KEY = (1L << 2 * DIGIT_BITS) - 1;
  private static final int INDEX_BITS = 32;

  private final int[] low = new int[DIGITS];
  private final int[] high = new int[DIGITS];
  private int count;
  private int arrived;
  private long fromNanos;
  private int[] ordinals = new int[FIRST_EVENTS];
  private int[] packedStatus = new int[FIRST_EVENTS];
  private long[] timesNanos = new long[FIRST_EVENTS];
  private long[] arrivalsNanos = new long[FIRST_EVENTS];
  private long[] bits = new long[FIRST_EVENTS];
  private long[] keys = new long[FIRST_EVENTS];
  private long[] sorted = new long[FIRST_EVENTS];

  /** Begins the next step. It contains the events that have not arrived yet. */
  public void begin(long fromNanos) {
    this.fromNanos = fromNanos;
    int[] late = new int[count - arrived];
    for (int i = 0; i < late.length; i++) {
      late[i] = (int) sorted[arrived + i];
    }
    Arrays.sort(late);
    for (int i = 0; i < late.length; i++) {
      ordinals[i] = ordinals[late[i]];
      packedStatus[i] = packedStatus[late[i]];
      timesNanos[i] = timesNanos[late[i]];
      arrivalsNanos[i] = arrivalsNanos[late[i]];
      bits[i] = bits[late[i]];
    }
    count = late.length;
    arrived = 0;
  }

  /** Removes all events, as when the archiver stops. */
  public void clear() {
    count = 0;
    arrived = 0;
  }

  /**
   * @param packedStatus state, severity and status, see {@link PackedStatus}
   * @param bits the value, in the encoding of its channel's {@code Signal}
   */
  public void add(int ordinal, long timeNanos, long arrivalNanos, int packedStatus, long bits) {
    if (count == ordinals.length) {
      grow();
    }
    int at = count++;
    ordinals[at] = ordinal;
    this.packedStatus[at] = packedStatus;
    timesNanos[at] = timeNanos;
    arrivalsNanos[at] = arrivalNanos;
    this.bits[at] = bits;
  }

  private void grow() {
    int size = ordinals.length * 2;
    ordinals = Arrays.copyOf(ordinals, size);
    packedStatus = Arrays.copyOf(packedStatus, size);
    timesNanos = Arrays.copyOf(timesNanos, size);
    arrivalsNanos = Arrays.copyOf(arrivalsNanos, size);
    bits = Arrays.copyOf(bits, size);
    keys = new long[size];
    sorted = new long[size];
  }

  /** Returns the number of events, added or moved from the previous step. */
  public int size() {
    return count;
  }

  /**
   * Sorts events by arrival. Events of equal arrival stay in the order in which they were added.
   *
   * @param toNanos the end of the step
   * @return the number of events that have arrived before the end; {@link #at} returns their
   *     positions
   */
  public int sort(long toNanos) {
    Arrays.fill(low, 0);
    Arrays.fill(high, 0);
    for (int i = 0; i < count; i++) {
      long key = Math.min((arrivalsNanos[i] - fromNanos) >>> KEY_SHIFT, LAST_KEY);
      keys[i] = key << INDEX_BITS | i;
      low[(int) key & (DIGITS - 1)]++;
      high[(int) (key >>> DIGIT_BITS)]++;
    }
    pass(keys, sorted, low, INDEX_BITS);
    pass(sorted, keys, high, INDEX_BITS + DIGIT_BITS);
    long[] swap = keys;
    keys = sorted;
    sorted = swap;
    arrived = count;
    while (arrived > 0 && arrivalsNanos[(int) sorted[arrived - 1]] >= toNanos) {
      arrived--;
    }
    return arrived;
  }

  private void pass(long[] from, long[] to, int[] counts, int shift) {
    int start = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      int size = counts[digit];
      counts[digit] = start;
      start += size;
    }
    for (int i = 0; i < count; i++) {
      long key = from[i];
      to[counts[(int) (key >>> shift) & (DIGITS - 1)]++] = key;
    }
  }

  /** Returns the position of the n-th arrival. */
  public int at(int arrival) {
    return (int) sorted[arrival];
  }

  /** Returns the time when the archiver received an event, nanoseconds since 1970 UTC. */
  public long arrivalNanos(int at) {
    return arrivalsNanos[at];
  }

  public int ordinal(int at) {
    return ordinals[at];
  }

  public int packedStatus(int at) {
    return packedStatus[at];
  }

  public long timeNanos(int at) {
    return timesNanos[at];
  }

  public long bits(int at) {
    return bits[at];
  }
}
