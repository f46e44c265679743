package org.kblake.cli.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Writes the SQL of DuckDB views over a store's files. Each group has a view for each value type,
 * with all rows and columns. It also has a view over all scalar numbers with the most requested
 * columns:
 *
 * <pre>
 *   VA_CCG_double   channel, time, time_ns, value, state, severity, status, stray, segment, lateness, tie, block
 *   VA_CCG          channel, time, time_ns, value (double), severity, status; value events, no strays
 * </pre>
 *
 * {@code time} is a TIMESTAMPTZ, rounded down to microseconds. All functions of DuckDB accept this
 * type. {@code time_ns} is the exact time as a BIGINT, nanoseconds since 1970 UTC.
 *
 * <p>The table macro {@code kblake_events(view, channel, start, end)} selects the rows of one
 * channel in [start, end) from any of these views. It skips row groups in DuckDB 1.4 and 2.0.
 *
 * <p>{@code block} is the position in the group's log at which the row's block begins. The text
 * sorts in log order: pair stamp, underscore, 19 digits of offset.
 */
public final class DuckDbViews {

  /**
   * The time in microseconds, rounded down. DuckDB skips row groups by a filter on this expression,
   * but not on make_timestamptz.
   */
  private static final String FLOOR =
      """
      to_timestamp(if(%1$s %% 1000 < 0, %1$s // 1000 - 1, %1$s // 1000) / 1e6)\
      """;

  /**
   * The time column of files with timestamps. DuckDB before 2.0 has no nanoseconds with a zone, and
   * reads the column as microseconds with a zone.
   */
  private static final String STANDARD_TIME =
      """
      CASE typeof(time) WHEN 'TIMESTAMP WITH TIME ZONE' THEN CAST(time AS TIMESTAMPTZ)
        ELSE %s END\
      """
          .formatted(FLOOR.formatted("epoch_ns(time)"));

  private static final String BLOCK =
      """
      regexp_extract(filename, '([0-9]{14})_[0-9]+-[^/]*/[^/]*$', 1) || '_' || lpad(
        regexp_extract(filename, '[0-9]{14}_([0-9]+)-[^/]*/[^/]*$', 1), 19, '0')\
      """;

  private final ViewNames names;
  private final boolean lake;

  /**
   * @param groups all groups of the store, because names must not depend on the groups that are
   *     written
   * @param lake whether times in the files are plain integers
   */
  public DuckDbViews(Collection<Group> groups, boolean lake) {
    this.names = new ViewNames(groups);
    this.lake = lake;
  }

  /**
   * Returns the expression of a TIMESTAMPTZ, rounded down to microseconds.
   *
   * @param nanos the column with nanoseconds since 1970 UTC
   */
  public static String time(String nanos) {
    return FLOOR.formatted(nanos);
  }

  /** Writes lines as comments. */
  public void writeDescription(List<String> lines, Appendable out) throws IOException {
    for (String line : lines) {
      comment(line, out);
    }
  }

  /** Writes comments and the table macro, which precede the views. */
  public void writeHead(Appendable out) throws IOException {
    comment("time is time_ns, nanoseconds since 1970 UTC, rounded down to microseconds.", out);
    comment("State: 0 disconnected, 1 connected, 2 value.", out);
    comment("Log order: ORDER BY block, segment, time_ns + lateness, tie.", out);
    if (!lake) {
      comment("DuckDB before 2.0 reads only the microseconds of these files.", out);
    }
    // DuckDB before 2.0 skips row groups only by a filter on a column of the file
    out.append(
        """

        CREATE OR REPLACE MACRO kblake_events(view_name, channel_name, start_time, end_time) AS TABLE
          SELECT * FROM query_table(view_name)
          WHERE channel = channel_name AND %1$s >= %2$s AND %1$s < %3$s;
        """
            .formatted(lake ? "time_ns" : "time", bound("start_time"), bound("end_time")));
  }

  /** Converts a parameter of the macro to the type of the column that the macro filters. */
  private String bound(String parameter) {
    String time = "CAST(" + parameter + " AS TIMESTAMPTZ)";
    return lake ? "epoch_us(" + time + ") * 1000" : time;
  }

  /** Writes a group's views, or only a comment if the group has no file. */
  public void write(StoredFiles files, Appendable out) throws IOException {
    Group group = files.group();
    out.append('\n');
    comment(group.toString() + (files.inLogOrder().isEmpty() ? ": nothing in the store" : ""), out);
    List<String> numbers = new ArrayList<>();
    for (Map.Entry<String, List<Path>> kind : files.byKind().entrySet()) {
      String view = quotedName(names.of(group, kind.getKey()));
      writeAll(view, kind.getValue(), out);
      if (isScalarNumber(kind.getKey())) {
        numbers.add(view);
      }
    }
    if (!numbers.isEmpty()) {
      writeNumbers(quotedName(names.of(group)), numbers, out);
    }
  }

  private void writeAll(String view, List<Path> files, Appendable out) throws IOException {
    out.append("CREATE OR REPLACE VIEW ").append(view).append(" AS\n");
    String time = lake ? FLOOR.formatted("time") : STANDARD_TIME;
    out.append("  SELECT channel,\n").append(time.indent(4).stripTrailing()).append(" AS time,\n");
    out.append("    ").append(lake ? "time" : "epoch_ns(time)").append(" AS time_ns,\n");
    out.append("    value, state, severity, status, stray, segment, lateness, tie,\n");
    out.append(BLOCK.indent(4).stripTrailing()).append(" AS block\n");
    out.append("  FROM read_parquet([\n");
    for (int i = 0; i < files.size(); i++) {
      out.append("    ").append(quotedText(files.get(i).toString()));
      out.append(i + 1 < files.size() ? ",\n" : "\n");
    }
    // Without this option, a directory x=3 above the store would become a column x
    out.append("  ], filename = true, hive_partitioning = false, union_by_name = false);\n");
  }

  private static void writeNumbers(String view, List<String> from, Appendable out)
      throws IOException {
    out.append("CREATE OR REPLACE VIEW ").append(view).append(" AS\n");
    for (int i = 0; i < from.size(); i++) {
      out.append(i == 0 ? "" : "  UNION ALL\n");
      out.append(
          "  SELECT channel, time, time_ns, CAST(value AS DOUBLE) AS value, severity, status\n");
      out.append("  FROM ").append(from.get(i)).append(" WHERE state = 2 AND NOT stray");
      out.append(i + 1 < from.size() ? "\n" : ";\n");
    }
  }

  private static boolean isScalarNumber(String kind) {
    for (ValueType type : ValueType.values()) {
      if (type != ValueType.STRING && type.text().equals(kind)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Writes a comment. Control characters are replaced, because a line break would end the comment.
   */
  private static void comment(String text, Appendable out) throws IOException {
    out.append("-- ").append(text.replaceAll("\\p{Cntrl}", "?")).append('\n');
  }

  private static String quotedName(String name) {
    return '"' + name + '"';
  }

  private static String quotedText(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
