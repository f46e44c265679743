package org.kblake.core.layout;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.kblake.core.model.EventState;

/** {@link HeaderLoop} of the {@link ReferenceLayout}. */
final class ReferenceHeaderLoop extends HeaderLoop {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** State and severity, the state in the upper half. */
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private static final int MOST_SEVERE = 3;

  private final boolean littleEndian;

  ReferenceHeaderLoop(ByteOrder order) {
    littleEndian = order == ByteOrder.LITTLE_ENDIAN;
  }

  @Override
  public int pass(byte[] log, int from, int last, int end, int[] usualLength) {
    boolean little = littleEndian;
    long earliest = earliestKey;
    long latest = latestKey;
    int count = 0;
    int before = 0;
    int at = from;
    while (at <= last) {
      long head = pair(log, at, little);
      int length = (int) (head >>> Integer.SIZE);
      int id = (int) head;
      if (Integer.compareUnsigned(id, usualLength.length) >= 0
          || usualLength[id] != length
          || length > end - at
          || ((short) SHORT.get(log, at + ReferenceLayout.STATE_OFFSET) & ~MOST_SEVERE)
              != EventState.VALUE_CODE << Byte.SIZE) {
        break;
      }
      long key = ReferenceLayout.timeKey(pair(log, at + ReferenceLayout.TIME_OFFSET, little));
      if (key < earliest) {
        earliest = key;
      }
      if (key > latest) {
        latest = key;
      }
      count++;
      // Mostly an event is as long as the one before it. The processor takes that for granted and
      // reads the next head before this one's length is there.
      if (length == before) {
        at += before;
      } else {
        at += length;
        before = length;
      }
    }
    earliestKey = earliest;
    latestKey = latest;
    events += count;
    return at;
  }

  /** Two neighbouring numbers of 32 bits, the first in the upper half. */
  private static long pair(byte[] log, int at, boolean little) {
    long both = (long) LONG.get(log, at);
    return little ? Long.rotateLeft(Long.reverseBytes(both), Integer.SIZE) : both;
  }
}
