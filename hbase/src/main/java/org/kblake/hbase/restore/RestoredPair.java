package org.kblake.hbase.restore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.hbase.layout.CorruptRowException;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;

/** What must be known of a pair before its first byte is written: its records and segments. */
final class RestoredPair {

  private final Group group;
  private final long stampNumber;
  private final String stamp;
  private final long boundNanos;
  private final Map<String, RecordShape> records = new TreeMap<>();
  private final List<RestoredSegment> segments = new ArrayList<>();
  private long events;

  /** The type of a record, and the most elements of its values. */
  private record RecordShape(ValueType type, boolean waveform, int elements) {}

  RestoredPair(EventKey first, long boundNanos) {
    group = first.channel().group();
    stampNumber = first.stamp();
    stamp = first.stampText();
    this.boundNanos = boundNanos;
  }

  Group group() {
    return group;
  }

  String stamp() {
    return stamp;
  }

  long events() {
    return events;
  }

  /** Returns whether an event is of this pair. */
  boolean has(EventKey key) {
    return key.stamp() == stampNumber && key.channel().group().equals(group);
  }

  /** Adds an event. Events come in log order. */
  void add(EventKey key, EventValue value, byte[] row) throws CorruptRowException {
    events++;
    String name = key.channel().name();
    RecordShape shape = new RecordShape(value.type(), value.waveform(), value.elements());
    RecordShape known = records.get(name);
    if (known == null || known.elements < shape.elements) {
      records.put(name, shape);
    }
    if (known != null && (known.type != shape.type || known.waveform != shape.waveform)) {
      throw new CorruptRowException("a record has two types in one pair", row);
    }
    RestoredSegment last = lastSegment();
    if (last == null || last.offset() != key.offset()) {
      last = new RestoredSegment(key.offset(), boundNanos);
      segments.add(last);
    }
    last.add(key.timeNanos(), value.stray());
  }

  private @Nullable RestoredSegment lastSegment() {
    return segments.isEmpty() ? null : segments.get(segments.size() - 1);
  }

  /** Returns the records, sorted by name. Their ids are their ordinals. */
  RecordTable records() {
    List<RecordEntry> entries = new ArrayList<>();
    records.forEach(
        (name, shape) ->
            entries.add(
                new RecordEntry(
                    entries.size(),
                    name,
                    shape.type,
                    shape.waveform ? Math.max(2, shape.elements) : 1)));
    return new RecordTable(entries);
  }

  /** Returns the times of the milestones. */
  RestoredMilestones milestones() throws IOException {
    return RestoredMilestones.of(segments, group + " " + stamp);
  }

  /** Returns the latest time of an event that is no stray; the least long if there is none. */
  long lastNanos() {
    return segments.stream().mapToLong(RestoredSegment::lastNanos).max().orElse(Long.MIN_VALUE);
  }
}
