package org.kblake.record.importing.jdbc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

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
   */
  public static ArchiveQuery ofTables(Database database, @Nullable List<String> channels)
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
    return new ArchiveQuery(sql + condition(database, channels), enums, database.isPostgres());
  }

  private static String condition(Database database, @Nullable List<String> channels) {
    if (channels == null || channels.size() > MOST_NAMES) {
      return "";
    }
    StringJoiner list = new StringJoiner(", ", " WHERE c.name IN (", ")");
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
