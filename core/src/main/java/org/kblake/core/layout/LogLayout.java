package org.kblake.core.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a site's KEKBLog files lie. {@link ReferenceLayout} is the published one; a
 * site whose files differ writes one class and registers it for {@link ServiceLoader} (see
 * docs/layouts.md, and the contract suite {@code LogLayoutContract} that it must pass).
 *
 * <p>What all layouts have in common: an index that begins with a header and the records, followed
 * by milestone entries of one fixed size; a log of events, each with a header of one fixed size
 * that states the whole event's length, a record id (or {@link #MILESTONE_ID}) and a time; a
 * record's event then has a fixed number of bytes of state, and the elements of its value, in the
 * sizes of {@link org.kblake.core.model.ValueType}; a milestone has an entry of a fixed part and
 * the value for every record, in the order of the index.
 *
 * <p>All methods that take a buffer are handed one in the pair's byte order, read at absolute
 * positions, and leave its position alone. They are called for every event: keep them as small as
 * in {@link ReferenceLayout}, without allocation. Instances are used by many threads at once.
 */
public interface LogLayout {

  /** The id of milestone events, whatever a site's files have for it. */
  int MILESTONE_ID = -1;

  /** An impossible time, such as one with 10^9 nanoseconds in a second. */
  long IMPOSSIBLE_NANOS = Long.MIN_VALUE;

  /** In a milestone: the record has had no event, or no value, yet. */
  long NEVER_NANOS = Long.MIN_VALUE + 1;

  /**
   * The layouts to try: those of the site, then the reference layout. {@code
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

  /** A short name that must never change, because stores have it. */
  String name();

  // ---- index ----

  /** How many bytes {@link #recognise} needs. */
  int magicBytes();

  /** The first bytes of an index of this layout, for messages. */
  String magicText();

  /**
   * Looks at the first {@link #magicBytes()} bytes of an index.
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

  /** Bytes of a milestone's entry in the index. */
  int milestoneEntryBytes();

  /** The milestone's time, or {@link #IMPOSSIBLE_NANOS}. */
  long milestoneEntryNanos(ByteBuffer index, int at);

  /** The milestone's offset in the log; negative if it is impossible. */
  long milestoneEntryOffset(ByteBuffer index, int at);

  /** The bytes of header and records, up to where the milestone entries begin. */
  byte[] encodeIndex(RecordTable records, ByteOrder order);

  /** Writes a milestone's entry. */
  void putMilestoneEntry(ByteBuffer index, int at, long nanos, long offset);

  // ---- events ----

  /** Bytes of every event's header. */
  int eventHeaderBytes();

  /** Bytes of a record's event before its value: the event header and the state. */
  int recordHeaderBytes();

  /** Bytes that a log of this layout may have. */
  long maxLogBytes();

  /**
   * Length of the whole event, header included; 0 if nothing is written yet, negative if it does
   * not fit an int.
   */
  int length(ByteBuffer log, int at);

  /** The record's id, or {@link #MILESTONE_ID}. */
  int id(ByteBuffer log, int at);

  /** The event's time in nanoseconds since 1970 UTC, or {@link #IMPOSSIBLE_NANOS}. */
  long nanos(ByteBuffer log, int at);

  /** Of a record's event: 0 disconnected, 1 connected, 2 value; anything else is damage. */
  int state(ByteBuffer log, int at);

  /** Of a record's event: 0 to 3; anything else is damage. */
  int severity(ByteBuffer log, int at);

  /** Of a record's event: EPICS {@code menuAlarmStat}, 0 to 65535. */
  int status(ByteBuffer log, int at);

  /**
   * Whether every undamaged event of numbers, and every connection event, is written back byte for
   * byte from its fields: there are no spare bytes, and each time has one encoding. Stores then
   * need not compare these bytes.
   */
  default boolean numbersAreExact() {
    return false;
  }

  /**
   * {@link #length} in the low 32 bits, {@link #id} in the high 32 bits. Override it if one read
   * can return both, because the walk over headers calls only this for most events.
   */
  default long lengthAndId(ByteBuffer log, int at) {
    return Integer.toUnsignedLong(length(log, at)) | (long) id(log, at) << Integer.SIZE;
  }

  /**
   * {@link #state} in the low 8 bits, {@link #severity} above them; override it for the same
   * reason.
   */
  default int stateAndSeverity(ByteBuffer log, int at) {
    return state(log, at) | severity(log, at) << Byte.SIZE;
  }

  /**
   * A number that orders events by time and is cheaper than {@link #nanos}. It is {@link
   * #IMPOSSIBLE_NANOS}, the least value, if the time is impossible; a layout may also use it for
   * its very first time. Override it for the same reason, together with {@link #nanosOfTimeKey}.
   */
  default long timeKey(ByteBuffer log, int at) {
    return nanos(log, at);
  }

  /** The time of a key as {@link #nanos} has it, or {@link #IMPOSSIBLE_NANOS}. */
  default long nanosOfTimeKey(long key) {
    return key;
  }

  /**
   * A loop over headers with the same result as these methods, but faster.
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

  /** Writes what {@link #state}, {@link #severity} and {@link #status} read. */
  void putState(ByteBuffer log, int at, int state, int severity, int status);

  // ---- milestone bodies ----

  /** Bytes of a record's entry in a milestone before its value. */
  int stateEntryBytes();

  int stateEntryId(ByteBuffer log, int at);

  /** Time of the record's last event, {@link #NEVER_NANOS} or {@link #IMPOSSIBLE_NANOS}. */
  long stateEntryEventNanos(ByteBuffer log, int at);

  /** The record's state after its last event. */
  int stateEntryState(ByteBuffer log, int at);

  /** Severity of the last value event. */
  int stateEntrySeverity(ByteBuffer log, int at);

  /** Status of the last value event. */
  int stateEntryStatus(ByteBuffer log, int at);

  /** Time of the last value event, {@link #NEVER_NANOS} or {@link #IMPOSSIBLE_NANOS}. */
  long stateEntryValueNanos(ByteBuffer log, int at);

  /** Bytes of the last value, right behind the entry's fixed part; negative where impossible. */
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

  // ---- for people ----

  /** The fields of an event's header, of a record's event up to its value, in their order. */
  List<LayoutField> eventFields();

  /** The fields of a record's entry in a milestone, value aside, in their order. */
  List<LayoutField> stateEntryFields();

  /** The fields of a milestone's entry in the index, in their order. */
  List<LayoutField> milestoneEntryFields();
}
