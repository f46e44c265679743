package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/** Checks the body of a milestone entry by entry, in reach of a window however long it is. */
public final class MilestoneBody {

  private static final int MOST_SEVERE = 3;

  private final LogLayout layout;
  private final EventRules rules;
  private final LogWindow window;

  /** Takes the entries of a milestone. */
  interface Entries {
    /**
     * Takes an entry that is sound.
     *
     * @param buffer holds the entry at {@code at}; only until this returns
     */
    void load(int ordinal, ByteBuffer buffer, int at);
  }

  public MilestoneBody(LogLayout layout, EventRules rules, LogWindow window) {
    this.layout = layout;
    this.rules = rules;
    this.window = window;
  }

  /** Says what is wrong with a milestone's body, or null. */
  public @Nullable String fault(long offset, long endOffset) throws IOException {
    return read(offset, endOffset, null, null);
  }

  /**
   * Checks a whole body and loads entries of it.
   *
   * @param endOffset where the milestone's length says that it ends
   * @param into takes the entries; what it holds after a fault is of no use
   * @param wanted ordinals of the records to load, null for all
   * @return what is wrong, or null
   */
  @Nullable String read(
      long offset, long endOffset, @Nullable Entries into, @Nullable BitSet wanted)
      throws IOException {
    RecordTable records = rules.records();
    int fixed = layout.stateEntryBytes();
    long entryOffset = offset + layout.eventHeaderBytes();
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      if (endOffset - entryOffset < fixed) {
        return "its length ends it before record " + records.entry(ordinal).name();
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
        : "its length ends it at " + endOffset + ", expected " + entryOffset;
  }

  private @Nullable String entryFault(ByteBuffer buffer, int at, int ordinal, int valueBytes) {
    int id = rules.records().entry(ordinal).id();
    if (layout.stateEntryId(buffer, at) != id) {
      return "id=" + layout.stateEntryId(buffer, at) + ", expected " + id;
    }
    if (layout.stateEntryState(buffer, at) > EventState.VALUE_CODE) {
      return "state=" + layout.stateEntryState(buffer, at) + ", expected 0 to 2";
    }
    if (layout.stateEntrySeverity(buffer, at) > MOST_SEVERE) {
      return "severity=" + layout.stateEntrySeverity(buffer, at) + ", expected 0 to 3";
    }
    if (layout.stateEntryEventNanos(buffer, at) == LogLayout.IMPOSSIBLE_NANOS
        || layout.stateEntryValueNanos(buffer, at) == LogLayout.IMPOSSIBLE_NANOS) {
      return "an impossible time, expected less than 10^9 nanoseconds in a second";
    }
    if (!rules.isStateValueBytes(ordinal, valueBytes)) {
      return "value length=" + valueBytes + ", expected whole elements, no more than there are";
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
