package org.kblake.core.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The byte layout of a site's KEKBLog files. {@link ReferenceLayout} is the published one. A site
 * whose files differ writes one class and registers it for {@link ServiceLoader} (see
 * docs/layouts.md, and the contract suite {@code LogLayoutContract} that it must pass).
 *
 * <p>All layouts have these parts in common:
 *
 * <ul>
 *   <li>An index begins with a header and the records. Milestone entries of one fixed size follow.
 *   <li>A log is a sequence of events. Each has a header of one fixed size, which states the length
 *       of the whole event, a record id (or {@link #MILESTONE_ID}) and a time.
 *   <li>A record's event then has a fixed number of bytes of state, and the elements of its value
 *       in the sizes of {@link org.kblake.core.model.ValueType}.
 *   <li>A milestone has one entry for every record, in the order of the index. An entry has a fixed
 *       part and the value.
 * </ul>
 *
 * <p>A buffer that is passed to a method has the pair's byte order. Methods read it at absolute
 * positions, and do not change its position. They are called for every event: keep them as small as
 * in {@link ReferenceLayout}, without allocation. Instances are used by many threads at once.
 */
public interface LogLayout {

  /** The id of milestone events. A site's files may have another one. */
  int MILESTONE_ID = -1;

  /** An impossible time, such as one with 10^9 nanoseconds in a second. */
  long IMPOSSIBLE_NANOS = Long.MIN_VALUE;

  /** The time in a milestone of a record that has had no event, or no value, yet. */
  long NEVER_NANOS = Long.MIN_VALUE + 1;

  /**
   * Returns the layouts to try: those of the site, then the reference layout. {@code
   * -Dkblake.layouts=reference} skips the search for layouts of the site. In this search Java opens
   * every jar, which takes longer than some answers.
   */
  static List<LogLayout> installed() {
    if ("reference".equals(System.getProperty("kblake.layouts"))) {
      return List.of(ReferenceLayout.INSTANCE);
    }
    List<LogLayout> layouts = new ArrayList<>();
    for (LogLayout layout : ServiceLoader.load(LogLayout.class, LogLayout.class.getClassLoader())) {
      layouts.add(layout);
    }
    layouts.add(ReferenceLayout.INSTANCE);
    return List.copyOf(layouts);
  }

  /** Returns a short name. It must never change, because stores contain it. */
  String name();

  // ---- index ----

  /** Returns the number of bytes that {@link #recognise} needs. */
  int magicBytes();

  /** Returns the first bytes of an index of this layout, for messages. */
  String magicText();

  /**
   * Recognises an index by its first {@link #magicBytes()} bytes.
   *
   * @return the pair's byte order, or null if this index has another layout
   */
  @Nullable ByteOrder recognise(ByteBuffer index);

  /**
   * Reads the header before the records, from offset 0.
   *
   * @throws TooNewException through {@link IndexInput#tooNew}
   * @throws CorruptLogException through {@link IndexInput#corrupt}
   */
  IndexHeader readHeader(IndexInput in) throws IOException;

  /** Reads one record's entry. Ids, counts and duplicates are checked by the caller. */
  RecordEntry readRecord(IndexInput in) throws IOException;

  /** Returns the bytes of a milestone's entry in the index. */
  int milestoneEntryBytes();

  /** Returns the milestone's time, or {@link #IMPOSSIBLE_NANOS}. */
  long milestoneEntryNanos(ByteBuffer index, int at);

  /** Returns the milestone's offset in the log; negative if it is impossible. */
  long milestoneEntryOffset(ByteBuffer index, int at);

  /** Returns the bytes of header and records, up to the offset of the milestone entries. */
  byte[] encodeIndex(RecordTable records, ByteOrder order);

  /** Writes a milestone's entry. */
  void putMilestoneEntry(ByteBuffer index, int at, long nanos, long offset);

  // ---- events ----

  /** Returns the bytes of every event's header. */
  int eventHeaderBytes();

  /** Returns the bytes of a record's event before its value: the event header and the state. */
  int recordHeaderBytes();

  /** Returns the most bytes that a log of this layout can have. */
  long maxLogBytes();

  /**
   * Returns the length of the whole event, header included; 0 if nothing is written yet, negative
   * if it does not fit an int.
   */
  int length(ByteBuffer log, int at);

  /** Returns the record's id, or {@link #MILESTONE_ID}. */
  int id(ByteBuffer log, int at);

  /** Returns the event's time in nanoseconds since 1970 UTC, or {@link #IMPOSSIBLE_NANOS}. */
  long nanos(ByteBuffer log, int at);

  /**
   * Returns the state in a record's event: 0 disconnected, 1 connected, 2 value; anything else is
   * damage.
   */
  int state(ByteBuffer log, int at);

  /** Returns the severity in a record's event: 0 to 3; anything else is damage. */
  int severity(ByteBuffer log, int at);

  /** Returns the status in a record's event: EPICS {@code menuAlarmStat}, 0 to 65535. */
  int status(ByteBuffer log, int at);

  /**
   * Returns whether every undamaged event of numbers, and every connection event, is encoded again
   * byte for byte from its fields: there are no spare bytes, and each time has one encoding. Stores
   * then need not compare these bytes.
   */
  default boolean numbersAreExact() {
    return false;
  }

  /**
   * Returns {@link #length} in the low 32 bits and {@link #id} in the high 32 bits. Override it if
   * one read can return both, because the walk over headers calls only this for most events.
   */
  default long lengthAndId(ByteBuffer log, int at) {
    return Integer.toUnsignedLong(length(log, at)) | (long) id(log, at) << Integer.SIZE;
  }

  /**
   * Returns {@link #state} in the low 8 bits and {@link #severity} above them. Override it for the
   * same reason.
   */
  default int stateAndSeverity(ByteBuffer log, int at) {
    return state(log, at) | severity(log, at) << Byte.SIZE;
  }

  /**
   * Returns a number that orders events by time and is cheaper than {@link #nanos}. It is {@link
   * #IMPOSSIBLE_NANOS}, the least value, if the time is impossible. A layout may also use it for
   * its very first time. Override it for the same reason, together with {@link #nanosOfTimeKey}.
   */
  default long timeKey(ByteBuffer log, int at) {
    return nanos(log, at);
  }

  /** Returns the time of a key as {@link #nanos} does, or {@link #IMPOSSIBLE_NANOS}. */
  default long nanosOfTimeKey(long key) {
    return key;
  }

  /**
   * Returns a loop over headers with the same result as these methods, but faster.
   *
   * @param order the pair's byte order
   * @return a new one, or null if the layout has none
   */
  default @Nullable HeaderLoop headerLoop(ByteOrder order) {
    return null;
  }

  /**
   * @throws IllegalArgumentException if the layout cannot represent this time
   */
  void putEventHeader(ByteBuffer log, int at, int length, int id, long nanos);

  /** Writes the values that {@link #state}, {@link #severity} and {@link #status} return. */
  void putState(ByteBuffer log, int at, int state, int severity, int status);

  // ---- milestone bodies ----

  /** Returns the bytes of a record's entry in a milestone before its value. */
  int stateEntryBytes();

  int stateEntryId(ByteBuffer log, int at);

  /**
   * Returns the time of the record's last event, {@link #NEVER_NANOS} or {@link #IMPOSSIBLE_NANOS}.
   */
  long stateEntryEventNanos(ByteBuffer log, int at);

  /** Returns the record's state after its last event. */
  int stateEntryState(ByteBuffer log, int at);

  /** Returns the severity of the last value event. */
  int stateEntrySeverity(ByteBuffer log, int at);

  /** Returns the status of the last value event. */
  int stateEntryStatus(ByteBuffer log, int at);

  /**
   * Returns the time of the last value event, {@link #NEVER_NANOS} or {@link #IMPOSSIBLE_NANOS}.
   */
  long stateEntryValueNanos(ByteBuffer log, int at);

  /**
   * Returns the bytes of the last value, which follows the entry's fixed part; negative if
   * impossible.
   */
  int stateEntryValueBytes(ByteBuffer log, int at);

  /** Writes an entry's fixed part. Times may be {@link #NEVER_NANOS}. */
  void putStateEntry(
      ByteBuffer log,
      int at,
      int id,
      long eventNanos,
      int state,
      int severity,
      int status,
      long valueNanos,
      int valueBytes);

  // ---- fields to show to users ----

  /**
   * Returns the fields of a record's event up to its value, in their order. The first ones are
   * those of every event's header.
   */
  List<LayoutField> eventFields();

  /** Returns the fields of a record's entry in a milestone, without the value, in their order. */
  List<LayoutField> stateEntryFields();

  /** Returns the fields of a milestone's entry in the index, in their order. */
  List<LayoutField> milestoneEntryFields();
}
