package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.start.ColdStart;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.HeaderLoop;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * Walks the headers of a stretch of a log as fast as they can be read: the hot loop of every scan.
 * It continues as long as events are as they should be, and leaves everything else to {@link
 * SegmentValidator}: it stops before the first event that is damaged, a milestone, or reaches past
 * the stretch. Strays show in {@link #earliestNanos} and {@link #latestNanos}.
 *
 * <p>Where the wanted events lie is remembered, as long as there is room, so that a scan for few
 * records reads the log once.
 */
final class HeaderWalk {

  /** Positions remembered in a segment: 256 KiB, whatever the file. */
  private static final int REMEMBERED = 1 << 16;

  /** Bits of state and severity that are 0 in a value of whatever severity. */
  private static final int NOT_SEVERITY = ~(3 << Byte.SIZE);

  /** Ids up to here are looked up in an array of half a MiB at most. */
  private static final int MOST_DENSE_IDS = 1 << 16;

  /** The length of an event that is not skipped: no window has room for it. */
  private static final int NO_LENGTH = Integer.MAX_VALUE;

  /** A part of the log that stays in the first cache while it is looked at twice. */
  private static final int CHUNK_BYTES = 1 << 15;

  /** The same where events are so long that hardly more than one head is in a part. */
  private static final int CHUNK_OF_LONG_EVENTS_BYTES = 1 << 6;

  private static final int LONG_EVENT_BYTES = 1 << 10;

  private static final int CACHE_LINE_BYTES = 64;

  private final LogLayout layout;
  private final RecordTable records;
  private final EventRules rules;

  /**
   * By id where ids are dense, else empty: the length of an event with all elements, if it is of a
   * record that is not wanted.
   */
  private final int[] lengthOfId;

  /** What skips usual events; null: this class does. */
  private final @Nullable HeaderLoop loop;

  /** What the loop works on. */
  private final byte[] chunk;

  private final @Nullable BitSet wanted;
  private final int[] remembered;
  private int rememberedCount;
  private long startOffset;
  private long stopOffset;
  private long rememberedEndOffset;
  private int events;
  private long earliestKey;
  private long latestKey;

  /** Keeps {@link #touch} from being optimised away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /**
   * @param order the pair's byte order
   * @param wanted ordinals of the records whose events are remembered; null: nothing is
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
    lengthOfId = new int[maxId < MOST_DENSE_IDS ? maxId + 1 : 0];
    Arrays.fill(lengthOfId, NO_LENGTH);
    for (int ordinal = 0; lengthOfId.length > 0 && ordinal < records.size(); ordinal++) {
      if (wanted == null || !wanted.get(ordinal)) {
        lengthOfId[records.entry(ordinal).id()] = rules.maxLength(ordinal);
      }
    }
    // Until it is compiled it is slower than what it stands for.
    loop = ColdStart.IS_COLD ? null : layout.headerLoop(order);
    chunk = new byte[loop == null ? 0 : CHUNK_BYTES + layout.recordHeaderBytes()];
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
              : walkCopies(quick, window.buffer(), at, last, end, base);
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

  /** Walks over copies of parts of the log: that brings them into the cache, too. */
  private int walkCopies(HeaderLoop quick, ByteBuffer log, int from, int last, int end, long base) {
    int head = layout.recordHeaderBytes();
    int bytes = CHUNK_BYTES;
    int at = from;
    while (at <= last) {
      int start = at;
      int before = events + quick.events;
      int chunkLast = (int) Math.min(last, (long) start + bytes);
      log.get(start, chunk, 0, chunkLast - start + head);
      while (at <= chunkLast) {
        at = start + quick.pass(chunk, at - start, chunkLast - start, end - start, lengthOfId);
        if (at > chunkLast || !pass(log, at, end, base)) {
          break;
        }
        at += layout.length(log, at);
      }
      if (at <= chunkLast) {
        break;
      }
      int walked = events + quick.events - before;
      boolean longOnes = at - start > (long) walked * LONG_EVENT_BYTES;
      bytes = longOnes ? CHUNK_OF_LONG_EVENTS_BYTES : CHUNK_BYTES;
    }
    return at;
  }

  private int walkChunks(ByteBuffer log, int from, int last, int end, long base) {
    int at = from;
    while (at <= last) {
      int chunkLast = (int) Math.min(last, (long) at + CHUNK_BYTES);
      touch(log, at, chunkLast);
      at = walk(log, at, chunkLast, end, base);
      if (at <= chunkLast) {
        break;
      }
    }
    return at;
  }

  /**
   * Brings a chunk into the cache. Each header says where the next one is, so a walk over memory
   * waits for one cache line after the other; these reads do not depend on each other.
   */
  private void touch(ByteBuffer log, int from, int to) {
    int sum = 0;
    for (int at = from; at < to; at += CACHE_LINE_BYTES) {
      sum += log.get(at);
    }
    touched = sum;
  }

  /**
   * @param last the last position at which a whole head is in reach
   * @param end the position that no event may reach past
   * @param base the log offset of position 0
   * @return the position of the first event that is not in reach or not as it should be
   */
  private int walk(ByteBuffer log, int from, int last, int end, long base) {
    int at = from;
    while (at <= last) {
      at = passUsual(log, at, last, end);
      if (at > last || !pass(log, at, end, base)) {
        break;
      }
      at += layout.length(log, at);
    }
    return at;
  }

  /** Skips values of records that are not wanted, which nearly all events are. */
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

  /** Looks at any one event: wanted ones, connections, waveforms of fewer elements. */
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

  /** Drops what is remembered: all wanted events from an offset on have to be looked for. */
  void forget(long fromOffset) {
    rememberedCount = 0;
    rememberedEndOffset = fromOffset;
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
    return events == 0 ? Long.MAX_VALUE : layout.nanosOfTimeKey(earliestKey);
  }

  /** The latest time of the events, {@link Long#MIN_VALUE} if there are none. */
  long latestNanos() {
    return events == 0 ? Long.MIN_VALUE : layout.nanosOfTimeKey(latestKey);
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
