package org.kblake.ingest.internal.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.encode.EventEncoder;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.block.Patch;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * Encodes a pair's log bytes from columns. The same code runs when a block is made, to find the
 * bytes for the patch, and later, to verify the block or to restore the log. It updates the state
 * of every record. From these states it encodes the expected milestones. Not thread safe.
 */
final class LogEncoder {

  /** A longer milestone is never loaded as the state of all records. */
  private static final int LARGEST_LOADED_BYTES = Patch.MAX_BYTES;

  private final PairFormat format;
  private final RecordTable records;
  private final EventEncoder encoder;
  private final RecordStates states;
  private ByteBuffer buffer;
  private byte[] clipped = new byte[0];
  private int[] clippedStarts = new int[2];

  LogEncoder(PairFormat format) {
    this.format = format;
    this.records = format.records();
    this.encoder = new EventEncoder(format.layout(), format.order(), records);
    this.states = new RecordStates(format.layout(), format.order(), records);
    this.buffer = ByteBuffer.allocate(1 << 12).order(format.order());
  }

  ByteOrder order() {
    return format.order();
  }

  /** Returns the states that milestones are predicted from. */
  RecordStates states() {
    return states;
  }

  /**
   * Encodes the event of a row.
   *
   * @return the bytes from 0 to the limit, valid until the next call
   */
  ByteBuffer event(int ordinal, EventColumns rows, int row) {
    int from = rows.waveform() ? rows.listStarts[row] : row;
    int elements = rows.waveform() ? rows.listStarts[row + 1] - from : 1;
    int status = Short.toUnsignedInt(rows.status[row]);
    boolean value = rows.state[row] == EventState.VALUE_CODE;
    ByteBuffer out = room(encoder.eventBytes(ordinal, value ? elements : 0));
    long nanos = rows.timeNanos[row];
    int length;
    if (!value) {
      length =
          encoder.connection(out, 0, ordinal, nanos, rows.state[row], rows.severity[row], status);
    } else if (rows.type() == ValueType.STRING) {
      clip(rows, from, elements);
      length =
          encoder.texts(
              out,
              0,
              ordinal,
              nanos,
              rows.severity[row],
              status,
              clipped,
              clippedStarts,
              0,
              elements);
    } else {
      length =
          encoder.numbers(
              out, 0, ordinal, nanos, rows.severity[row], status, rows.values, from, elements);
    }
    return out.limit(length);
  }

  /** Encodes an event with a single number, or without a value. */
  ByteBuffer number(int ordinal, long nanos, int state, int severity, int status, long bits) {
    ByteBuffer out = buffer.clear();
    int length =
        state == EventState.VALUE_CODE
            ? encoder.number(out, 0, ordinal, nanos, severity, status, bits)
            : encoder.connection(out, 0, ordinal, nanos, state, severity, status);
    return out.limit(length);
  }

  /**
   * Clips texts to the width of the log. Invalid text that was replaced may be longer than in the
   * log. The patch has the original bytes.
   */
  private void clip(EventColumns rows, int from, int elements) {
    if (clippedStarts.length < elements + 1) {
      clippedStarts = new int[elements + 1];
    }
    int most = ValueType.STRING.bytes();
    if (clipped.length < elements * most) {
      clipped = new byte[elements * most];
    }
    int at = 0;
    for (int i = 0; i < elements; i++) {
      int start = rows.textStarts[from + i];
      int bytes = Math.min(most, rows.textStarts[from + i + 1] - start);
      System.arraycopy(rows.text, start, clipped, at, bytes);
      clippedStarts[i] = at;
      at += bytes;
    }
    clippedStarts[elements] = at;
  }

  /**
   * Encodes the milestone that the states predict.
   *
   * @return the bytes from 0 to the limit, valid until the next call
   */
  ByteBuffer milestone(long nanos) {
    ByteBuffer out = room(Math.toIntExact(states.milestoneBytes()));
    int at = encoder.milestoneHeader(out, 0, nanos, states);
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      at += states.putEntry(ordinal, out, at);
    }
    return out.limit(at);
  }

  /** Updates the states by an event, as its bytes are in the log. */
  void apply(int ordinal, ByteBuffer event) {
    format.apply(states, ordinal, event);
  }

  /**
   * Loads the state of all records from a milestone, if it is well-formed.
   *
   * @param event the whole event, from position 0 to the limit
   * @return whether it is well-formed; if not, the states do not change
   */
  boolean load(ByteBuffer event) {
    return event.remaining() <= LARGEST_LOADED_BYTES && format.load(states, event);
  }

  /** Returns whether the bytes from position 0 to the limit are one event, by its length field. */
  boolean isWhole(ByteBuffer event) {
    return format.isWhole(event);
  }

  private ByteBuffer room(int bytes) {
    if (buffer.capacity() < bytes) {
      buffer =
          ByteBuffer.allocate(Math.max(bytes, (int) Math.min(1 << 30, buffer.capacity() * 2L)))
              .order(format.order());
    }
    return buffer.clear();
  }
}
