package org.kblake.record.source;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Events that wait for a log, in order. The memory grows with them, and is given back with them. If
 * there is no more, the latest event of a channel replaces earlier ones, and states how many. For
 * one thread at a time.
 */
public final class WaitingEvents {

  private static final int SMALLEST = 1 << 12;
  private static final int LARGEST = 1 << 18;
  private static final int LARGEST_EVENT = 1 << 30;

  /** So many bytes are there whatever others have. */
  private static final int OWN_BYTES = 1 << 16;

  private final EventMemory memory;

  /** The position of each is the end of its events. */
  private Deque<ByteBuffer> chunks = new ArrayDeque<>();

  private @Nullable ByteBuffer last;

  /** What is newer than the chunks, once there was no memory. */
  private @Nullable LatestEvents latest;

  private boolean leavesRoom;
  private long bytes;

  /** Events put, those included that were lost before they came here. */
  private long put;

  public WaitingEvents(EventMemory memory) {
    this.memory = memory;
  }

  /** Sets whether some memory is left for others. */
  public void leaveRoom(boolean leaves) {
    leavesRoom = leaves;
  }

  /** Returns the number of events that wait, those included that were lost among them. */
  public long size() {
    return put;
  }

  /** Returns the bytes of memory in use. */
  public long bytes() {
    return bytes;
  }

  /** Returns whether an event needs more memory. */
  public boolean needsMemory(ChannelEvent event) {
    ByteBuffer present = last;
    return present == null || present.remaining() < EventRing.length(event);
  }

  /** Appends a copy of an event, if there is memory for it. */
  public boolean offer(ChannelEvent event) {
    int length = EventRing.length(event);
    ByteBuffer chunk = latest == null ? chunk(length) : null;
    if (chunk != null) {
      int at = chunk.position();
      EventRing.write(chunk, at, length, event);
      chunk.position(at + length);
      put += 1 + event.lostBefore();
    }
    return chunk != null;
  }

  /** Appends a copy of an event. */
  public void put(ChannelEvent event) {
    if (offer(event)) {
      return;
    }
    put += 1 + event.lostBefore();
    LatestEvents newer = latest;
    if (newer == null) {
      newer = new LatestEvents((int) Math.min(Integer.MAX_VALUE, Math.max(OWN_BYTES, bytes)));
      latest = newer;
    }
    newer.state(event);
    newer.keep(event);
  }

  private @Nullable ByteBuffer chunk(int length) {
    ByteBuffer present = last;
    if (present != null && present.remaining() >= length) {
      return present;
    }
    int least = Math.max(SMALLEST, powerOfTwo(length));
    int wanted =
        present == null ? least : Math.max(least, Math.min(LARGEST, 2 * present.capacity()));
    ByteBuffer next = length > LARGEST_EVENT ? null : take(least, wanted);
    if (next != null) {
      bytes += next.capacity();
      chunks.add(next);
      last = next;
    }
    return next;
  }

  private @Nullable ByteBuffer take(int least, int wanted) {
    ByteBuffer next = memory.take(wanted, bytes, leavesRoom);
    if (next == null) {
      next = memory.take(least, bytes, leavesRoom);
    }
    boolean isOwn = next == null && bytes + least <= OWN_BYTES;
    return isOwn ? memory.takeAnyway(least) : next;
  }

  private static int powerOfTwo(int bytes) {
    return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
  }

  /** Hands out all events, which stay. */
  public void each(EventHandler handler) {
    chunks.forEach(chunk -> handOut(chunk, handler));
    LatestEvents newer = latest;
    if (newer != null) {
      newer.all().forEach(handler::handle);
    }
  }

  /**
   * Hands out all events. The handler may put events again. If it fails, its event and those after
   * it are lost.
   *
   * @return the number of lost events that no event states, because their channels had none later
   */
  public long drain(EventHandler handler) {
    long left = put;
    Deque<ByteBuffer> all = chunks;
    LatestEvents newer = latest;
    chunks = new ArrayDeque<>();
    last = null;
    latest = null;
    bytes = 0;
    put = 0;
    try {
      for (ByteBuffer chunk = all.poll(); chunk != null; chunk = all.poll()) {
        try {
          left -= handOut(chunk, handler);
        } finally {
          memory.give(chunk);
        }
      }
      if (newer != null) {
        for (ChannelEvent event : newer.takeAll()) {
          left -= 1 + event.lostBefore();
          handler.handle(event);
        }
      }
    } finally {
      all.forEach(memory::give);
    }
    return left;
  }

  private static long handOut(ByteBuffer chunk, EventHandler handler) {
    ChannelEvent event = new ChannelEvent();
    long events = 0;
    int end = chunk.position();
    for (int at = 0; at < end; at += chunk.getInt(at)) {
      EventRing.read(chunk, at, event);
      events += 1 + event.lostBefore();
      handler.handle(event);
    }
    return events;
  }
}
