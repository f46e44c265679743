package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventCheck;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;

/** A check of a milestone's body, in a window that needs room for one entry only. */
public final class MilestoneBody {

  private final LogLayout layout;
  private final EventRules rules;
  private final LogWindow window;

  /** A consumer of the entries of a milestone. */
  interface Entries {
    /**
     * Takes an undamaged entry.
     *
     * @param buffer the buffer that has the entry at {@code at}; valid during the call only
     */
    void load(int ordinal, ByteBuffer buffer, int at);
  }

  public MilestoneBody(LogLayout layout, EventRules rules, LogWindow window) {
    this.layout = layout;
    this.rules = rules;
    this.window = window;
  }

  /** Returns the fault of a milestone's body, or null. */
  public @Nullable String fault(long offset, long endOffset) throws IOException {
    return read(offset, endOffset, null, null);
  }

  /**
   * Checks a whole body and loads entries of it.
   *
   * @param endOffset the end of the milestone by its length
   * @param into takes the entries; its contents are invalid after a fault
   * @param wanted ordinals of the records to load, null for all
   * @return the fault, or null
   */
  @Nullable String read(
      long offset, long endOffset, @Nullable Entries into, @Nullable BitSet wanted)
      throws IOException {
    RecordTable records = rules.records();
    int fixed = layout.stateEntryBytes();
    long entryOffset = offset + layout.eventHeaderBytes();
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      if (endOffset - entryOffset < fixed) {
        return "a length that ends the milestone before record " + records.entry(ordinal).name();
      }
      int at = window.show(entryOffset, fixed);
      ByteBuffer buffer = window.buffer();
      int bytes = layout.stateEntryValueBytes(buffer, at);
      String fault = entryFault(buffer, at, ordinal, bytes);
      if (fault == null && bytes > endOffset - entryOffset - fixed) {
        fault = "value length=" + bytes + ", expected to end within the milestone";
      }
      if (fault != null) {
        return "entry of " + records.entry(ordinal).name() + " at " + entryOffset + ": " + fault;
      }
      if (into != null && (wanted == null || wanted.get(ordinal))) {
        at = window.show(entryOffset, fixed + bytes);
        into.load(ordinal, window.buffer(), at);
      }
      entryOffset += fixed + bytes;
    }
    return entryOffset == endOffset
        ? null
        : "a length that ends the milestone at " + endOffset + ", expected " + entryOffset;
  }

  private @Nullable String entryFault(ByteBuffer buffer, int at, int ordinal, int valueBytes) {
    int id = rules.records().entry(ordinal).id();
    if (layout.stateEntryId(buffer, at) != id) {
      return "id=" + layout.stateEntryId(buffer, at) + ", expected " + id;
    }
    String fault = EventCheck.stateFault(layout.stateEntryState(buffer, at));
    if (fault == null) {
      fault = EventCheck.severityFault(layout.stateEntrySeverity(buffer, at));
    }
    if (fault == null) {
      fault = EventCheck.timeFault(layout.stateEntryEventNanos(buffer, at));
    }
    if (fault == null) {
      fault = EventCheck.timeFault(layout.stateEntryValueNanos(buffer, at));
    }
    if (fault != null) {
      return fault;
    }
    if (!rules.isStateValueBytes(ordinal, valueBytes)) {
      return "value length="
          + valueBytes
          + ", expected whole elements, at most those of the record";
    }
    if (valueBytes == 0
        && (layout.stateEntryValueNanos(buffer, at) != LogLayout.NEVER_NANOS
            || layout.stateEntrySeverity(buffer, at) != 0
            || layout.stateEntryStatus(buffer, at) != 0)) {
      return "no value, expected zeros before it";
    }
    return null;
  }
}
