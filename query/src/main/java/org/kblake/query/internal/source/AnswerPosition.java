package org.kblake.query.internal.source;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.core.model.Group;

/**
 * A place in an answer of events. The rows before it are known.
 *
 * @param points the places in groups; the answer of a group without one has not begun
 */
public record AnswerPosition(Map<Group, Point> points) {

  private static final Pattern LINE = Pattern.compile("(.+) (\\d+) (\\d+) (\\d+)");

  public AnswerPosition {
    points = Map.copyOf(points);
  }

  /**
   * A place in the answer of a group.
   *
   * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
   * @param offset the begin of a segment in the pair's log
   * @param rows the number of the answer's rows from this segment on that are before the place; all
   *     of them are in the pair
   */
  public record Point(String stamp, long offset, long rows) {}

  /** Returns a line for each group. */
  public String text() {
    StringJoiner lines = new StringJoiner("\n");
    points.forEach(
        (group, point) ->
            lines.add(group + " " + point.stamp + " " + point.offset + " " + point.rows));
    return lines.toString();
  }

  /**
   * @throws IllegalArgumentException if the text is not of {@link #text}
   */
  public static AnswerPosition parse(String text) {
    Map<Group, Point> points = new LinkedHashMap<>();
    for (String line : text.isEmpty() ? new String[0] : text.split("\n", -1)) {
      Matcher fields = LINE.matcher(line);
      if (!fields.matches()) {
        throw new IllegalArgumentException("not a place in an answer: " + line);
      }
      points.put(
          Group.parse(fields.group(1)),
          new Point(
              fields.group(2), Long.parseLong(fields.group(3)), Long.parseLong(fields.group(4))));
    }
    return new AnswerPosition(points);
  }
}
