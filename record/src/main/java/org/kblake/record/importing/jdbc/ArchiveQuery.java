package org.kblake.record.importing.jdbc;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;

/**
 * The question whose rows are the events: that of the user, or one for the tables of CS-Studio's
 * archive engine.
 *
 * @param sql the question, in any order
 * @param enums the channels whose integers are places in a list of labels
 * @param isRounded whether times have microseconds, rounded, beside a column with nanoseconds
 */
public record ArchiveQuery(String sql, Set<String> enums, boolean isRounded) {

  private static final int MOST_NAMES = 1000;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long DAY_SECONDS = 86_400;

  /** MySQL has no times from here on, the year 2038. */
  private static final long END_SECONDS = (1L << 31) - 2 * DAY_SECONDS;

  public ArchiveQuery {
    enums = Set.copyOf(enums);
  }

  /** Returns a question of the user. */
  public static ArchiveQuery of(String sql) {
    String text = sql.strip();
    return new ArchiveQuery(
        text.endsWith(";") ? text.substring(0, text.length() - 1) : text, Set.of(), false);
  }

  /** Returns the names of all channels of CS-Studio's tables. */
  public static List<String> channels(Database database) throws IOException {
    return names(database, "SELECT name FROM channel ORDER BY name");
  }

  /**
   * Returns the question for CS-Studio's tables.
   *
   * @param channels the chosen channels; null for all
   * @param range the rows have all events of this range, and few others
   * @param zone the zone of times without one
   */
  public static ArchiveQuery ofTables(
      Database database, @Nullable List<String> channels, TimeRange range, ZoneId zone)
      throws IOException {
    Set<String> enums =
        new HashSet<>(
            names(
                database,
                "SELECT DISTINCT c.name FROM enum_metadata e"
                    + " JOIN channel c ON c.channel_id = e.channel_id"));
    // MySQL's driver would read the column in a zone of its own.
    String time =
        database.isMysql() ? "UNIX_TIMESTAMP(s.smpl_time) AS secs" : "s.smpl_time AS time";
    String sql =
        "SELECT c.name AS channel, "
            + time
            + ", s.nanosecs AS nanos, s.num_val, s.float_val, s.str_val, s.datatype, s.array_val,"
            + " v.name AS severity, t.name AS status FROM sample s"
            + " JOIN channel c ON c.channel_id = s.channel_id"
            + " LEFT JOIN severity v ON v.severity_id = s.severity_id"
            + " LEFT JOIN status t ON t.status_id = s.status_id";
    String where = times(database, range, zone) + names(database, channels);
    return new ArchiveQuery(sql + where.replaceFirst("AND", "WHERE"), enums, database.isPostgres());
  }

  /** Returns a condition for the times, which the database may have rounded to seconds. */
  private static String times(Database database, TimeRange range, ZoneId zone) throws IOException {
    boolean[] hasOffset = {false};
    database.query(
        "SELECT smpl_time FROM sample WHERE 1 = 0",
        rows -> hasOffset[0] = ArchiveRows.hasOffset(rows.getMetaData(), 1));
    StringBuilder condition = new StringBuilder();
    // The same local time comes twice when summer ends.
    long margin = hasOffset[0] ? 1 : DAY_SECONDS;
    String from = time(database, range.fromNanos() / SECOND_NANOS - margin, hasOffset[0], zone);
    String to = time(database, range.toNanos() / SECOND_NANOS + 1 + margin, hasOffset[0], zone);
    if (!from.isEmpty()) {
      condition.append(" AND s.smpl_time >= ").append(from);
    }
    if (!to.isEmpty()) {
      condition.append(" AND s.smpl_time < ").append(to);
    }
    return condition.toString();
  }

  /** Returns a time of the condition; empty for one without a limit. */
  private static String time(Database database, long seconds, boolean hasOffset, ZoneId zone) {
    if (seconds <= 0 || seconds >= END_SECONDS) {
      return "";
    }
    if (database.isMysql()) {
      return "FROM_UNIXTIME(" + seconds + ")";
    }
    Instant instant = Instant.ofEpochSecond(seconds);
    return hasOffset
        ? "TIMESTAMP WITH TIME ZONE '" + TIME.format(instant.atZone(ZoneOffset.UTC)) + "+00:00'"
        : "TIMESTAMP '" + TIME.format(instant.atZone(zone)) + "'";
  }

  private static String names(Database database, @Nullable List<String> channels) {
    if (channels == null || channels.size() > MOST_NAMES) {
      return "";
    }
    StringJoiner list = new StringJoiner(", ", " AND c.name IN (", ")");
    for (String name : channels) {
      String quoted = name.replace("'", "''");
      list.add("'" + (database.isMysql() ? quoted.replace("\\", "\\\\") : quoted) + "'");
    }
    return list.toString();
  }

  private static List<String> names(Database database, String sql) throws IOException {
    List<String> names = new ArrayList<>();
    database.query(
        sql,
        rows -> {
          while (rows.next()) {
            names.add(rows.getString(1));
          }
        });
    return names;
  }

  /**
   * Returns the question with its rows in the order of time.
   *
   * @param columns the numbers of the columns, from 1, by which the rows are sorted
   */
  String ordered(List<Integer> columns) {
    StringJoiner order = new StringJoiner(", ");
    columns.forEach(column -> order.add(column.toString()));
    return "SELECT * FROM (" + sql + ") kblake ORDER BY " + order;
  }
}
