package org.kblake.core.internal.log.scan;

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
 * What is known of every record of a pair at some point of its log, as in a milestone there: the
 * last event's time and state, and the last value event. "Last" is meant in log order.
 *
 * <p>Filled from a milestone or event by event; encodes a milestone's body, byte for byte what
 * kblog writes. Values are kept as the log has them, in one buffer that grows with the bytes seen,
 * never with what a record table promises. For one thread.
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
   * @param layout how to read and write milestones
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

  /** Forgets everything: no record has had an event. */
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
   * Takes over all that other states know, as the first milestone of a pair does when kblog begins
   * a new pair while it runs.
   *
   * @throws IllegalArgumentException if they are states of other records or in another byte order
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

  /** Time of the record's last event, or {@link LogLayout#NEVER_NANOS}. */
  public long eventNanos(int ordinal) {
    return eventNanos[ordinal];
  }

  /** Code of the record's state after its last event. */
  public int state(int ordinal) {
    return state[ordinal];
  }

  /** Whether a value has been seen. */
  public boolean hasValue(int ordinal) {
    return valueBytes[ordinal] > 0;
  }

  /** Time of the last value event, or {@link LogLayout#NEVER_NANOS}. */
  public long valueNanos(int ordinal) {
    return valueNanos[ordinal];
  }

  /** Severity of the last value event, 0 if there was none. */
  public int severity(int ordinal) {
    return severity[ordinal];
  }

  /** Alarm status of the last value event, 0 if there was none. */
  public int status(int ordinal) {
    return Short.toUnsignedInt(status[ordinal]);
  }

  /** Elements of the last value, 0 if there was none. */
  public int elements(int ordinal) {
    return valueBytes[ordinal] / records.entry(ordinal).type().bytes();
  }

  /** Bits of an element of the last value, as in {@link org.kblake.core.columns.EventColumns}. */
  public long valueBits(int ordinal, int element) {
    RecordEntry entry = records.entry(ordinal);
    return Elements.bits(
        entry.type(), slab, slotAt[ordinal] + checked(ordinal, element) * entry.type().bytes());
  }

  /**
   * Copies a string element of the last value as well-formed UTF-8.
   *
   * @param target has room for 120 bytes from {@code targetAt}
   * @return bytes written
   */
  public int text(int ordinal, int element, byte[] target, int targetAt) {
    RecordEntry entry = records.entry(ordinal);
    return Elements.copyText(
        slab, slotAt[ordinal] + checked(ordinal, element) * entry.type().bytes(), target, targetAt);
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
   * Takes in a value event of one number.
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

  /** Takes in an event without a value. */
  public void applyConnection(int ordinal, long nanos, int newState) {
    eventNanos[ordinal] = nanos;
    state[ordinal] = (byte) newState;
  }

  /** Takes in the event that a scanner stands on. */
  public void apply(LogScanner scanner) {
    apply(
        scanner.record(),
        scanner.timeNanos(),
        scanner.state(),
        scanner.severity(),
        scanner.status(),
        scanner.buffer(),
        scanner.valueAt(),
        scanner.valueBytes());
  }

  /**
   * Takes in an event.
   *
   * @param value where the value's bytes are, in the pair's byte order; not used after the call
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

  /** Makes room for the value's bytes, too. */
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

  /** A slot that was too small is given up: waveforms rarely grow, and then by doubling. */
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

  /** Takes over a milestone's entry, whose bytes have been checked. */
  void load(int ordinal, ByteBuffer entry, int at) {
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

  /** Bytes of a milestone event that says all this, its header included. */
  public long milestoneBytes() {
    return layout.eventHeaderBytes()
        + (long) records.size() * layout.stateEntryBytes()
        + allValueBytes;
  }

  /** Bytes of a record's entry in a milestone. */
  public int entryBytes(int ordinal) {
    return layout.stateEntryBytes() + valueBytes[ordinal];
  }

  /**
   * Writes a record's entry of a milestone. An impossible time of a damaged milestone cannot be
   * written again: it is written as if there had been no event.
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
