package org.kblake.test.oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** An index of the reference layout, read into lists. Used by {@link NaiveReader}. */
public final class NaiveIndex {

  static final int[] ELEMENT_BYTES = {40, 2, 4, 2, 1, 4, 8};

  /** Marks an invalid time. */
  static final long BAD = Long.MIN_VALUE;

  /** The index is cut inside its record table, or has an impossible value there. */
  public static final class UnreadableIndex extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableIndex(String message) {
      super(message);
    }
  }

  public record Entry(int id, String name, int type, int count) {}

  /** A milestone in the index. The time may be BAD, and the offset may be wrong. */
  record Milestone(int offset, long nanos) {}

  public final List<Entry> entries = new ArrayList<>();
  final Map<Integer, Entry> byId = new HashMap<>();
  final List<Milestone> milestones = new ArrayList<>();
  ByteOrder order = ByteOrder.BIG_ENDIAN;

  private final ByteBuffer index;

  NaiveIndex(byte[] bytes) throws UnreadableIndex {
    index = ByteBuffer.wrap(bytes);
    readRecords();
    readMilestones();
  }

  private void readRecords() throws UnreadableIndex {
    need(0, 4);
    if (index.getInt(0) != 0x4B424C31) {
      order = ByteOrder.LITTLE_ENDIAN;
      index.order(order);
    }
    if (index.getInt(0) != 0x4B424C31) {
      throw new UnreadableIndex("magic");
    }
    need(0, 16);
    if (index.getShort(4) != 1) {
      throw new UnreadableIndex("version");
    }
    int count = index.getInt(8);
    if (count < 0) {
      throw new UnreadableIndex("records");
    }
    int at = 16;
    for (int i = 0; i < count; i++) {
      need(at, 12);
      int type = index.getShort(at + 4) & 0xFFFF;
      if (type > 6) {
        throw new UnreadableIndex("type");
      }
      int length = index.getShort(at + 6) & 0xFFFF;
      int padded = (length + 3) / 4 * 4;
      need(at + 12, padded);
      String name = new String(index.array(), at + 12, length, StandardCharsets.ISO_8859_1);
      Entry entry = new Entry(index.getInt(at), name, type, index.getInt(at + 8));
      if (entry.id < 0
          || entry.count < 1
          || byId.containsKey(entry.id)
          || entries.stream().anyMatch(other -> other.name.equals(name))) {
        throw new UnreadableIndex("entry of " + name);
      }
      entries.add(entry);
      byId.put(entry.id, entry);
      at += 12 + padded;
    }
    if ((index.getInt(12) & 0xFFFFFFFFL) < at) {
      throw new UnreadableIndex("milestone table");
    }
  }

  private void need(int at, int bytes) throws UnreadableIndex {
    if (at + bytes > index.limit()) {
      throw new UnreadableIndex("ends at " + at);
    }
  }

  private void readMilestones() {
    long table = index.getInt(12) & 0xFFFFFFFFL;
    int last = -1;
    for (long at = table; at + 16 <= index.limit(); at += 16) {
      int i = (int) at;
      milestones.add(new Milestone(index.getInt(i + 8), time(index, i)));
      last = isZero(index, i, 16) ? last : milestones.size() - 1;
    }
    milestones.subList(last + 1, milestones.size()).clear();
  }

  /** Returns the offset of the milestone table. */
  public int headBytes() {
    return index.getInt(12);
  }

  /** Returns the median of the intervals between milestones. */
  long interval() {
    List<Long> times =
        milestones.stream().map(Milestone::nanos).filter(nanos -> nanos != BAD).toList();
    List<Long> intervals = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      intervals.add(times.get(i) - times.get(i - 1));
    }
    Collections.sort(intervals);
    if (intervals.isEmpty()) {
      return 3600_000_000_000L;
    }
    int n = intervals.size();
    long median =
        n % 2 == 1
            ? intervals.get(n / 2)
            : Math.floorDiv(intervals.get(n / 2 - 1) + intervals.get(n / 2), 2L);
    return median > 0 ? median : 3600_000_000_000L;
  }

  /**
   * Returns offset and time of the last milestones, all of which lie behind the end of a log.
   *
   * @param size the bytes of the log
   * @param lastNanos the time of the milestone before them
   */
  NavigableMap<Integer, Long> behind(int size, long lastNanos) {
    int first = milestones.size();
    while (first > 0 && !isInside(milestones.get(first - 1).offset, size)) {
      first--;
    }
    NavigableMap<Integer, Long> behind = new TreeMap<>();
    long before = lastNanos;
    for (Milestone milestone : milestones.subList(first, milestones.size())) {
      if (milestone.offset >= 0 && (behind.isEmpty() || milestone.offset > behind.lastKey())) {
        before = milestone.nanos == BAD ? before : milestone.nanos;
        behind.put(milestone.offset, before);
      }
    }
    return behind;
  }

  private static boolean isInside(int offset, int size) {
    return offset >= 0 && offset <= size - 16;
  }

  boolean isAscending() {
    int last = -1;
    for (Milestone milestone : milestones) {
      if (milestone.offset <= last) {
        return false;
      }
      last = milestone.offset;
    }
    return true;
  }

  static boolean isZero(ByteBuffer bytes, int at, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes.get(at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  static long time(ByteBuffer bytes, int at) {
    long seconds = bytes.getInt(at) & 0xFFFFFFFFL;
    long nanos = bytes.getInt(at + 4) & 0xFFFFFFFFL;
    return nanos >= 1_000_000_000L ? BAD : (seconds + 631_152_000L) * 1_000_000_000L + nanos;
  }
}
