package org.kblake.lake.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.cli.files.ViewNames;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.SiteTable;
import org.kblake.lake.table.TableKind;

/**
 * Writes the SQL of views over the present snapshots of tables:
 *
 * <pre>
 *   kblake_coverage, kblake_channels, kblake_rollup     the tables of all groups
 *   VA_CCG_double   all rows and columns of a table, and the label of an enum's state
 *   VA_CCG          value events of all channels with single numbers, no strays; NaN is null
 *   VA_CCG_held     the numbers that channels held, each with its begin and its end
 *   VA_CCG_mean     their means over time for each hour
 *   VA_CCG_enum_held, ..   the held values of other types
 * </pre>
 *
 * Tables have times as nanoseconds since 1970 UTC. Views have these in columns with the ending
 * {@code _ns}, and timestamps beside them.
 */
public final class LakeViews {

  private static final List<String> SITE =
      List.of("kblake_coverage", "kblake_channels", "kblake_rollup");

  private static final String HELD = "held";
  private static final String MEAN = "mean";

  private final Engine engine;
  private final String catalog;
  private final ViewNames names;
  private final Appendable out;
  private Map<Group, FormerNames> former = Map.of();

  /**
   * @param catalog the name of the catalog of Spark
   * @param groups all groups that have tables, because names must not depend on those written
   */
  public LakeViews(Engine engine, String catalog, Collection<Group> groups, Appendable out) {
    this.engine = engine;
    this.catalog = catalog;
    this.out = out;
    List<String> more = new ArrayList<>(List.of(HELD, MEAN));
    TableKind.all().stream()
        .filter(kind -> !isNumber(kind))
        .map(LakeViews::held)
        .forEach(more::add);
    names = new ViewNames(groups, SITE, more);
  }

  private static boolean isNumber(TableKind kind) {
    return !kind.waveform() && kind.type() != ValueType.STRING && kind.type() != ValueType.ENUM;
  }

  private static String held(TableKind kind) {
    return kind + "_" + HELD;
  }

  /**
   * Writes the function from timestamps to nanoseconds, and the views of the tables of all groups.
   */
  public void writeHead(List<LakeTable> site) throws IOException {
    statement(engine.function());
    for (LakeTable table : site) {
      if (table.identifier().equals(SiteTable.CHANNELS.identifier().toString())) {
        former = FormerNames.read(table);
      }
      String name = table.identifier().substring(table.identifier().indexOf('.') + 1);
      List<String> columns = new ArrayList<>();
      table.table().schema().columns().forEach(column -> columns.addAll(columns(column.name())));
      statement(
          engine.create("kblake_" + name)
              + " AS\n  SELECT "
              + String.join(", ", columns)
              + "\n  FROM "
              + engine.source(table, catalog));
    }
  }

  private List<String> columns(String name) {
    String quoted = engine.quoted(name);
    return switch (name) {
      case "from", "to", "since", "until" ->
          List.of(engine.time(quoted) + " AS " + quoted, quoted + " AS " + name + "_ns");
      default -> List.of(quoted);
    };
  }

  /** Writes the views of a group. Held values need the coverage of the head. */
  public void write(Group group, List<LakeTable> tables) throws IOException {
    out.append("\n-- ").append(group.toString().replaceAll("\\p{Cntrl}", "?")).append('\n');
    List<LakeTable> numbers = new ArrayList<>();
    for (LakeTable table : tables) {
      all(group, table);
      if (isNumber(table.kind())) {
        numbers.add(table);
      } else {
        held(names.of(group, held(table.kind())), group, List.of(table), "value", label(table));
      }
    }
    if (!numbers.isEmpty()) {
      numbers(group, numbers);
      held(names.of(group, HELD), group, numbers, "CAST(value AS DOUBLE)", "");
      mean(group);
    }
  }

  private static String kind(TableKind kind) {
    return kind.toString().replace('_', '-');
  }

  /** Returns the column with the label of an enum's state, or nothing. */
  private String label(LakeTable table) {
    return table.kind().type() == ValueType.ENUM && !table.kind().waveform()
        ? ", " + engine.element("labels", "value") + " AS label"
        : "";
  }

  private String labels(Group group) {
    return "LEFT JOIN (SELECT name, max(labels) AS labels FROM kblake_channels WHERE "
        + isOf(group)
        + " GROUP BY name) ON name = channel";
  }

  private String isOf(Group group) {
    return engine.quoted("group") + " = '" + group.toString().replace("'", "''") + "'";
  }

  private FormerNames formerOf(Group group) {
    return former.getOrDefault(group, FormerNames.none());
  }

  /** Returns the rows of a table under the present names of channels. */
  private String rows(Group group, LakeTable table) {
    return formerOf(group).source(engine.source(table, catalog), engine.file());
  }

  private void all(Group group, LakeTable table) throws IOException {
    String label = label(table);
    statement(
        engine.create(names.of(group, kind(table.kind())))
            + " AS\n  SELECT channel, "
            + engine.time("time")
            + " AS time, time AS time_ns, value"
            + label
            + ",\n    state, severity, status, stray, segment, lateness, tie\n  FROM "
            + rows(group, table)
            + (label.isEmpty() ? "" : "\n  " + labels(group)));
  }

  private void numbers(Group group, List<LakeTable> tables) throws IOException {
    List<String> selects = new ArrayList<>();
    for (LakeTable table : tables) {
      selects.add(
          "  SELECT channel, "
              + engine.time("time")
              + " AS time, time AS time_ns, nullif(CAST(value AS DOUBLE), CAST('NaN' AS DOUBLE)) AS"
              + " value,\n    severity, status\n  FROM "
              + rows(group, table)
              + " WHERE state = 2 AND NOT stray");
    }
    statement(engine.create(names.of(group)) + " AS\n" + String.join("\n  UNION ALL\n", selects));
  }

  /**
   * Writes a view of held values. A value is held until the earliest time of the value events
   * behind it in the log. It counts while the channel is connected and recorded, and the archiver
   * wrote. These are four sets of spans. The view sorts their ends, and keeps the times that are in
   * all of them, as far as they must be.
   */
  private void held(String view, Group group, List<LakeTable> tables, String value, String label)
      throws IOException {
    List<String> events = new ArrayList<>();
    for (LakeTable table : tables) {
      events.add(
          "    SELECT channel, time, "
              + value
              + " AS value, state, severity, status, segment, time + lateness AS latest, tie,\n"
              + "      regexp_extract("
              + engine.file()
              + ", '([0-9]{14}_[0-9]+)-[^/]*$', 1) AS place\n    FROM "
              + rows(group, table)
              + " WHERE NOT stray");
    }
    boolean isNumber = label.isEmpty() && value.startsWith("CAST");
    Map<String, String> words = new HashMap<>();
    words.put("EVENTS", String.join("\n    UNION ALL\n", events));
    words.put("RECORDED", formerOf(group).recorded(isOf(group)));
    words.put("GROUP_OF", isOf(group));
    words.put("LAST_VALUE", engine.last("value"));
    words.put("LAST_SINCE", engine.last("since"));
    words.put("LAST_SEVERITY", engine.last("severity"));
    words.put("LAST_STATUS", engine.last("status"));
    words.put("TIME_FROM", engine.time("mark"));
    words.put("TIME_TO", engine.time("mark_end"));
    words.put("TIME_SINCE", engine.time("since"));
    words.put("Q_FROM", engine.quoted("from"));
    words.put("Q_TO", engine.quoted("to"));
    words.put("LABEL", label);
    words.put("JOINED", label.isEmpty() ? "" : labels(group));
    words.put("NUMBERS", isNumber ? " AND NOT isnan(value)" : "");
    // In one pass, because names of channels and groups may have such words.
    statement(
        engine.create(view)
            + Pattern.compile(String.join("|", words.keySet()))
                .matcher(HELD_SQL)
                .replaceAll(
                    word -> Matcher.quoteReplacement(words.getOrDefault(word.group(), ""))));
  }

  private static final String HELD_SQL =
      """
       AS
        WITH events AS (
      EVENTS),
        ends AS (
          SELECT channel, time, value, state, severity, status,
            min(CASE WHEN state = 2 THEN time END) OVER later AS until, min(time) OVER later AS next
          FROM events
          WINDOW later AS (
            PARTITION BY channel ORDER BY substr(place, 1, 14) DESC, CAST(substr(place, 16) AS BIGINT) DESC,
              segment DESC, latest DESC, tie DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
        spans AS (
          SELECT channel, time AS begin, coalesce(until, 9223372036854775807) AS finish, 1 AS held, 0 AS away, 0 AS known,
            0 AS recorded, time AS since, value, severity, status FROM ends WHERE state = 2
          UNION ALL
          SELECT channel, time, coalesce(next, 9223372036854775807), 0, 1, 0, 0, NULL, NULL, NULL, NULL
          FROM ends WHERE state = 0
          UNION ALL
          SELECT name, since_ns, coalesce(until_ns, 9223372036854775807), 0, 0, 0, 1, NULL, NULL, NULL, NULL
          FROM RECORDED WHERE name IN (SELECT channel FROM events)
          UNION ALL
          SELECT channel, from_ns, to_ns, 0, 0, 1, 0, NULL, NULL, NULL, NULL
          FROM (SELECT DISTINCT channel FROM events) CROSS JOIN
            (SELECT from_ns, to_ns FROM kblake_coverage WHERE GROUP_OF AND kind = 'in columns')),
        points AS (
          SELECT channel, begin AS mark, held, away, known, recorded, since, value, severity, status
          FROM spans WHERE begin < finish
          UNION ALL
          SELECT channel, finish, -held, -away, -known, -recorded, NULL, NULL, NULL, NULL
          FROM spans WHERE begin < finish),
        steps AS (
          SELECT channel, mark, sum(held) AS held, sum(away) AS away, sum(known) AS known, sum(recorded) AS recorded,
            max(since) AS since, max(value) AS value, max(severity) AS severity, max(status) AS status
          FROM points GROUP BY channel, mark),
        pieces AS (
          SELECT channel, mark, lead(mark) OVER w AS mark_end, sum(held) OVER w AS held, sum(away) OVER w AS away,
            sum(known) OVER w AS known, sum(recorded) OVER w AS recorded, LAST_SINCE OVER w AS since,
            LAST_VALUE OVER w AS value, LAST_SEVERITY OVER w AS severity, LAST_STATUS OVER w AS status
          FROM steps WINDOW w AS (PARTITION BY channel ORDER BY mark))
        SELECT channel, TIME_FROM AS Q_FROM, TIME_TO AS Q_TO, valueLABEL, severity, status, TIME_SINCE AS since,
          mark AS from_ns, mark_end AS to_ns, since AS since_ns
        FROM pieces JOINED
        WHERE held > 0 AND away = 0 AND known > 0 AND recorded > 0 AND mark_end IS NOT NULLNUMBERS""";

  private void mean(Group group) throws IOException {
    String held = engine.quoted(names.of(group, HELD));
    statement(
        engine.create(names.of(group, MEAN))
            + """
             AS
              SELECT channel, %s AS hour, sum(value * seconds) / sum(seconds) AS mean, sum(seconds) AS known, begin AS hour_ns
              FROM (
                SELECT channel, hour * %2$d AS begin, value,
                  (least(to_ns, (hour + 1) * %2$d) - greatest(from_ns, hour * %2$d)) / 1e9 AS seconds
                FROM (SELECT channel, value, from_ns, to_ns, %3$s AS hour FROM %4$s))
              GROUP BY channel, begin"""
                .formatted(
                    engine.time("begin"), Engine.HOUR, engine.hours("from_ns", "to_ns"), held));
  }

  private void statement(String sql) throws IOException {
    out.append(sql).append(";\n");
  }

  /** Returns whether held values can be written: the tables that they need were published. */
  public static boolean hasCoverage(List<LakeTable> site) {
    return site.stream()
        .map(LakeTable::identifier)
        .toList()
        .containsAll(
            List.of(
                SiteTable.COVERAGE.identifier().toString(),
                SiteTable.CHANNELS.identifier().toString()));
  }
}
