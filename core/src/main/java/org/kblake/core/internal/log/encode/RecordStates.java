package org.kblake.core.internal.log.encode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.kblake.core.layout.Elements;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * The states of all records of a pair at one point of its log, as in a milestone there. A state is
 * the time and state of the last event, and the last value event. The last event is the last one in
 * log order.
 *
 * <p>States are loaded from a milestone and updated event by event. They are encoded as a
 * milestone's body, byte for byte as kblog writes it. Values are kept with their bytes of the log,
 * in one buffer. This buffer grows with the values that were read, not with the value sizes that a
 * record table allows. For one thread.
 */
public final class RecordStates {

  private static final int NO_SLOT = -1;
  private static final int FIRST_SLAB_BYTES = 1024;

  private final LogLayout layout;
  private final RecordTable records;

  private final long[] eventNanos;
  private final byte[] state;
  private final byte[] severity;
  private final short[] status;
  private final long[] valueNanos;
  private final int[] valueBytes;

  private final int[] slotAt;
  private final int[] slotBytes;
  private ByteBuffer slab;
  private int slabUsed;
  private long allValueBytes;

  /**
   * @param layout the layout of milestones
   * @param order the pair's byte order, in which values are kept
   * @param records the pair's records; none of them has had an event yet
   */
  public RecordStates(LogLayout layout, ByteOrder order, RecordTable records) {
    this.layout = layout;
    this.records = records;
    int size = records.size();
    eventNanos = new long[size];
    state = new byte[size];
    severity = new byte[size];
    status = new short[size];
    valueNanos = new long[size];
    valueBytes = new int[size];
    slotAt = new int[size];
    slotBytes = new int[size];
    slab = ByteBuffer.allocate(FIRST_SLAB_BYTES).order(order);
    clear();
  }

  /** Resets all states: no record has had an event. */
  public void clear() {
    Arrays.fill(eventNanos, LogLayout.NEVER_NANOS);
    Arrays.fill(valueNanos, LogLayout.NEVER_NANOS);
    Arrays.fill(state, (byte) 0);
    Arrays.fill(severity, (byte) 0);
    Arrays.fill(status, (short) 0);
    Arrays.fill(valueBytes, 0);
    Arrays.fill(slotAt, NO_SLOT);
    Arrays.fill(slotBytes, 0);
    slabUsed = 0;
    allValueBytes = 0;
  }

  /**
   * Copies all states of another object. The first milestone of a pair has the states of the
   * previous pair if kblog began the new pair while it ran.
   *
   * @throws IllegalArgumentException if the other states are of other records or in another byte
   *     order
   */
  public void copy(RecordStates other) {
    if (other.records != records || other.slab.order() != slab.order()) {
      throw new IllegalArgumentException("states of other records, or in another byte order");
    }
    int size = records.size();
    System.arraycopy(other.eventNanos, 0, eventNanos, 0, size);
    System.arraycopy(other.state, 0, state, 0, size);
    System.arraycopy(other.severity, 0, severity, 0, size);
    System.arraycopy(other.status, 0, status, 0, size);
    System.arraycopy(other.valueNanos, 0, valueNanos, 0, size);
    System.arraycopy(other.valueBytes, 0, valueBytes, 0, size);
    System.arraycopy(other.slotAt, 0, slotAt, 0, size);
    System.arraycopy(other.slotBytes, 0, slotBytes, 0, size);
    slab = ByteBuffer.wrap(other.slab.array().clone()).order(slab.order());
    slabUsed = other.slabUsed;
    allValueBytes = other.allValueBytes;
  }

  public RecordTable records() {
    return records;
  }

  /** Returns the time of the record's last event, or {@link LogLayout#NEVER_NANOS}. */
  public long eventNanos(int ordinal) {
    return eventNanos[ordinal];
  }

  /** Returns the code of the record's state after its last event. */
  public int state(int ordinal) {
    return state[ordinal];
  }

  /** Returns whether the record has had a value event. */
  public boolean hasValue(int ordinal) {
    return valueBytes[ordinal] > 0;
  }

  /** Returns the time of the last value event, or {@link LogLayout#NEVER_NANOS}. */
  public long valueNanos(int ordinal) {
    return valueNanos[ordinal];
  }

  /** Returns the severity of the last value event, 0 if there was none. */
  public int severity(int ordinal) {
    return severity[ordinal];
  }

  /** Returns the alarm status of the last value event, 0 if there was none. */
  public int status(int ordinal) {
    return Short.toUnsignedInt(status[ordinal]);
  }

  /** Returns the number of elements of the last value, 0 if there was none. */
  public int elements(int ordinal) {
    return valueBytes[ordinal] / records.entry(ordinal).type().bytes();
  }

  /** Returns the bits of an element: see {@link org.kblake.core.columns.EventColumns#values}. */
  public long valueBits(int ordinal, int element) {
    RecordEntry entry = records.entry(ordinal);
    return Elements.bits(
        entry.type(), slab, slotAt[ordinal] + checked(ordinal, element) * entry.type().bytes());
  }

  /**
   * Copies a string element of the last value as well-formed UTF-8.
   *
   * @param target an array with room for 120 bytes from {@code targetAt}
   * @return the number of bytes written
   */
  public int text(int ordinal, int element, byte[] target, int targetAt) {
    RecordEntry entry = records.entry(ordinal);
    return Elements.copyText(
        slab, slotAt[ordinal] + checked(ordinal, element) * entry.type().bytes(), target, targetAt);
  }

  /** Returns whether a record's last event has the time and the state of that in other states. */
  public boolean hasSameEvent(int ordinal, RecordStates other) {
    return eventNanos[ordinal] == other.eventNanos[ordinal]
        && state[ordinal] == other.state[ordinal];
  }

  /**
   * Returns whether a record's last value event is that of other states of the same record table
   * and byte order: its time, value, severity and status are equal.
   */
  public boolean hasSameValue(int ordinal, RecordStates other) {
    int at = slotAt[ordinal];
    int otherAt = other.slotAt[ordinal];
    int bytes = valueBytes[ordinal];
    return valueNanos[ordinal] == other.valueNanos[ordinal]
        && severity[ordinal] == other.severity[ordinal]
        && status[ordinal] == other.status[ordinal]
        && bytes == other.valueBytes[ordinal]
        && (bytes == 0 || slab.slice(at, bytes).mismatch(other.slab.slice(otherAt, bytes)) < 0);
  }

  private int checked(int ordinal, int element) {
    if (element < 0 || element >= elements(ordinal)) {
      throw new IndexOutOfBoundsException(
          "no such element: record="
              + records.entry(ordinal).name()
              + ", element="
              + element
              + ", elements="
              + elements(ordinal));
    }
    return element;
  }

  /**
   * Updates a state with a value event of one number.
   *
   * @param bits see {@link org.kblake.core.columns.EventColumns#values}
   */
  public void applyNumber(int ordinal, long nanos, int newSeverity, int newStatus, long bits) {
    ValueType type = records.entry(ordinal).type();
    eventNanos[ordinal] = nanos;
    state[ordinal] = EventState.VALUE_CODE;
    noteValue(ordinal, nanos, newSeverity, newStatus, type.bytes());
    Elements.putBits(type, slab, slotAt[ordinal], bits);
  }

  /** Updates a state with an event that has no value. */
  public void applyConnection(int ordinal, long nanos, int newState) {
    eventNanos[ordinal] = nanos;
    state[ordinal] = (byte) newState;
  }

  /**
   * Updates a state with an event.
   *
   * @param value the buffer with the value's bytes, in the pair's byte order; not used after the
   *     call
   */
  public void apply(
      int ordinal,
      long nanos,
      int newState,
      int newSeverity,
      int newStatus,
      ByteBuffer value,
      int valueAt,
      int bytes) {
    eventNanos[ordinal] = nanos;
    state[ordinal] = (byte) newState;
    if (newState == EventState.VALUE_CODE) {
      setValue(ordinal, nanos, newSeverity, newStatus, value, valueAt, bytes);
    }
  }

  private void setValue(
      int ordinal,
      long nanos,
      int newSeverity,
      int newStatus,
      ByteBuffer value,
      int valueAt,
      int bytes) {
    noteValue(ordinal, nanos, newSeverity, newStatus, bytes);
    if (bytes > 0) {
      slab.put(slotAt[ordinal], value, valueAt, bytes);
    }
  }

  /** Sets the attributes of a value, and makes room for its bytes. */
  private void noteValue(int ordinal, long nanos, int newSeverity, int newStatus, int bytes) {
    severity[ordinal] = (byte) newSeverity;
    status[ordinal] = (short) newStatus;
    valueNanos[ordinal] = nanos;
    allValueBytes += bytes - valueBytes[ordinal];
    valueBytes[ordinal] = bytes;
    if (bytes > slotBytes[ordinal]) {
      newSlot(ordinal, bytes);
    }
  }

  /** Assigns a larger slot. The old one stays unused: waveforms rarely grow, and slots double. */
  private void newSlot(int ordinal, int bytes) {
    int size = slotBytes[ordinal] == 0 ? bytes : Math.max(bytes, 2 * slotBytes[ordinal]);
    int needed = Math.addExact(slabUsed, size);
    if (needed > slab.capacity()) {
      int capacity = Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * slabUsed));
      slab = ByteBuffer.wrap(Arrays.copyOf(slab.array(), capacity)).order(slab.order());
    }
    slotAt[ordinal] = slabUsed;
    slotBytes[ordinal] = size;
    slabUsed = needed;
  }

  /** Loads a checked entry of a milestone. */
  public void load(int ordinal, ByteBuffer entry, int at) {
    eventNanos[ordinal] = layout.stateEntryEventNanos(entry, at);
    state[ordinal] = (byte) layout.stateEntryState(entry, at);
    setValue(
        ordinal,
        layout.stateEntryValueNanos(entry, at),
        layout.stateEntrySeverity(entry, at),
        layout.stateEntryStatus(entry, at),
        entry,
        at + layout.stateEntryBytes(),
        layout.stateEntryValueBytes(entry, at));
  }

  /** Returns the bytes of a milestone event with these states, its header included. */
  public long milestoneBytes() {
    return layout.eventHeaderBytes()
        + (long) records.size() * layout.stateEntryBytes()
        + allValueBytes;
  }

  /** Returns the bytes of a record's entry in a milestone. */
  public int entryBytes(int ordinal) {
    return layout.stateEntryBytes() + valueBytes[ordinal];
  }

  /**
   * Writes a record's entry of a milestone. An impossible time from a damaged milestone cannot be
   * encoded. It is written as the time of a record without an event.
   *
   * @return {@link #entryBytes}
   */
  public int putEntry(int ordinal, ByteBuffer out, int at) {
    int bytes = valueBytes[ordinal];
    layout.putStateEntry(
        out,
        at,
        records.entry(ordinal).id(),
        possible(eventNanos[ordinal]),
        state[ordinal],
        severity[ordinal],
        status(ordinal),
        possible(valueNanos[ordinal]),
        bytes);
    int fixed = layout.stateEntryBytes();
    if (bytes > 0) {
      out.put(at + fixed, slab, slotAt[ordinal], bytes);
    }
    return fixed + bytes;
  }

  private static long possible(long nanos) {
    return nanos == LogLayout.IMPOSSIBLE_NANOS ? LogLayout.NEVER_NANOS : nanos;
  }
}
