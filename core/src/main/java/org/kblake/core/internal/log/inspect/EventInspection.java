package org.kblake.core.internal.log.inspect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.Elements;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** Shows one event of a log, field by field. */
final class EventInspection {

  /** The number of elements shown of a long waveform. */
  private static final int SHOWN_ELEMENTS = 8;

  private final LogLayout layout;
  private final EventRules rules;
  private final RecordTable records;
  private final LogWindow window;
  private final InspectionLimits limits;
  private final InspectionListener listener;

  EventInspection(
      LogLayout layout,
      EventRules rules,
      LogWindow window,
      InspectionLimits limits,
      InspectionListener listener) {
    this.layout = layout;
    this.rules = rules;
    this.records = rules.records();
    this.window = window;
    this.limits = limits;
    this.listener = listener;
  }

  /** Shows bytes that are not a whole event, or an event that is not written whole yet. */
  void showRest(long offset, long left) throws IOException {
    showBytes(offset, left, "no whole event");
  }

  /** Shows an event whose end is missing in the log. */
  void showHeader(long offset, long left) throws IOException {
    showFields(offset, layout.eventHeaderBytes());
    reportHeader(offset);
    showBytes(offset + layout.eventHeaderBytes(), left - layout.eventHeaderBytes(), "body, cut");
  }

  /** Shows a record's event. */
  void showRecord(long offset, int length, long left, boolean sound) throws IOException {
    int size = (int) Math.min(left, layout.recordHeaderBytes());
    boolean whole = size == layout.recordHeaderBytes();
    showFields(offset, whole ? size : layout.eventHeaderBytes());
    reportHeader(offset);
    if (whole) {
      reportState(offset);
    }
    int valueBytes = length - layout.recordHeaderBytes();
    long valueOffset = offset + layout.recordHeaderBytes();
    if (sound && valueBytes > 0) {
      int at = window.show(offset, layout.eventHeaderBytes());
      int ordinal = records.ordinalOfId(layout.id(window.buffer(), at));
      showValue(valueOffset, valueBytes, ordinal);
    } else if (valueBytes > 0 && valueBytes <= left - layout.recordHeaderBytes()) {
      showBytes(valueOffset, valueBytes, "body");
    }
  }

  /** Shows a milestone, and the first entries of its body as far as they are valid. */
  void showMilestone(long offset, int length, long left, boolean sound) throws IOException {
    showFields(offset, layout.eventHeaderBytes());
    reportHeader(offset);
    if (length < layout.eventHeaderBytes() || length > left) {
      return;
    }
    long end = offset + length;
    long entryOffset = offset + layout.eventHeaderBytes();
    int shown = 0;
    while (shown < Math.min(limits.records(), records.size())) {
      int fixed = layout.stateEntryBytes();
      if (end - entryOffset < fixed) {
        break;
      }
      int at = window.show(entryOffset, fixed);
      int valueBytes = layout.stateEntryValueBytes(window.buffer(), at);
      showEntry(entryOffset, shown);
      shown++;
      if (!rules.isStateValueBytes(shown - 1, valueBytes)
          || valueBytes > end - entryOffset - fixed) {
        break;
      }
      if (valueBytes > 0) {
        showValue(entryOffset + fixed, valueBytes, shown - 1);
      }
      entryOffset += fixed + valueBytes;
    }
    if (sound) {
      listener.counted("entries", shown, records.size());
    }
  }

  private void showEntry(long offset, int ordinal) throws IOException {
    listener.structure("entry " + ordinal + " of the milestone");
    int at = window.show(offset, layout.stateEntryBytes());
    ByteBuffer log = window.buffer();
    StructureFields.show(
        layout.stateEntryFields(), layout.stateEntryBytes(), log, at, offset, listener);
    reportRecord(records.ordinalOfId(layout.stateEntryId(log, at)));
    listener.timeOrNot("last event", layout.stateEntryEventNanos(log, at));
    listener.timeOrNot("last value", layout.stateEntryValueNanos(log, at));
  }

  private void showFields(long offset, int size) throws IOException {
    int at = window.show(offset, size);
    StructureFields.show(layout.eventFields(), size, window.buffer(), at, offset, listener);
  }

  private void reportHeader(long offset) throws IOException {
    int at = window.show(offset, layout.eventHeaderBytes());
    int id = layout.id(window.buffer(), at);
    if (id == LogLayout.MILESTONE_ID) {
      listener.fact("record", "none: a milestone");
    } else {
      reportRecord(records.ordinalOfId(id));
    }
    listener.timeOrNot("time", layout.nanos(window.buffer(), at));
  }

  private void reportRecord(int ordinal) {
    if (ordinal < 0) {
      listener.fact("record", "unknown");
      return;
    }
    RecordEntry entry = records.entry(ordinal);
    String elements = entry.waveform() ? ", up to " + entry.elementCount() + " elements" : "";
    listener.fact("record", entry.name() + ", " + entry.type().text() + elements);
  }

  private void reportState(long offset) throws IOException {
    int at = window.show(offset, layout.recordHeaderBytes());
    int state = layout.state(window.buffer(), at);
    if (state <= EventState.VALUE_CODE) {
      listener.fact("meaning", EventState.of(state).text());
    }
  }

  private void showBytes(long offset, long count, String name) throws IOException {
    if (count > 0) {
      int at = window.show(offset, (int) Math.min(ShownBytes.MOST, count));
      listener.field(ShownBytes.of(window.buffer(), at, offset, count), name, "");
    }
  }

  private void showValue(long offset, int bytes, int ordinal) throws IOException {
    ValueType type = records.entry(ordinal).type();
    int count = bytes / type.bytes();
    int shown = Math.min(SHOWN_ELEMENTS, count);
    int at = window.show(offset, Math.max(shown * type.bytes(), Math.min(bytes, ShownBytes.MOST)));
    ByteBuffer log = window.buffer();
    List<Object> first = new ArrayList<>();
    for (int i = 0; i < shown; i++) {
      first.add(element(type, log, at + i * type.bytes()));
    }
    listener.value(ShownBytes.of(log, at, offset, bytes), type, count, first);
  }

  private static Object element(ValueType type, ByteBuffer log, int at) {
    return switch (type) {
      case STRING -> {
        byte[] text = new byte[Elements.MAX_TEXT_BYTES];
        int length = Elements.copyText(log, at, text, 0);
        yield new String(text, 0, length, StandardCharsets.UTF_8);
      }
      case FLOAT -> log.getFloat(at);
      case DOUBLE -> log.getDouble(at);
      case SHORT, ENUM, CHAR, LONG -> Elements.bits(type, log, at);
    };
  }
}
