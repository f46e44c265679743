package org.kblake.core.internal.log.encode;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.layout.Elements;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * An encoder of the events of one pair, byte for byte as kblog writes them. A method writes into a
 * buffer in the pair's byte order, at an absolute position. The buffer must have room for the bytes
 * ({@link #eventBytes}). Each method returns the number of bytes written. Allocates nothing. For
 * one thread.
 */
public final class EventEncoder {

  private final LogLayout layout;
  private final ByteOrder order;
  private final RecordTable records;

  public EventEncoder(LogLayout layout, ByteOrder order, RecordTable records) {
    this.layout = layout;
    this.order = order;
    this.records = records;
  }

  /** Returns the byte order that buffers must have. */
  public ByteOrder order() {
    return order;
  }

  /**
   * Returns the bytes of a record's event with a number of elements; 0 elements for a connection
   * event.
   */
  public int eventBytes(int ordinal, int elements) {
    return layout.recordHeaderBytes() + elements * records.entry(ordinal).type().bytes();
  }

  /** Writes a connection event. It has no value, so {@code state} is 0 or 1. */
  public int connection(
      ByteBuffer out, int at, int ordinal, long nanos, int state, int severity, int status) {
    return head(out, at, ordinal, nanos, state, severity, status, 0);
  }

  /**
   * Writes a value of one number, as bits: see {@link org.kblake.core.columns.EventColumns#values}.
   */
  public int number(
      ByteBuffer out, int at, int ordinal, long nanos, int severity, int status, long bits) {
    int length = head(out, at, ordinal, nanos, EventState.VALUE_CODE, severity, status, 1);
    Elements.putBits(records.entry(ordinal).type(), out, at + layout.recordHeaderBytes(), bits);
    return length;
  }

  /** Writes a value of several numbers, as bits. */
  public int numbers(
      ByteBuffer out,
      int at,
      int ordinal,
      long nanos,
      int severity,
      int status,
      long[] bits,
      int from,
      int elements) {
    int length = head(out, at, ordinal, nanos, EventState.VALUE_CODE, severity, status, elements);
    RecordEntry entry = records.entry(ordinal);
    int elementAt = at + layout.recordHeaderBytes();
    for (int i = 0; i < elements; i++) {
      Elements.putBits(entry.type(), out, elementAt, bits[from + i]);
      elementAt += entry.type().bytes();
    }
    return length;
  }

  /**
   * Writes a value of one or more texts.
   *
   * @param text UTF-8 without terminators
   * @param starts the begin of text {@code i}, for i from {@code from} to {@code from + elements},
   *     both included; each text has at most 40 bytes
   */
  public int texts(
      ByteBuffer out,
      int at,
      int ordinal,
      long nanos,
      int severity,
      int status,
      byte[] text,
      int[] starts,
      int from,
      int elements) {
    int length = head(out, at, ordinal, nanos, EventState.VALUE_CODE, severity, status, elements);
    int bytes = records.entry(ordinal).type().bytes();
    int elementAt = at + layout.recordHeaderBytes();
    for (int i = from; i < from + elements; i++) {
      Elements.putText(out, elementAt, text, starts[i], starts[i + 1] - starts[i]);
      elementAt += bytes;
    }
    return length;
  }

  /** Writes an event whose value is given as its bytes in the log. */
  public int raw(
      ByteBuffer out,
      int at,
      int ordinal,
      long nanos,
      int state,
      int severity,
      int status,
      byte[] value) {
    int fixed = layout.recordHeaderBytes();
    layout.putEventHeader(out, at, fixed + value.length, records.entry(ordinal).id(), nanos);
    layout.putState(out, at, state, severity, status);
    out.put(at + fixed, value);
    return fixed + value.length;
  }

  /**
   * Writes the header of a milestone with these states. Its body consists of the states' entries in
   * the order of the records: {@link RecordStates#putEntry}.
   */
  public int milestoneHeader(ByteBuffer out, int at, long nanos, RecordStates states) {
    layout.putEventHeader(
        out, at, Math.toIntExact(states.milestoneBytes()), LogLayout.MILESTONE_ID, nanos);
    return layout.eventHeaderBytes();
  }

  private int head(
      ByteBuffer out,
      int at,
      int ordinal,
      long nanos,
      int state,
      int severity,
      int status,
      int elements) {
    int length = eventBytes(ordinal, elements);
    layout.putEventHeader(out, at, length, records.entry(ordinal).id(), nanos);
    layout.putState(out, at, state, severity, status);
    return length;
  }
}
