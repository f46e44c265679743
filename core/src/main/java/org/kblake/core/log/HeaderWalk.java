package org.kblake.core.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;

/**
 * Walks the headers of a stretch of a log as fast as they can be read: the hot loop of every scan.
 * It goes on as long as events are as they should be, and leaves everything else to {@link
 * SegmentJudge}: it stops before the first event that is damaged, a milestone, or reaches past the
 * stretch. Strays show in {@link #earliestNanos} and {@link #latestNanos}.
 *
 * <p>Where the wanted events lie is remembered, as long as there is room, so that a scan for few
 * records reads the log once.
 */
final class HeaderWalk {

  /** Positions remembered in a segment: 256 KiB, whatever the file. */
  private static final int REMEMBERED = 1 << 16;

  private static final int MOST_SEVERE = 3;

  private final LogLayout layout;
  private final RecordTable records;
  private final EventRules rules;

  /** By ordinal: the length of an event with the most elements; the sign bit: not wanted. */
  private final long[] rule;

  private final int[] remembered;
  private int rememberedCount;
  private long startOffset;
  private long stopOffset;
  private long rememberedEndOffset;
  private int events;
  private long earliestNanos;
  private long latestNanos;

  /**
   * @param wanted ordinals of the records whose events are remembered; null: nothing is
   */
  HeaderWalk(LogLayout layout, EventRules rules, @Nullable BitSet wanted) {
    this.layout = layout;
    this.rules = rules;
    this.records = rules.records();
    rule = new long[records.size()];
    for (int ordinal = 0; ordinal < rule.length; ordinal++) {
      rule[ordinal] = rules.maxLength(ordinal);
      if (wanted != null && wanted.get(ordinal)) {
        rule[ordinal] |= Long.MIN_VALUE;
      }
    }
    remembered = new int[wanted == null ? 0 : REMEMBERED];
  }

  /**
   * Walks from an event to where a stretch ends.
   *
   * @param endOffset no event may reach past it
   */
  void run(LogWindow window, long fromOffset, long endOffset) throws IOException {
    startOffset = fromOffset;
    rememberedCount = 0;
    rememberedEndOffset = Long.MAX_VALUE;
    events = 0;
    earliestNanos = Long.MAX_VALUE;
    latestNanos = Long.MIN_VALUE;
    int head = layout.recordHeaderBytes();
    long offset = fromOffset;
    while (endOffset - offset >= head) {
      int at = window.show(offset, head);
      long base = window.base();
      int end = (int) Math.min(endOffset - base, Integer.MAX_VALUE);
      int last = Math.min(end, window.buffer().limit()) - head;
      int stop = walk(window.buffer(), at, last, end, base);
      offset = base + stop;
      if (stop <= last) {
        break;
      }
    }
    stopOffset = offset;
  }

  /**
   * @param last the last position at which a whole head is in reach
   * @param end the position that no event may reach past
   * @param base the log offset of position 0
   * @return the position of the first event that is not in reach or not as it should be
   */
  private int walk(ByteBuffer log, int from, int last, int end, long base) {
    LogLayout layout = this.layout;
    long earliest = earliestNanos;
    long latest = latestNanos;
    int count = 0;
    int at = from;
    while (at <= last) {
      int length = layout.length(log, at);
      int ordinal = records.ordinalOfId(layout.id(log, at));
      if (ordinal < 0) {
        break;
      }
      int state = layout.state(log, at);
      long allowed = rule[ordinal];
      if ((state != EventState.VALUE_CODE || (int) allowed != length)
          && !isUsual(ordinal, state, length)) {
        break;
      }
      if (layout.severity(log, at) > MOST_SEVERE || length > end - at) {
        break;
      }
      // An impossible time is the earliest of all, so it lies outside of any span.
      long nanos = layout.nanos(log, at);
      earliest = Math.min(earliest, nanos);
      latest = Math.max(latest, nanos);
      if (allowed < 0) {
        remember(base + at);
      }
      count++;
      at += length;
    }
    earliestNanos = earliest;
    latestNanos = latest;
    events += count;
    return at;
  }

  /** Connection events and waveforms of fewer elements: rarer than whole values. */
  private boolean isUsual(int ordinal, int state, int length) {
    return state <= EventState.VALUE_CODE && rules.isLength(ordinal, state, length);
  }

  private void remember(long offset) {
    if (offset >= rememberedEndOffset) {
      return;
    }
    long position = offset - startOffset;
    if (rememberedCount == remembered.length || position > Integer.MAX_VALUE) {
      rememberedEndOffset = offset;
      return;
    }
    remembered[rememberedCount++] = (int) position;
  }

  /** Where the walk ended: all events before it are as they should be, strays aside. */
  long stopOffset() {
    return stopOffset;
  }

  /** Events walked over. */
  int events() {
    return events;
  }

  /** The earliest time of the events, {@link Long#MAX_VALUE} if there are none. */
  long earliestNanos() {
    return earliestNanos;
  }

  /** The latest time of the events, {@link Long#MIN_VALUE} if there are none. */
  long latestNanos() {
    return latestNanos;
  }

  /** How many wanted events are remembered. */
  int rememberedCount() {
    return rememberedCount;
  }

  /** Where a remembered event lies. */
  long rememberedOffset(int i) {
    return startOffset + remembered[i];
  }

  /** From here on wanted events have to be looked for: there was no room for more. */
  long rememberedEndOffset() {
    return rememberedEndOffset;
  }
}
