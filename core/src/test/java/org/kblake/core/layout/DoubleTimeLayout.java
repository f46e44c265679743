package org.kblake.core.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;

/**
 * A layout that differs from the reference as much as the interface allows: another header order,
 * time as double seconds since 1970, 64-bit milestone offsets, other codes for types, states and
 * milestones.
 *
 * <pre>
 * index    magic (8) | milestone table M (int64) | records (int32) | version (uint16) | 0 (uint16)
 *          [ name length (uint16) | type (uint16) | name | elements (int32) | id (int32) ] ...
 *   M:     [ log offset (int64) | time (float64) | 1 (int64) ] ...
 *
 * event    time (float64) | id (int32) | length (uint32) | body
 * body     status (uint16) | severity (uint8) | state (uint8) | value
 * or, id 0x7FFFFFFF, for every record:
 *          value length (uint32) | id (int32) | event time (float64) | value time (float64)
 *          | status (uint16) | severity (uint8) | state (uint8) | value
 * </pre>
 *
 * A double represents times of these decades to a quarter of a microsecond.
 */
public final class DoubleTimeLayout implements LogLayout {

  private static final long MAGIC = 0x5349_5445_4B45_4B32L;
  private static final int VERSION = 2;
  private static final int HEADER_BYTES = 24;
  private static final int FIRST_TYPE = 10;
  private static final int MILESTONE = Integer.MAX_VALUE;
  private static final double MAX_SECONDS = 9e9;
  private static final long SECOND_NANOS = 1_000_000_000L;

  @Override
  public String name() {
    return "double-time-2";
  }

  @Override
  public int magicBytes() {
    return Long.BYTES;
  }

  @Override
  public String magicText() {
    return "SITEKEK2 in either byte order";
  }

  @Override
  public @Nullable ByteOrder recognise(ByteBuffer index) {
    ByteBuffer read = index.duplicate();
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      if (read.order(order).getLong(0) == MAGIC) {
        return order;
      }
    }
    return null;
  }

  @Override
  public IndexHeader readHeader(IndexInput in) throws IOException {
    in.int64("magic");
    int tableOffset = in.position();
    long table = in.int64("milestone table offset");
    int records = in.int32("records");
    int version = in.uint16("version");
    in.uint16("reserved");
    if (version != VERSION) {
      throw in.tooNew(version, VERSION);
    }
    if (table < 0 || records < 0) {
      throw in.corrupt(tableOffset, "table=" + table + ", records=" + records, "0 or more");
    }
    return new IndexHeader(records, table);
  }

  @Override
  public RecordEntry readRecord(IndexInput in) throws IOException {
    int nameLength = in.uint16("name length");
    int typeOffset = in.position();
    int type = in.uint16("type") - FIRST_TYPE;
    if (type < 0 || type >= ValueType.count()) {
      throw in.corrupt(typeOffset, "type=" + (type + FIRST_TYPE), "10 to 16");
    }
    String name = in.text("name", nameLength);
    int elementCount = in.int32("elements");
    int id = in.int32("id");
    return new RecordEntry(id, name, ValueType.of(type), elementCount);
  }

  @Override
  public int milestoneEntryBytes() {
    return 24;
  }

  @Override
  public long milestoneEntryNanos(ByteBuffer index, int at) {
    return nanos(index.getDouble(at + 8));
  }

  @Override
  public long milestoneEntryOffset(ByteBuffer index, int at) {
    return index.getLong(at);
  }

  @Override
  public byte[] encodeIndex(RecordTable records, ByteOrder order) {
    int size = HEADER_BYTES;
    for (RecordEntry entry : records.entries()) {
      size += 12 + entry.name().length();
    }
    ByteBuffer index = ByteBuffer.allocate(size).order(order);
    index.putLong(MAGIC).putLong(size).putInt(records.size());
    index.putShort((short) VERSION).putShort((short) 0);
    for (RecordEntry entry : records.entries()) {
      index.putShort((short) entry.name().length());
      index.putShort((short) (entry.type().code() + FIRST_TYPE));
      index.put(entry.name().getBytes(StandardCharsets.ISO_8859_1));
      index.putInt(entry.elementCount()).putInt(entry.id());
    }
    return index.array();
  }

  @Override
  public void putMilestoneEntry(ByteBuffer index, int at, long nanos, long offset) {
    index.putLong(at, offset).putDouble(at + 8, seconds(nanos)).putLong(at + 16, 1);
  }

  @Override
  public int eventHeaderBytes() {
    return 16;
  }

  @Override
  public int recordHeaderBytes() {
    return 20;
  }

  @Override
  public long maxLogBytes() {
    return 1L << 40;
  }

  @Override
  public int length(ByteBuffer log, int at) {
    return log.getInt(at + 12);
  }

  @Override
  public int id(ByteBuffer log, int at) {
    int id = log.getInt(at + 8);
    return id == MILESTONE ? MILESTONE_ID : id == MILESTONE_ID ? MILESTONE : id;
  }

  @Override
  public long nanos(ByteBuffer log, int at) {
    return nanos(log.getDouble(at));
  }

  @Override
  public int state(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + 19)) ^ 2;
  }

  @Override
  public int severity(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + 18));
  }

  @Override
  public int status(ByteBuffer log, int at) {
    return Short.toUnsignedInt(log.getShort(at + 16));
  }

  @Override
  public void putEventHeader(ByteBuffer log, int at, int length, int id, long nanos) {
    log.putDouble(at, seconds(nanos));
    log.putInt(at + 8, id == MILESTONE_ID ? MILESTONE : id).putInt(at + 12, length);
  }

  @Override
  public void putState(ByteBuffer log, int at, int state, int severity, int status) {
    log.putShort(at + 16, (short) status);
    log.put(at + 18, (byte) severity).put(at + 19, (byte) (state ^ 2));
  }

  @Override
  public int stateEntryBytes() {
    return 28;
  }

  @Override
  public int stateEntryId(ByteBuffer log, int at) {
    return log.getInt(at + 4);
  }

  @Override
  public long stateEntryEventNanos(ByteBuffer log, int at) {
    return nanosOrNever(log.getDouble(at + 8));
  }

  @Override
  public int stateEntryState(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + 27));
  }

  @Override
  public int stateEntrySeverity(ByteBuffer log, int at) {
    return Byte.toUnsignedInt(log.get(at + 26));
  }

  @Override
  public int stateEntryStatus(ByteBuffer log, int at) {
    return Short.toUnsignedInt(log.getShort(at + 24));
  }

  @Override
  public long stateEntryValueNanos(ByteBuffer log, int at) {
    return nanosOrNever(log.getDouble(at + 16));
  }

  @Override
  public int stateEntryValueBytes(ByteBuffer log, int at) {
    return log.getInt(at);
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
    log.putInt(at, valueBytes).putInt(at + 4, id);
    log.putDouble(at + 8, secondsOrNever(eventNanos));
    log.putDouble(at + 16, secondsOrNever(valueNanos));
    log.putShort(at + 24, (short) status);
    log.put(at + 26, (byte) severity).put(at + 27, (byte) state);
  }

  @Override
  public List<LayoutField> eventFields() {
    return List.of(
        new LayoutField("time", 0, LayoutField.Kind.FLOAT64),
        new LayoutField("id", 8, LayoutField.Kind.INT32),
        new LayoutField("length", 12, LayoutField.Kind.UINT32),
        new LayoutField("status", 16, LayoutField.Kind.UINT16),
        new LayoutField("severity", 18, LayoutField.Kind.UINT8),
        new LayoutField("state", 19, LayoutField.Kind.UINT8));
  }

  @Override
  public List<LayoutField> stateEntryFields() {
    return List.of(
        new LayoutField("value length", 0, LayoutField.Kind.UINT32),
        new LayoutField("id", 4, LayoutField.Kind.INT32),
        new LayoutField("event time", 8, LayoutField.Kind.FLOAT64),
        new LayoutField("value time", 16, LayoutField.Kind.FLOAT64),
        new LayoutField("status", 24, LayoutField.Kind.UINT16),
        new LayoutField("severity", 26, LayoutField.Kind.UINT8),
        new LayoutField("state", 27, LayoutField.Kind.UINT8));
  }

  @Override
  public List<LayoutField> milestoneEntryFields() {
    return List.of(
        new LayoutField("log offset", 0, LayoutField.Kind.INT64),
        new LayoutField("time", 8, LayoutField.Kind.FLOAT64),
        new LayoutField("one", 16, LayoutField.Kind.INT64));
  }

  /**
   * Converts seconds and their fraction separately, so that a time that was read is written back
   * unchanged.
   */
  private static long nanos(double seconds) {
    if (!(seconds >= 0 && seconds <= MAX_SECONDS)) {
      return IMPOSSIBLE_NANOS;
    }
    long whole = (long) seconds;
    return whole * SECOND_NANOS + Math.round((seconds - whole) * SECOND_NANOS);
  }

  private static double seconds(long nanos) {
    if (nanos < 0 || nanos > MAX_SECONDS * SECOND_NANOS) {
      throw new IllegalArgumentException("time is outside of the layout: nanos=" + nanos);
    }
    long whole = nanos / SECOND_NANOS;
    return whole + nanos % SECOND_NANOS / 1e9;
  }

  private static long nanosOrNever(double seconds) {
    return seconds == 0 ? NEVER_NANOS : nanos(seconds);
  }

  private static double secondsOrNever(long nanos) {
    return nanos == NEVER_NANOS ? 0 : seconds(nanos);
  }
}
