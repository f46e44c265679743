package org.kblake.core.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;

/**
 * The reference layout, version 1.
 *
 * <pre>
 * index    magic (uint32) | version (uint16) | 0 (uint16) | records R (int32) | milestone table M (uint32)
 *          R x [ id (int32) | type (uint16) | name length L (uint16) | elements (int32) | name (L) | pad to 4 ]
 *   M:     [ seconds (uint32) | nanoseconds (uint32) | log offset (int32) | 0 (uint32) ] ...
 *
 * event    length (uint32) | id (int32) | seconds (uint32) | nanoseconds (uint32) | body
 * body     state (uint8) | severity (uint8) | status (uint16) | value
 * or, id -1, for every record:
 *          id (int32) | event seconds, nanoseconds (uint32 x 2) | state (uint8) | severity (uint8) | status (uint16)
 *          | value seconds, nanoseconds (uint32 x 2) | value length V (uint32) | value (V)
 * </pre>
 *
 * Times count from 1990-01-01T00:00:00Z. The magic determines the byte order of the pair.
 */
public final class ReferenceLayout implements LogLayout {

  public static final ReferenceLayout INSTANCE = new ReferenceLayout();

  private static final int MAGIC = 0x4B424C31;
  private static final int VERSION = 1;

  private static final int HEADER_BYTES = 16;
  private static final int RECORD_FIXED_BYTES = 12;
  private static final int ALIGNMENT = 4;
  private static final int MILESTONE_ENTRY_BYTES = 16;
  private static final int MILESTONE_ENTRY_LOG_OFFSET = 8;

  private static final int ID_OFFSET = 4;
  static final int TIME_OFFSET = 8;
  static final int STATE_OFFSET = 16;
  static final int SEVERITY_OFFSET = 17;
  private static final int STATUS_OFFSET = 18;
  private static final int VALUE_OFFSET = 20;

  private static final int ENTRY_EVENT_TIME_OFFSET = 4;
  private static final int ENTRY_STATE_OFFSET = 12;
  private static final int ENTRY_SEVERITY_OFFSET = 13;
  private static final int ENTRY_STATUS_OFFSET = 14;
  private static final int ENTRY_VALUE_TIME_OFFSET = 16;
  private static final int ENTRY_VALUE_BYTES_OFFSET = 24;
  private static final int ENTRY_VALUE_OFFSET = 28;

  /** The seconds from 1970 to 1990. */
  private static final long EPOCH_SECONDS = 631_152_000L;

  static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MAX_SECONDS = 0xFFFF_FFFFL;

  private ReferenceLayout() {}

  @Override
  public String name() {
    return "reference-1";
  }

  @Override
  public int magicBytes() {
    return Integer.BYTES;
  }

  @Override
  public String magicText() {
    return "0x4B424C31 (KBL1) in either byte order";
  }

  @Override
  public @Nullable ByteOrder recognise(ByteBuffer index) {
    int magic = index.getInt(0);
    ByteOrder read = index.order();
    if (magic == MAGIC) {
      return read;
    }
    if (Integer.reverseBytes(magic) == MAGIC) {
      return read == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }
    return null;
  }

  @Override
  public IndexHeader readHeader(IndexInput in) throws IOException {
    in.uint32("magic");
    int version = in.uint16("layout version");
    if (version != VERSION) {
      throw in.tooNew(version, VERSION);
    }
    in.uint16("reserved");
    int recordsOffset = in.position();
    int records = in.int32("records");
    if (records < 0) {
      throw in.corrupt(recordsOffset, "records=" + records, "0 or more");
    }
    return new IndexHeader(records, in.uint32("milestone table offset"));
  }

  @Override
  public RecordEntry readRecord(IndexInput in) throws IOException {
    int id = in.int32("id");
    int typeOffset = in.position();
    int type = in.uint16("type");
    int nameLength = in.uint16("name length");
    int elementCount = in.int32("elements");
    if (type >= ValueType.count()) {
      throw in.corrupt(typeOffset, "type=" + type, "0 to " + (ValueType.count() - 1));
    }
    String name = in.text("name", nameLength);
    in.align(ALIGNMENT);
    return new RecordEntry(id, name, ValueType.of(type), elementCount);
  }

  @Override
  public int milestoneEntryBytes() {
    return MILESTONE_ENTRY_BYTES;
  }

  @Override
  public long milestoneEntryNanos(ByteBuffer index, int at) {
    return time(index, at);
  }

  @Override
  public long milestoneEntryOffset(ByteBuffer index, int at) {
    return index.getInt(at + MILESTONE_ENTRY_LOG_OFFSET);
  }

  @Override
  public byte[] encodeIndex(RecordTable records, ByteOrder order) {
    int size = HEADER_BYTES;
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      size = Math.addExact(size, recordBytes(records.entry(ordinal)));
    }
    ByteBuffer index = ByteBuffer.allocate(size).order(order);
    index.putInt(MAGIC).putShort((short) VERSION).putShort((short) 0);
    index.putInt(records.size()).putInt(size);
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      int at = index.position();
      index.putInt(entry.id()).putShort((short) entry.type().code());
      index.putShort((short) entry.name().length()).putInt(entry.elementCount());
      index.put(entry.name().getBytes(StandardCharsets.ISO_8859_1));
      index.position(at + recordBytes(entry));
    }
    return index.array();
  }

  private static int recordBytes(RecordEntry entry) {
    int length = entry.name().length();
    if (length > 0xFFFF) {
      throw new IllegalArgumentException("name is too long: bytes=" + length);
    }
    return RECORD_FIXED_BYTES + (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  @Override
  public void putMilestoneEntry(ByteBuffer index, int at, long nanos, long offset) {
    putTime(index, at, nanos);
    index.putInt(at + MILESTONE_ENTRY_LOG_OFFSET, Math.toIntExact(offset));
    index.putInt(at + MILESTONE_ENTRY_LOG_OFFSET + Integer.BYTES, 0);
  }

  @Override
  public int eventHeaderBytes() {
    return STATE_OFFSET;
  }

  @Override
  public int recordHeaderBytes() {
    return VALUE_OFFSET;
  }

  @Override
  public long maxLogBytes() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int length(ByteBuffer log, int at) {
    return log.getInt(at);
  }

  @Override
  public int id(ByteBuffer log, int at) {
    return log.getInt(at + ID_OFFSET);
  }

  @Override
  public long nanos(ByteBuffer log, int at) {
    return time(log, at + TIME_OFFSET);
  }

  @Override
  public int state(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + STATE_OFFSET));
  }

  @Override
  public int severity(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + SEVERITY_OFFSET));
  }

  @Override
  public int status(ByteBuffer log, int at) {
    return Short.toUnsignedInt(log.getShort(at + STATUS_OFFSET));
  }

  @Override
  public boolean numbersAreExact() {
    return true;
  }

  @Override
  public long lengthAndId(ByteBuffer log, int at) {
    long both = log.getLong(at);
    return log.order() == ByteOrder.BIG_ENDIAN ? Long.rotateLeft(both, Integer.SIZE) : both;
  }

  @Override
  public int stateAndSeverity(ByteBuffer log, int at) {
    short both = log.getShort(at + STATE_OFFSET);
    return Short.toUnsignedInt(
        log.order() == ByteOrder.BIG_ENDIAN ? Short.reverseBytes(both) : both);
  }

  @Override
  public void putEventHeader(ByteBuffer log, int at, int length, int id, long nanos) {
    log.putInt(at, length);
    log.putInt(at + ID_OFFSET, id);
    putTime(log, at + TIME_OFFSET, nanos);
  }

  @Override
  public void putState(ByteBuffer log, int at, int state, int severity, int status) {
    log.put(at + STATE_OFFSET, (byte) state);
    log.put(at + SEVERITY_OFFSET, (byte) severity);
    log.putShort(at + STATUS_OFFSET, (short) status);
  }

  @Override
  public int stateEntryBytes() {
    return ENTRY_VALUE_OFFSET;
  }

  @Override
  public int stateEntryId(ByteBuffer log, int at) {
    return log.getInt(at);
  }

  @Override
  public long stateEntryEventNanos(ByteBuffer log, int at) {
    return timeOrNever(log, at + ENTRY_EVENT_TIME_OFFSET);
  }

  @Override
  public int stateEntryState(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + ENTRY_STATE_OFFSET));
  }

  @Override
  public int stateEntrySeverity(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + ENTRY_SEVERITY_OFFSET));
  }

  @Override
  public int stateEntryStatus(ByteBuffer log, int at) {
    return Short.toUnsignedInt(log.getShort(at + ENTRY_STATUS_OFFSET));
  }

  @Override
  public long stateEntryValueNanos(ByteBuffer log, int at) {
    return stateEntryValueBytes(log, at) == 0
        ? timeOrNever(log, at + ENTRY_VALUE_TIME_OFFSET)
        : time(log, at + ENTRY_VALUE_TIME_OFFSET);
  }

  @Override
  public int stateEntryValueBytes(ByteBuffer log, int at) {
    return log.getInt(at + ENTRY_VALUE_BYTES_OFFSET);
  }

  @Override
  public void putStateEntry(
      ByteBuffer log,
      int at,
      int id,
      long eventNanos,
      int state,
      int severity,
      int status,
      long valueNanos,
      int valueBytes) {
    log.putInt(at, id);
    putTimeOrNever(log, at + ENTRY_EVENT_TIME_OFFSET, eventNanos);
    log.put(at + ENTRY_STATE_OFFSET, (byte) state);
    log.put(at + ENTRY_SEVERITY_OFFSET, (byte) severity);
    log.putShort(at + ENTRY_STATUS_OFFSET, (short) status);
    putTimeOrNever(log, at + ENTRY_VALUE_TIME_OFFSET, valueNanos);
    log.putInt(at + ENTRY_VALUE_BYTES_OFFSET, valueBytes);
  }

  @Override
  public List<LayoutField> eventFields() {
    return List.of(
        new LayoutField("length", 0, LayoutField.Kind.UINT32),
        new LayoutField("id", ID_OFFSET, LayoutField.Kind.INT32),
        new LayoutField("seconds", TIME_OFFSET, LayoutField.Kind.UINT32),
        new LayoutField("nanoseconds", TIME_OFFSET + Integer.BYTES, LayoutField.Kind.UINT32),
        new LayoutField("state", STATE_OFFSET, LayoutField.Kind.UINT8),
        new LayoutField("severity", SEVERITY_OFFSET, LayoutField.Kind.UINT8),
        new LayoutField("status", STATUS_OFFSET, LayoutField.Kind.UINT16));
  }

  @Override
  public List<LayoutField> stateEntryFields() {
    return List.of(
        new LayoutField("id", 0, LayoutField.Kind.INT32),
        new LayoutField("event seconds", ENTRY_EVENT_TIME_OFFSET, LayoutField.Kind.UINT32),
        new LayoutField(
            "event nanoseconds", ENTRY_EVENT_TIME_OFFSET + Integer.BYTES, LayoutField.Kind.UINT32),
        new LayoutField("state", ENTRY_STATE_OFFSET, LayoutField.Kind.UINT8),
        new LayoutField("severity", ENTRY_SEVERITY_OFFSET, LayoutField.Kind.UINT8),
        new LayoutField("status", ENTRY_STATUS_OFFSET, LayoutField.Kind.UINT16),
        new LayoutField("value seconds", ENTRY_VALUE_TIME_OFFSET, LayoutField.Kind.UINT32),
        new LayoutField(
            "value nanoseconds", ENTRY_VALUE_TIME_OFFSET + Integer.BYTES, LayoutField.Kind.UINT32),
        new LayoutField("value length", ENTRY_VALUE_BYTES_OFFSET, LayoutField.Kind.UINT32));
  }

  @Override
  public List<LayoutField> milestoneEntryFields() {
    return List.of(
        new LayoutField("seconds", 0, LayoutField.Kind.UINT32),
        new LayoutField("nanoseconds", Integer.BYTES, LayoutField.Kind.UINT32),
        new LayoutField("log offset", MILESTONE_ENTRY_LOG_OFFSET, LayoutField.Kind.INT32),
        new LayoutField(
            "reserved", MILESTONE_ENTRY_LOG_OFFSET + Integer.BYTES, LayoutField.Kind.UINT32));
  }

  /**
   * Returns seconds in the upper and nanoseconds in the lower half, with a sign bit that makes the
   * keys ascend.
   */
  @Override
  public long timeKey(ByteBuffer log, int at) {
    return timeKey(secondsAndNanos(log, at + TIME_OFFSET));
  }

  /** Returns the key of seconds in the upper and nanoseconds in the lower half. */
  static long timeKey(long both) {
    return (int) both >= 0 && (int) both < SECOND_NANOS ? both ^ Long.MIN_VALUE : IMPOSSIBLE_NANOS;
  }

  @Override
  public HeaderLoop headerLoop(ByteOrder order) {
    return new ReferenceHeaderLoop(order);
  }

  @Override
  public long nanosOfTimeKey(long key) {
    return key == IMPOSSIBLE_NANOS ? key : nanos(key ^ Long.MIN_VALUE);
  }

  private static long secondsAndNanos(ByteBuffer bytes, int at) {
    long both = bytes.getLong(at);
    return bytes.order() == ByteOrder.BIG_ENDIAN ? both : Long.rotateLeft(both, Integer.SIZE);
  }

  private static long nanos(long secondsAndNanos) {
    long nanos = secondsAndNanos & MAX_SECONDS;
    return nanos < SECOND_NANOS
        ? ((secondsAndNanos >>> Integer.SIZE) + EPOCH_SECONDS) * SECOND_NANOS + nanos
        : IMPOSSIBLE_NANOS;
  }

  private static long time(ByteBuffer bytes, int at) {
    return nanos(secondsAndNanos(bytes, at));
  }

  private static long timeOrNever(ByteBuffer bytes, int at) {
    return bytes.getLong(at) == 0 ? NEVER_NANOS : time(bytes, at);
  }

  private static void putTime(ByteBuffer bytes, int at, long nanos) {
    long seconds = Math.floorDiv(nanos, SECOND_NANOS) - EPOCH_SECONDS;
    if (seconds < 0 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "time is outside of 1990 to 2126, the range of the layout: nanos=" + nanos);
    }
    bytes.putInt(at, (int) seconds);
    bytes.putInt(at + Integer.BYTES, (int) Math.floorMod(nanos, SECOND_NANOS));
  }

  private static void putTimeOrNever(ByteBuffer bytes, int at, long nanos) {
    if (nanos == NEVER_NANOS) {
      bytes.putLong(at, 0);
    } else {
      putTime(bytes, at, nanos);
    }
  }
}
