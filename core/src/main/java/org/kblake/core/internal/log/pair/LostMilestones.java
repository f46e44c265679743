package org.kblake.core.internal.log.pair;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;

/**
 * The milestones of an index that lie behind the end of its log. kblog writes a milestone before
 * its index entry, so the log had these bytes. If the pair grows, they may become visible later. If
 * it is closed, they are lost.
 *
 * @param file the log
 * @param logBytes the bytes of the log that count as written
 * @param headerBytes the least bytes of a milestone. The log may have the begin of the first one
 * @param milestones the milestones, in log order
 */
public record LostMilestones(Path file, long logBytes, int headerBytes, Milestones milestones) {

  /**
   * Returns the milestones behind the end of a log.
   *
   * @param index the index; entries before one that leads into the log are not lost but broken, and
   *     do not count
   * @param logBytes the bytes of the log that count as written
   * @param earliestNanos the time of a milestone whose entry has an impossible time
   */
  static LostMilestones of(Path file, IndexFile index, long logBytes, long earliestNanos) {
    int entries = index.milestoneEntries();
    int first = firstEntry(index, logBytes);
    long[] offsets = new long[entries - first];
    long[] nanos = new long[entries - first];
    int count = 0;
    for (int i = first; i < entries; i++) {
      long offset = index.logOffset(i);
      if (offset < 0 || count > 0 && offset <= offsets[count - 1]) {
        continue;
      }
      long time = index.nanos(i);
      long before = count == 0 ? earliestNanos : nanos[count - 1];
      offsets[count] = offset;
      nanos[count++] = time == LogLayout.IMPOSSIBLE_NANOS ? before : time;
    }
    return new LostMilestones(
        file,
        logBytes,
        index.layout().eventHeaderBytes(),
        new Milestones(Arrays.copyOf(offsets, count), Arrays.copyOf(nanos, count)));
  }

  /**
   * Returns the milestones behind the end of a log of which a block has the index.
   *
   * @param indexHead the bytes of the index before the milestone table
   * @param indexTail the other bytes of the index
   */
  public static LostMilestones of(
      Path file, byte[] indexHead, byte[] indexTail, long logBytes, List<LogLayout> layouts) {
    for (LogLayout layout : layouts) {
      ByteBuffer head = ByteBuffer.wrap(indexHead);
      ByteOrder order = head.limit() < layout.magicBytes() ? null : layout.recognise(head);
      if (order != null) {
        ByteBuffer tail = ByteBuffer.wrap(indexTail).order(order);
        IndexFile index = new IndexFile(layout, order, new RecordTable(List.of()), tail, 0);
        return of(file, index, logBytes, 0);
      }
    }
    return none(file);
  }

  /** Returns that a log has lost nothing. */
  public static LostMilestones none(Path file) {
    return new LostMilestones(file, 0, 0, new Milestones(new long[0], new long[0]));
  }

  /**
   * Returns the times of the milestones around a span of the log that is lost.
   *
   * @param fromOffset the begin of the span
   * @param toOffset the milestone behind it; {@link Long#MAX_VALUE} if the pair ends with it
   * @param insideNanos the time of the last milestone that the log has
   * @param intervalNanos the milestone interval
   * @param endNanos the begin of the next pair
   */
  TimeSpan times(
      long fromOffset, long toOffset, long insideNanos, long intervalNanos, long endNanos) {
    int first = milestones.lastUpTo(fromOffset);
    TimeSpan times = TimeSpan.at(first < 0 ? insideNanos : milestones.nanos(first));
    for (int i = Math.max(0, first);
        i < milestones.count() && milestones.offset(i) <= toOffset;
        i++) {
      times = times.and(milestones.nanos(i));
    }
    long end = Math.min(times.plusTo(intervalNanos).plusTo(intervalNanos).toNanos(), endNanos);
    return toOffset == Long.MAX_VALUE && end > times.toNanos() ? times.and(end) : times;
  }

  /** Returns the first of the last entries of an index that do not lead into a log. */
  static int firstEntry(IndexFile index, long logBytes) {
    int first = index.milestoneEntries();
    while (first > 0 && !leadsInside(index.logOffset(first - 1), index, logBytes)) {
      first--;
    }
    return first;
  }

  private static boolean leadsInside(long offset, IndexFile index, long logBytes) {
    return offset >= 0 && offset + index.layout().eventHeaderBytes() <= logBytes;
  }

  public boolean isEmpty() {
    return milestones.count() == 0;
  }

  /** Returns the offset up to which the log certainly was: behind its last milestone. */
  public long knownEndOffset() {
    return isEmpty() ? logBytes : milestones.offset(milestones.count() - 1) + headerBytes;
  }

  /**
   * Returns those of the milestones that begin before {@code toOffset} of the log, and that are not
   * whole before {@code fromOffset}.
   */
  public LostMilestones within(long fromOffset, long toOffset) {
    return new LostMilestones(
        file, logBytes, headerBytes, milestones.within(fromOffset - headerBytes + 1, toOffset));
  }

  /** Returns one line for users. */
  @Override
  public String toString() {
    return "log has lost its end: file="
        + file
        + ", bytes="
        + logBytes
        + (isEmpty()
            ? ""
            : ", milestones lost=" + milestones.count() + ", from offset=" + milestones.offset(0))
        + "; put the whole log back";
  }
}
