package org.kblake.core.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.model.EventState;

/**
 * The {@link HeaderLoop} of the {@link ReferenceLayout}.
 *
 * <p>Most events are values of one double, and thus have the same length. After a few of them in a
 * row, four headers are read and checked at a time. The stride of that loop is a constant, so the
 * JVM checks the bounds of the log before the loop and not at each read. All other events are
 * checked one by one.
 */
final class ReferenceHeaderLoop extends HeaderLoop {

  /** The length of a value of one double. */
  private static final int DOUBLE_BYTES = 28;

  /** The positions of the events of a batch behind its first one. */
  private static final int SECOND = DOUBLE_BYTES;

  private static final int THIRD = 2 * DOUBLE_BYTES;
  private static final int FOURTH = 3 * DOUBLE_BYTES;

  private static final int TIME = ReferenceLayout.TIME_OFFSET;
  private static final int STATE = ReferenceLayout.STATE_OFFSET;

  private static final int BATCH_EVENTS = 4;
  private static final int BATCH_BYTES = BATCH_EVENTS * DOUBLE_BYTES;

  /** A header's first half, with the length of a double and the id 0. */
  private static final long DOUBLE_HEAD = (long) DOUBLE_BYTES << Integer.SIZE;

  /** The number of consecutive batches from which on batches are faster than single events. */
  private static final int WORTHWHILE_BATCHES = 4;

  private static final int MIN_EQUAL = 4;
  private static final int MAX_EQUAL = 256;

  /** A summand that sets the sign bit of nanoseconds if they are 1,000,000,000 or more. */
  private static final int TO_SIGN = (int) ((1L << 31) - ReferenceLayout.SECOND_NANOS);

  private final boolean littleEndian;

  /**
   * The number of events of equal length after which a batch is tried. It is doubled each time that
   * batches end early, because lengths vary there.
   */
  private int enoughEqual = MIN_EQUAL;

  ReferenceHeaderLoop(ByteOrder order) {
    littleEndian = order == ByteOrder.LITTLE_ENDIAN;
  }

  @Override
  public int pass(ByteBuffer log, int from, int last, int end, int[] usualLength) {
    boolean little = littleEndian;
    int notSeverity =
        little
            ? 0xFFFF & ~(EventRules.MAX_SEVERITY << Byte.SIZE)
            : 0xFFFF & ~EventRules.MAX_SEVERITY;
    int value = little ? EventState.VALUE_CODE : EventState.VALUE_CODE << Byte.SIZE;
    long earliest = earliestKey;
    long latest = latestKey;
    int count = 0;
    int before = 0;
    int equal = 0;
    int at = from;
    while (at <= last) {
      if (equal >= enoughEqual) {
        equal = 0;
        if (before == DOUBLE_BYTES) {
          earliestKey = earliest;
          latestKey = latest;
          at = passDoubles(log, at, last, end, usualLength);
          earliest = earliestKey;
          latest = latestKey;
          if (at > last) {
            break;
          }
        }
      }
      long head = pair(log, at, little);
      int length = (int) (head >>> Integer.SIZE);
      int id = (int) head;
      if (Integer.compareUnsigned(id, usualLength.length) >= 0
          || usualLength[id] != length
          || length > end - at
          || (log.getShort(at + STATE) & notSeverity) != value) {
        break;
      }
      long key = ReferenceLayout.timeKey(pair(log, at + TIME, little));
      if (key < earliest) {
        earliest = key;
      }
      if (key > latest) {
        latest = key;
      }
      count++;
      at += length;
      equal = length == before ? equal + 1 : 0;
      before = length;
    }
    earliestKey = earliest;
    latestKey = latest;
    events += count;
    return at;
  }

  /**
   * Skips values of one double, four at a time. Returns the position of the first four events that
   * are not all such values.
   */
  private int passDoubles(ByteBuffer log, int from, int last, int end, int[] usualLength) {
    int limit = Math.min(last - FOURTH, end - BATCH_BYTES);
    int to = passBatches(log, from, limit, usualLength);
    int batches = (to - from) / BATCH_BYTES;
    events += batches * BATCH_EVENTS;
    enoughEqual = batches < WORTHWHILE_BATCHES ? Math.min(MAX_EQUAL, 2 * enoughEqual) : MIN_EQUAL;
    return to;
  }

  private int passBatches(ByteBuffer log, int from, int limit, int[] usualLength) {
    boolean little = littleEndian;
    int notSeverity =
        little
            ? 0xFFFF & ~(EventRules.MAX_SEVERITY << Byte.SIZE)
            : ~EventRules.MAX_SEVERITY << Short.SIZE;
    int value = little ? EventState.VALUE_CODE : EventState.VALUE_CODE << 24;
    int idMask = usualLength.length - 1;
    long notId = ~(long) idMask;
    long earliest = Long.MAX_VALUE;
    long latest = Long.MIN_VALUE;
    int at = from;
    for (; at <= limit; at += BATCH_BYTES) {
      long head0 = pair(log, at, little);
      long head1 = pair(log, at + SECOND, little);
      long head2 = pair(log, at + THIRD, little);
      long head3 = pair(log, at + FOURTH, little);
      // All upper halves equal a number if both their OR and their AND equal it.
      long heads =
          ((head0 | head1 | head2 | head3) & notId ^ DOUBLE_HEAD)
              | ((head0 & head1 & head2 & head3) >>> Integer.SIZE ^ DOUBLE_BYTES);
      int lengths =
          (usualLength[(int) head0 & idMask] ^ DOUBLE_BYTES)
              | (usualLength[(int) head1 & idMask] ^ DOUBLE_BYTES)
              | (usualLength[(int) head2 & idMask] ^ DOUBLE_BYTES)
              | (usualLength[(int) head3 & idMask] ^ DOUBLE_BYTES);
      int states =
          ((log.getInt(at + STATE) ^ value)
                  | (log.getInt(at + (SECOND + STATE)) ^ value)
                  | (log.getInt(at + (THIRD + STATE)) ^ value)
                  | (log.getInt(at + (FOURTH + STATE)) ^ value))
              & notSeverity;
      long time0 = pair(log, at + TIME, little);
      long time1 = pair(log, at + (SECOND + TIME), little);
      long time2 = pair(log, at + (THIRD + TIME), little);
      long time3 = pair(log, at + (FOURTH + TIME), little);
      int impossible =
          signIfImpossible(time0)
              | signIfImpossible(time1)
              | signIfImpossible(time2)
              | signIfImpossible(time3);
      // The sign bit of seconds is set from 2058 on. The loop over single events handles such
      // times.
      long unusual = (time0 | time1 | time2 | time3 | impossible) & Long.MIN_VALUE;
      if ((heads | lengths | states | unusual) != 0) {
        break;
      }
      earliest = Math.min(earliest, Math.min(Math.min(time0, time1), Math.min(time2, time3)));
      latest = Math.max(latest, Math.max(Math.max(time0, time1), Math.max(time2, time3)));
    }
    if (at > from) {
      earliestKey = Math.min(earliestKey, ReferenceLayout.timeKey(earliest));
      latestKey = Math.max(latestKey, ReferenceLayout.timeKey(latest));
    }
    return at;
  }

  /** Returns a negative number if the nanoseconds in the lower half are a second or more. */
  private static int signIfImpossible(long secondsAndNanos) {
    int nanos = (int) secondsAndNanos;
    return nanos | nanos + TO_SIGN;
  }

  /** Returns two neighbouring numbers of 32 bits, the first in the upper half. */
  private static long pair(ByteBuffer log, int at, boolean little) {
    long both = log.getLong(at);
    return little ? Long.rotateLeft(both, Integer.SIZE) : both;
  }
}
