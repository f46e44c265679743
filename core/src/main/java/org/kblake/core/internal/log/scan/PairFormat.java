package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * The format of a pair's log, as the head of its index states it. The head may come from the index
 * or from a copy in a store.
 *
 * @param layout the layout of both files
 * @param order the byte order of both files
 * @param records the record table
 */
public record PairFormat(LogLayout layout, ByteOrder order, RecordTable records) {

  /** Returns the format of a log. */
  public static PairFormat of(PairLog log) {
    return new PairFormat(log.layout(), log.order(), log.records());
  }

  /**
   * Decodes the head of an index: its bytes before the milestone table.
   *
   * @param source the file to name in messages
   * @throws CorruptLogException if the head is damaged
   */
  public static PairFormat decode(Path source, byte[] indexHead, List<LogLayout> layouts)
      throws IOException {
    IndexFile index = IndexFile.decode(source, ByteBuffer.wrap(indexHead), layouts, false, null);
    return new PairFormat(index.layout(), index.order(), index.records());
  }

  /**
   * Returns whether events of numbers are encoded again byte for byte from their decoded fields.
   * Then their bytes need not be compared.
   */
  public boolean numbersAreExact() {
    return layout.numbersAreExact();
  }

  /**
   * Updates the state of a record with an event.
   *
   * @param event the whole event from position 0 to the limit, in the pair's byte order
   */
  public void apply(RecordStates states, int ordinal, ByteBuffer event) {
    int state = layout.state(event, 0);
    int fixed = layout.recordHeaderBytes();
    states.apply(
        ordinal,
        layout.nanos(event, 0),
        state,
        layout.severity(event, 0),
        layout.status(event, 0),
        event,
        fixed,
        state == EventState.VALUE_CODE ? event.limit() - fixed : 0);
  }

  /**
   * Loads the states of all records from a milestone. If it is malformed, the states stay
   * unchanged.
   *
   * @param event the whole milestone from position 0 to the limit, in the pair's byte order
   * @return whether the milestone is well-formed
   */
  public boolean load(RecordStates states, ByteBuffer event) {
    boolean milestone = isMilestone(event);
    if (milestone) {
      states.clear();
      int at = layout.eventHeaderBytes();
      for (int ordinal = 0; ordinal < records.size(); ordinal++) {
        states.load(ordinal, event, at);
        at += layout.stateEntryBytes() + layout.stateEntryValueBytes(event, at);
      }
    }
    return milestone;
  }

  /** Returns whether the bytes from position 0 to the limit are exactly one event by its length. */
  public boolean isWhole(ByteBuffer event) {
    return event.limit() >= layout.eventHeaderBytes() && layout.length(event, 0) == event.limit();
  }

  private boolean isMilestone(ByteBuffer event) {
    int length = event.limit();
    if (!isWhole(event) || layout.id(event, 0) != LogLayout.MILESTONE_ID) {
      return false;
    }
    EventRules rules = new EventRules(layout, records);
    long at = layout.eventHeaderBytes();
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      if (length - at < layout.stateEntryBytes()
          || layout.stateEntryId(event, (int) at) != records.entry(ordinal).id()) {
        return false;
      }
      int bytes = layout.stateEntryValueBytes(event, (int) at);
      if (!rules.isStateValueBytes(ordinal, bytes)) {
        return false;
      }
      at += (long) layout.stateEntryBytes() + bytes;
    }
    return at == length;
  }
}
