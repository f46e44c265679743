package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.HeaderLoop;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * A walk over the event headers of a span of a log: the hot loop of every scan. It continues while
 * events are valid. It stops before the first event that is damaged, is a milestone, or reaches
 * past the span. {@link SegmentValidator} handles these. Strays are counted as valid; they show in
 * {@link #earliestNanos} and {@link #latestNanos}.
 *
 * <p>The positions of the wanted events are kept, as far as there is room. Thus a scan for few
 * records reads the log once.
 */
final class HeaderWalk {

  /** The number of positions kept in a segment: 256 KiB for any size of file. */
  private static final int REMEMBERED = 1 << 16;

  /** The bits of state and severity without the bits of the severity. */
  private static final int NOT_SEVERITY = ~(3 << Byte.SIZE);

  /** The limit of ids for which {@link #lengthOfId} is used. The array has 256 KiB at most. */
  private static final int MAX_DENSE_IDS = 1 << 16;

  /** The entry in {@link #lengthOfId} for events that are not skipped: no event is as long. */
  private static final int NO_LENGTH = Integer.MAX_VALUE;

  /** The bytes of the log that stay in the first-level cache while it is read twice. */
  private static final int CHUNK_BYTES = 1 << 15;

  private static final int CACHE_LINE_BYTES = 64;

  private final LogLayout layout;
  private final RecordTable records;
  private final EventRules rules;

  /** Lengths of unwanted records' events with all elements, by id; empty if ids are too large. */
  private final int[] lengthOfId;

  /** The loop of the layout that skips usual events; null if this class skips them. */
  private final @Nullable HeaderLoop loop;

  private final @Nullable BitSet wanted;
  private final int[] remembered;
  private int rememberedCount;
  private long startOffset;
  private long stopOffset;
  private long rememberedEndOffset;
  private int events;
  private long earliestKey;
  private long latestKey;

  /** A sum that keeps the reads of {@link #touch} from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /**
   * @param order the pair's byte order
   * @param wanted ordinals of the records whose event positions are kept; null for none
   */
  HeaderWalk(LogLayout layout, EventRules rules, ByteOrder order, @Nullable BitSet wanted) {
    this.layout = layout;
    this.rules = rules;
    this.records = rules.records();
    this.wanted = wanted;
    int maxId = -1;
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      maxId = Math.max(maxId, records.entry(ordinal).id());
    }
    lengthOfId = new int[maxId < MAX_DENSE_IDS ? Integer.highestOneBit(Math.max(maxId, 1)) * 2 : 0];
    Arrays.fill(lengthOfId, NO_LENGTH);
    for (int ordinal = 0; lengthOfId.length > 0 && ordinal < records.size(); ordinal++) {
      if (wanted == null || !wanted.get(ordinal)) {
        lengthOfId[records.entry(ordinal).id()] = rules.maxLength(ordinal);
      }
    }
    loop = layout.headerLoop(order);
    remembered = new int[wanted == null ? 0 : REMEMBERED];
  }

  /**
   * Walks from an event to the end of a span.
   *
   * @param endOffset the end of the span; no event may reach past it
   */
  void run(LogWindow window, long fromOffset, long endOffset) throws IOException {
    startOffset = fromOffset;
    rememberedCount = 0;
    rememberedEndOffset = Long.MAX_VALUE;
    events = 0;
    earliestKey = Long.MAX_VALUE;
    latestKey = Long.MIN_VALUE;
    HeaderLoop quick = loop;
    if (quick != null) {
      quick.events = 0;
      quick.earliestKey = Long.MAX_VALUE;
      quick.latestKey = Long.MIN_VALUE;
    }
    int head = layout.recordHeaderBytes();
    long offset = fromOffset;
    while (endOffset - offset >= head) {
      int at = window.show(offset, head);
      long base = window.base();
      int end = (int) Math.min(endOffset - base, Integer.MAX_VALUE);
      int last = Math.min(end, window.buffer().limit()) - head;
      int stop =
          quick == null
              ? walkChunks(window.buffer(), at, last, end, base)
              : walk(quick, window.buffer(), at, last, end, base);
      offset = base + stop;
      if (stop <= last) {
        break;
      }
    }
    if (quick != null) {
      events += quick.events;
      earliestKey = Math.min(earliestKey, quick.earliestKey);
      latestKey = Math.max(latestKey, quick.latestKey);
    }
    stopOffset = offset;
  }

  private int walkChunks(ByteBuffer log, int from, int last, int end, long base) {
    int at = from;
    while (at <= last) {
      int chunkLast = (int) Math.min(last, (long) at + CHUNK_BYTES);
      touch(log, at, chunkLast);
      at = walk(null, log, at, chunkLast, end, base);
      if (at <= chunkLast) {
        break;
      }
    }
    return at;
  }

  /**
   * Brings bytes of the log into the cache. Each header gives the offset of the next one, so a walk
   * over memory waits for one cache line after the other. These reads do not depend on each other.
   */
  private void touch(ByteBuffer log, int from, int to) {
    int sum = 0;
    for (int at = from; at < to; at += CACHE_LINE_BYTES) {
      sum += log.get(at);
    }
    touched = sum;
  }

  /**
   * @param quick skips usual events; null if this class skips them
   * @param last the last position at which a whole event header is in memory
   * @param end the position that no event may reach past
   * @param base the log offset of position 0
   * @return the position of the first event that is not in memory or not valid
   */
  private int walk(
      @Nullable HeaderLoop quick, ByteBuffer log, int from, int last, int end, long base) {
    int at = from;
    while (at <= last) {
      at =
          quick == null
              ? passUsual(log, at, last, end)
              : quick.pass(log, at, last, end, lengthOfId);
      if (at > last || !pass(log, at, end, base)) {
        break;
      }
      at += layout.length(log, at);
    }
    return at;
  }

  /** Skips values of records that are not wanted. Nearly all events are such values. */
  private int passUsual(ByteBuffer log, int from, int last, int end) {
    LogLayout layout = this.layout;
    int[] lengthOfId = this.lengthOfId;
    long earliest = earliestKey;
    long latest = latestKey;
    int count = 0;
    int at = from;
    while (at <= last) {
      long head = layout.lengthAndId(log, at);
      int length = (int) head;
      int id = (int) (head >> Integer.SIZE);
      if (Integer.compareUnsigned(id, lengthOfId.length) >= 0
          || lengthOfId[id] != length
          || length > end - at
          || (layout.stateAndSeverity(log, at) & NOT_SEVERITY) != EventState.VALUE_CODE) {
        break;
      }
      // An impossible time is the earliest of all, so it lies outside of any span.
      long key = layout.timeKey(log, at);
      if (key < earliest) {
        earliest = key;
      }
      if (key > latest) {
        latest = key;
      }
      count++;
      at += length;
    }
    earliestKey = earliest;
    latestKey = latest;
    events += count;
    return at;
  }

  /** Checks one event of any kind: wanted, a connection, a waveform with fewer elements. */
  private boolean pass(ByteBuffer log, int at, int end, long base) {
    int length = layout.length(log, at);
    int ordinal = records.ordinalOfId(layout.id(log, at));
    if (ordinal < 0
        || length > end - at
        || !rules.isServed(ordinal, layout.state(log, at), layout.severity(log, at), length)) {
      return false;
    }
    long key = layout.timeKey(log, at);
    earliestKey = Math.min(earliestKey, key);
    latestKey = Math.max(latestKey, key);
    events++;
    if (wanted != null && wanted.get(ordinal)) {
      remember(base + at);
    }
    return true;
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

  /** Drops the kept positions. All wanted events from an offset on must be searched. */
  void forget(long fromOffset) {
    rememberedCount = 0;
    rememberedEndOffset = fromOffset;
  }

  /** Returns the offset at which the walk ended. Events before it are valid or strays. */
  long stopOffset() {
    return stopOffset;
  }

  /** Returns the number of events that were walked over. */
  int events() {
    return events;
  }

  /** Returns the earliest time of the events, {@link Long#MAX_VALUE} if there are none. */
  long earliestNanos() {
    return events == 0 ? Long.MAX_VALUE : layout.nanosOfTimeKey(earliestKey);
  }

  /** Returns the latest time of the events, {@link Long#MIN_VALUE} if there are none. */
  long latestNanos() {
    return events == 0 ? Long.MIN_VALUE : layout.nanosOfTimeKey(latestKey);
  }

  /** Returns the number of kept positions. */
  int rememberedCount() {
    return rememberedCount;
  }

  /** Returns the log offset of a kept position. */
  long rememberedOffset(int i) {
    return startOffset + remembered[i];
  }

  /** Returns the offset from which on positions were not kept, because there was no room. */
  long rememberedEndOffset() {
    return rememberedEndOffset;
  }
}
