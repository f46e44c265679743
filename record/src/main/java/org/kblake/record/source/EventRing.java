package org.kblake.record.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A bounded ring of events for one writer and one reader. Neither waits for the other.
 *
 * <pre>
 *   EVENT: length (4) | channel (4) | received (8) | kind (2) | type (2) | count (4)
 *          | lost before (4) | bytes (4) | bytes, padded to a multiple of 8
 * </pre>
 *
 * A negative length is that of the unused bytes at the end of the ring.
 */
public final class EventRing {

  static final int HEADER = 32;

  /** A quarter of it has room for the metadata of an enum. */
  private static final int SMALLEST = 4096;

  private static final int CHANNEL = 4;
  private static final int RECEIVED = 8;
  private static final int KIND = 16;
  private static final int TYPE = 18;
  private static final int COUNT = 20;
  private static final int LOST = 24;
  private static final int BYTES = 28;

  private static final VarHandle READ;
  private static final VarHandle WRITTEN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      READ = lookup.findVarHandle(EventRing.class, "read", long.class);
      WRITTEN = lookup.findVarHandle(EventRing.class, "written", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ByteBuffer ring;
  private final int capacity;
  private final ChannelEvent event = new ChannelEvent();

  /** Bytes read since the begin. Only the reader changes it. */
  private volatile long read;

  /** Bytes written since the begin. Only the writer changes it. */
  private volatile long written;

  private long readSeenByWriter;

  /**
   * Creates a ring.
   *
   * @param bytes the capacity: a power of two, from 4,096 to 2^30
   */
  public EventRing(int bytes) {
    if (bytes < SMALLEST || Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException("ring is no power of two from 4,096: bytes=" + bytes);
    }
    capacity = bytes;
    ring = ByteBuffer.allocateDirect(bytes);
  }

  /** Returns the capacity in bytes. */
  public int capacity() {
    return capacity;
  }

  /** Returns the number of bytes that are written and not yet read. */
  public long used() {
    return written - read;
  }

  /** Returns the largest number of bytes of one event that the ring takes. */
  public int largestEvent() {
    return capacity / 4;
  }

  /** Appends a copy of an event. Returns false, and changes nothing, if there is no room. */
  boolean offer(ChannelEvent from) {
    int length = length(from);
    long end = written;
    int at = (int) (end & (capacity - 1));
    int unused = length > capacity - at ? capacity - at : 0;
    if (!hasRoom(end, (long) length + unused)) {
      return false;
    }
    if (unused > 0) {
      ring.putInt(at, -unused);
      at = 0;
    }
    write(ring, at, length, from);
    WRITTEN.setRelease(this, end + length + unused);
    return true;
  }

  /** Returns the bytes of an event with its header. */
  static int length(ChannelEvent event) {
    return (HEADER + event.length() + 7) & -8;
  }

  /** Writes an event of some {@link #length}. */
  static void write(ByteBuffer to, int at, int length, ChannelEvent from) {
    to.putInt(at, length);
    to.putInt(at + CHANNEL, from.channel());
    to.putLong(at + RECEIVED, from.receivedNanos());
    to.putShort(at + KIND, (short) from.kind().ordinal());
    to.putShort(at + TYPE, (short) from.typeCode());
    to.putInt(at + COUNT, from.count());
    to.putInt(at + LOST, from.lostBefore());
    to.putInt(at + BYTES, from.length());
    to.put(at + HEADER, from.bytes(), from.offset(), from.length());
  }

  /** Reads an event, whose bytes stay where they are. */
  static void read(ByteBuffer from, int at, ChannelEvent event) {
    event.begin(
        from.getInt(at + CHANNEL),
        EventKind.of(from.getShort(at + KIND)),
        from.getLong(at + RECEIVED));
    event.setCodes(from.getShort(at + TYPE), from.getInt(at + COUNT), from.getInt(at + LOST));
    event.with(from, at + HEADER, from.getInt(at + BYTES));
  }

  private boolean hasRoom(long end, long length) {
    if (end + length - readSeenByWriter <= capacity) {
      return true;
    }
    readSeenByWriter = (long) READ.getAcquire(this);
    return end + length - readSeenByWriter <= capacity;
  }

  /**
   * Hands the oldest events to a handler and frees their room. If the handler fails, its event
   * counts as handled.
   *
   * @param limit the largest number of events
   * @return the number of events
   */
  int poll(EventHandler handler, int limit) {
    long begin = read;
    long end = (long) WRITTEN.getAcquire(this);
    int events = 0;
    while (begin < end && events < limit) {
      int at = (int) (begin & (capacity - 1));
      int length = ring.getInt(at);
      if (length < 0) {
        begin -= length;
        continue;
      }
      begin += length;
      events++;
      read(ring, at, event);
      try {
        handler.handle(event);
      } finally {
        READ.setRelease(this, begin);
      }
    }
    return events;
  }
}
