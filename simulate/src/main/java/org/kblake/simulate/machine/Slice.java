package org.kblake.simulate.machine;

import java.util.Arrays;
import org.kblake.simulate.channel.Signal;

/**
 * The events of a group in one short stretch of time: channels add theirs one channel after the
 * other, {@link #sort} brings them into the order in which the archiver received them.
 *
 * <p>Why slices: a channel's next event is found fastest while its state is at hand, so each
 * channel runs through the whole slice at once, into arrays small enough for the cache; a radix
 * sort of 24-bit arrival times in two passes is cheaper than any queue of a thousand next events.
 *
 * <p>What arrives after the slice's end stays for the next one.
 */
public final class Slice {

  /** No slice is longer; 24 bits of 4,096 ns reach 8 s further. */
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

  /** Begins the next slice; only what has not arrived yet is in it. */
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

  /** Forgets everything: the archiver went down. */
  public void clear() {
    count = 0;
    arrived = 0;
  }

  /**
   * @param packedStatus state, severity and status as {@link PackedStatus} packs them
   * @param bits the value as its channel's {@link Signal} will read it
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

  /** How many events have been added, and stayed from before. */
  public int size() {
    return count;
  }

  /**
   * Sorts by arrival, equal arrivals in the order in which they were added.
   *
   * @param toNanos end of the slice
   * @return how many have arrived before the end; {@link #at} gives their positions
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

  /** Where the n-th arrival lies. */
  public int at(int arrival) {
    return (int) sorted[arrival];
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
