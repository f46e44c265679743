package org.kblake.record.importing.jdbc;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.format.text.AlarmStatus;

/**
 * Reads the rows of a question by the names of its columns: channel, time or secs, nanos, value,
 * severity, status; CS-Studio's num_val, float_val, str_val, datatype and array_val instead of
 * value.
 */
final class ArchiveRows {

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MOST_SECONDS = Long.MAX_VALUE / SECOND_NANOS - 1;
  private static final int MOST_DIGITS = 12;
  private static final long ROUNDED_UP_NANOS = SECOND_NANOS - 500;
  private static final int INVALID = 3;
  private static final int UDF = 17;
  private static final int MOST_STATUS = 0xFFFF;

  /** What the archive engine writes while it has no value of a channel. */
  private static final Set<String> DOWN =
      Set.of("disconnected", "archive_off", "archive_disabled", "write_error");

  private static final Map<String, Integer> SEVERITIES =
      Map.of("ok", 0, "none", 0, "no_alarm", 0, "no", 0, "", 0, "minor", 1, "major", 2);

  private final ResultSet rows;
  private final ZoneId zone;
  private final boolean isRounded;
  private final Map<String, Integer> columns = new HashMap<>();
  private final boolean hasOffset;

  /**
   * @param zone the zone of times without one
   * @throws RequestException if a column is missing
   */
  ArchiveRows(ResultSet rows, ArchiveQuery query, ZoneId zone) throws SQLException {
    this.rows = rows;
    this.zone = zone;
    isRounded = query.isRounded();
    ResultSetMetaData types = rows.getMetaData();
    for (int i = 1; i <= types.getColumnCount(); i++) {
      columns.put(types.getColumnLabel(i).toLowerCase(Locale.ROOT), i);
    }
    if (!columns.containsKey("channel")
        || !(columns.containsKey("time") || columns.containsKey("secs"))
        || !(columns.containsKey("value") || columns.containsKey("float_val"))) {
      throw new RequestException(
          "the query needs columns named channel, time (or secs and nanos), and value: it has "
              + String.join(", ", columns.keySet().stream().sorted().toList()));
    }
    Integer time = columns.get("time");
    hasOffset = time != null && hasOffset(types, time);
  }

  /** Returns whether the times of a column have a zone. */
  static boolean hasOffset(ResultSetMetaData types, int column) throws SQLException {
    return types.getColumnType(column) == Types.TIMESTAMP_WITH_TIMEZONE
        || types.getColumnTypeName(column).equalsIgnoreCase("timestamptz");
  }

  /** Returns the columns by which rows are sorted. */
  List<Integer> order() {
    List<Integer> order = new ArrayList<>();
    for (String name : List.of("secs", "time", "nanos", "channel")) {
      Integer column = columns.get(name);
      if (column != null) {
        order.add(column);
      }
    }
    return order;
  }

  private @Nullable Object object(String name) throws SQLException {
    Integer column = columns.get(name);
    return column == null ? null : rows.getObject(column);
  }

  private String text(String name) throws SQLException {
    Object object = object(name);
    if (object instanceof byte[] bytes) {
      // The datatype of MySQL's table has no character set.
      return new String(bytes, StandardCharsets.ISO_8859_1).strip();
    }
    return object == null ? "" : object.toString().strip();
  }

  /**
   * Returns the present row.
   *
   * @throws DamagedRowException if it is no event
   */
  ArchiveRow row() throws SQLException, DamagedRowException {
    String channel = text("channel");
    String status = text("status");
    int severity = severity(text("severity"));
    Object value = columns.containsKey("value") ? object("value") : ofTables();
    boolean isDown = value == null || DOWN.contains(status.toLowerCase(Locale.ROOT));
    if (status.equalsIgnoreCase("NaN") && value instanceof Double) {
      value = Double.NaN; // The engine writes 0 for it.
    }
    if (value instanceof Array array) {
      value = array.getArray();
    }
    return new ArchiveRow(
        channel, nanos(channel), value, isDown, severity, status(status, severity));
  }

  private @Nullable Object ofTables() throws SQLException, DamagedRowException {
    if (text("datatype").equals("d")) {
      Integer column = columns.get("array_val");
      return doubles(column == null ? null : rows.getBytes(column));
    }
    Object real = object("float_val");
    if (real instanceof Number number) {
      return number.doubleValue();
    }
    Object integer = object("num_val");
    return integer != null ? integer : object("str_val");
  }

  private static double[] doubles(byte @Nullable [] bytes) throws DamagedRowException {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes == null ? new byte[0] : bytes);
      int count = in.getInt();
      if (count < 0 || count > in.remaining() / Double.BYTES) {
        throw new DamagedRowException("array has " + in.remaining() + " bytes, not " + count);
      }
      double[] doubles = new double[count];
      in.asDoubleBuffer().get(doubles);
      return doubles;
    } catch (BufferUnderflowException e) {
      throw new DamagedRowException("array is cut");
    }
  }

  private long nanos(String channel) throws SQLException, DamagedRowException {
    BigDecimal fraction = decimal(object("nanos"));
    long nanos = fraction == null ? -1 : fraction.longValue();
    if (fraction != null && (nanos < 0 || nanos >= SECOND_NANOS)) {
      throw new DamagedRowException("nanoseconds are " + nanos + ": channel=" + channel);
    }
    BigDecimal seconds = decimal(object("secs"));
    if (seconds != null) {
      if (seconds.precision() - seconds.scale() > MOST_DIGITS) {
        throw new DamagedRowException("time has too many digits: channel=" + channel);
      }
      BigDecimal whole = seconds.setScale(nanos < 0 ? 9 : 0, RoundingMode.FLOOR);
      if (whole.abs().compareTo(BigDecimal.valueOf(MOST_SECONDS)) > 0) {
        throw new DamagedRowException("time is " + seconds + ": channel=" + channel);
      }
      return whole.movePointRight(9).longValueExact() + Math.max(0, nanos);
    }
    Integer column = columns.get("time");
    Object time = column == null ? null : rows.getObject(column, type());
    if (time == null) {
      throw new DamagedRowException("no time: channel=" + channel);
    }
    OffsetDateTime instant =
        time instanceof OffsetDateTime offset
            ? offset
            : ((LocalDateTime) time).atZone(zone).toOffsetDateTime();
    long second = instant.toEpochSecond();
    if (Math.abs(second) > MOST_SECONDS) {
      throw new DamagedRowException("time is " + instant + ": channel=" + channel);
    }
    long own = second * SECOND_NANOS + instant.getNano();
    return nanos < 0 ? own : joined(own, nanos);
  }

  private Class<?> type() {
    return hasOffset ? OffsetDateTime.class : LocalDateTime.class;
  }

  /** Returns the time with these nanoseconds that is meant by a time, which may be rounded. */
  private long joined(long time, long nanos) {
    long begin = time - Math.floorMod(time, SECOND_NANOS);
    if (begin == time) {
      return begin + nanos - (isRounded && nanos >= ROUNDED_UP_NANOS ? SECOND_NANOS : 0);
    }
    long joined = begin + nanos;
    if (joined - time > SECOND_NANOS / 2) {
      return joined - SECOND_NANOS;
    }
    return time - joined > SECOND_NANOS / 2 ? joined + SECOND_NANOS : joined;
  }

  private static @Nullable BigDecimal decimal(@Nullable Object object) throws DamagedRowException {
    try {
      return object == null ? null : new BigDecimal(object.toString());
    } catch (NumberFormatException e) {
      throw new DamagedRowException("no number: " + object);
    }
  }

  private static int severity(String text) {
    if (text.matches("\\d{1,9}")) {
      return Math.min(INVALID, Integer.parseInt(text));
    }
    return SEVERITIES.getOrDefault(text.toLowerCase(Locale.ROOT), INVALID);
  }

  private static int status(String text, int severity) {
    if (text.matches("\\d{1,9}")) {
      int number = Integer.parseInt(text);
      return number > MOST_STATUS ? UDF : number;
    }
    int named = AlarmStatus.named(text.toUpperCase(Locale.ROOT));
    if (named >= 0) {
      return named;
    }
    return severity == 0 ? 0 : UDF;
  }
}
