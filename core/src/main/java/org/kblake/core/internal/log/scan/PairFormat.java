package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * How a pair's log is to be read and written: what the head of its index says, wherever that is
 * kept.
 *
 * @param layout the layout of both files
 * @param order their byte order
 * @param records the record table
 */
public record PairFormat(LogLayout layout, ByteOrder order, RecordTable records) {

  /** How a log is to be read and written. */
  public static PairFormat of(PairLog log) {
    return new PairFormat(log.layout(), log.order(), log.records());
  }

  /**
   * Decodes the head of an index: its bytes before the milestone table.
   *
   * @param source for messages
   * @throws CorruptLogException if it says what cannot be
   */
  public static PairFormat decode(Path source, byte[] indexHead, List<LogLayout> layouts)
      throws IOException {
    IndexFile index = IndexFile.decode(source, ByteBuffer.wrap(indexHead), layouts, false, null);
    return new PairFormat(index.layout(), index.order(), index.records());
  }

  /**
   * Whether events of numbers are written back byte for byte from what is read of them, so that
   * differences need not be looked for.
   */
  public boolean numbersAreExact() {
    return layout.numbersAreExact();
  }

  /**
   * Takes an event's bytes into the state of its record.
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
   * Takes the state of all records from a milestone. What is no well-formed milestone leaves the
   * states as they are.
   *
   * @param event the whole milestone from position 0 to the limit, in the pair's byte order
   * @return whether it is well-formed
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

  /** Whether bytes, from position 0 to the limit, are one event by what its length says. */
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
