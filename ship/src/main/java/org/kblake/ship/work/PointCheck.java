package org.kblake.ship.work;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.query.EventFollower;
import org.kblake.ship.influx.InfluxServer;
import org.kblake.ship.line.PointLine;
import org.kblake.ship.state.ShipState;

/**
 * Compares the points of a group with its events before the position of its state. Points of one
 * channel and time are compared whatever their ranks are.
 */
public final class PointCheck {

  private static final int AT_ONCE = 5_000;

  /** A gap in time at which a query ends: the points in it may be many. */
  private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final List<String> FIELDS = List.of("value", "special", "text", "list", "state");

  private final InfluxServer server;
  private final String measurement;
  private final PointLine lines;
  private final Set<String> channels = new HashSet<>();
  private long equal;
  private long missing;
  private long different;
  private long other;
  private String first = "";

  /** A point. One of a stray may be missing: it was sent if it was not known to be one. */
  private record Point(String channel, long nanos, String content, boolean stray) {

    String key() {
      return nanos + " " + channel;
    }
  }

  public PointCheck(InfluxServer server, String measurement) {
    this.server = server;
    this.measurement = measurement;
    lines = new PointLine(measurement);
  }

  /** Returns whether the database has the points of the events, and no others of their channels. */
  public boolean isEqual() {
    return missing == 0 && different == 0 && other == 0;
  }

  /** Returns the numbers of points, and the first difference. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d points are equal, %,d are missing from the database, %,d have other values, %,d are"
            + " only in the database%s",
        equal,
        missing,
        different,
        other,
        first.isEmpty() ? "" : "; the first: " + first);
  }

  /**
   * Compares a group.
   *
   * @param events from the begin of the shipment on; not closed
   */
  public void check(Group group, EventFollower events, ShipState state)
      throws IOException, InterruptedException {
    LogPosition end = state.position();
    List<Point> points = new ArrayList<>();
    long left = state.events();
    channels.clear();
    long before = equal + different;
    boolean more = end != null;
    while (more && left > 0 && events.next(Duration.ZERO)) {
      int to = (int) Math.min(events.to(), events.from() + left);
      add(events, to, points);
      left -= to - events.from();
      LogPosition position = events.position();
      more = position == null || end == null || position.compareTo(end) < 0;
      if (points.size() >= AT_ONCE) {
        compare(group, points);
        points.clear();
      }
    }
    compare(group, points);
    other += Math.max(0, count(group) - (equal + different - before));
  }

  private void add(EventFollower events, int to, List<Point> points) {
    String name = PointLine.name(events.channels().get(events.channel()).name());
    EventColumns columns = events.columns();
    channels.add(name);
    for (int row = events.from(); row < to; row++) {
      PointLine.Field field = lines.field(columns, row);
      String alarm =
          columns.hasValue(row) ? columns.severity[row] + " " + (columns.status[row] & 0xFFFF) : "";
      points.add(
          new Point(
              name,
              columns.timeNanos[row],
              content(field.name(), field.text(), alarm),
              columns.stray[row] != 0));
    }
  }

  /** A number is compared as a double; 0.0 and -0.0 are equal, as JSON may not tell them apart. */
  private static String content(String name, String text, String alarm) {
    String value =
        name.equals(PointLine.Field.NUMBER)
            ? Double.toString(Double.parseDouble(text) + 0.0)
            : text;
    return name + " " + alarm + " " + value;
  }

  private void compare(Group group, List<Point> points) throws IOException, InterruptedException {
    points.sort(Comparator.comparingLong(Point::nanos));
    int from = 0;
    for (int i = 1; i <= points.size(); i++) {
      if (i == points.size() || points.get(i).nanos - points.get(i - 1).nanos > GAP_NANOS) {
        compareWindow(group, points.subList(from, i));
        from = i;
      }
    }
  }

  private void compareWindow(Group group, List<Point> points)
      throws IOException, InterruptedException {
    long fromNanos = points.get(0).nanos;
    long toNanos = points.get(points.size() - 1).nanos;
    Map<String, List<String>> found =
        points(
            "SELECT * FROM "
                + quoted(measurement, '"')
                + " WHERE \"group\"="
                + quoted(group.toString(), '\'')
                + " AND time >= "
                + fromNanos
                + " AND time <= "
                + toNanos);
    List<Point> lacking = new ArrayList<>();
    for (boolean stray : new boolean[] {false, true}) {
      for (Point point : points) {
        if (point.stray != stray) {
          continue;
        }
        if (found.getOrDefault(point.key(), new ArrayList<>()).remove(point.content)) {
          equal++;
        } else if (!stray) {
          lacking.add(point);
        }
      }
    }
    for (Point point : lacking) {
      List<String> others = found.getOrDefault(point.key(), new ArrayList<>());
      String instead = others.isEmpty() ? "none" : others.remove(0);
      if (instead.equals("none")) {
        missing++;
      } else {
        different++;
      }
      if (first.isEmpty()) {
        first =
            "channel="
                + point.channel
                + ", time="
                + point.nanos
                + ", expected "
                + point.content
                + ", found "
                + instead;
      }
    }
  }

  private Map<String, List<String>> points(String statement)
      throws IOException, InterruptedException {
    Map<String, List<String>> found = new HashMap<>();
    for (JsonNode series : server.query(statement)) {
      Map<String, Integer> columns = new HashMap<>();
      for (JsonNode column : series.path("columns")) {
        columns.put(column.asText(), columns.size());
      }
      for (JsonNode row : series.path("values")) {
        String key = row.path(0).asLong() + " " + text(row, columns, "channel");
        for (String name : FIELDS) {
          if (columns.containsKey(name) && !row.path(columns.get(name)).isNull()) {
            String alarm =
                name.equals("state")
                    ? ""
                    : text(row, columns, "severity") + " " + text(row, columns, "status");
            found
                .computeIfAbsent(key, each -> new ArrayList<>())
                .add(content(name, text(row, columns, name), alarm));
          }
        }
      }
    }
    return found;
  }

  private static String text(JsonNode row, Map<String, Integer> columns, String name) {
    return row.path(columns.getOrDefault(name, Integer.MAX_VALUE)).asText("");
  }

  /** Returns the number of points of the channels that were compared. */
  private long count(Group group) throws IOException, InterruptedException {
    String statement =
        "SELECT COUNT(*) FROM "
            + quoted(measurement, '"')
            + " WHERE \"group\"="
            + quoted(group.toString(), '\'')
            + " GROUP BY \"channel\"";
    long count = 0;
    for (JsonNode series : server.query(statement)) {
      if (channels.contains(series.at("/tags/channel").asText())) {
        for (int i = 0; i < series.path("columns").size(); i++) {
          String column = series.path("columns").path(i).asText().replaceFirst("^count_", "");
          count += FIELDS.contains(column) ? series.at("/values/0").path(i).asLong() : 0;
        }
      }
    }
    return count;
  }

  private static String quoted(String text, char quote) {
    String escaped = text.replace("\\", "\\\\").replace("" + quote, "\\" + quote);
    return quote + escaped + quote;
  }
}
