package org.kblake.format.text;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.kblake.format.OutputFormat;
import org.kblake.format.time.TimeStyle;

/**
 * The form of lines of events.
 *
 * @param format a text format: {@link OutputFormat#text}
 * @param style the style of times
 * @param zone the archive's zone
 * @param columns the names of the columns, each at most once, in their order
 * @param safe whether no text is a formula of a spreadsheet
 */
public record LineForm(
    OutputFormat format, TimeStyle style, ZoneId zone, List<String> columns, boolean safe) {

  /**
   * A form with the usual columns.
   *
   * @param withGroup whether a column has the group
   * @param withStray whether a column marks strays
   */
  public LineForm(
      OutputFormat format, TimeStyle style, ZoneId zone, boolean withGroup, boolean withStray) {
    this(format, style, zone, columns(withGroup, withStray), false);
  }

  /** Returns this form with or without texts that are formulas of a spreadsheet. */
  public LineForm withSafe(boolean wanted) {
    return new LineForm(format, style, zone, columns, wanted);
  }

  private static List<String> columns(boolean withGroup, boolean withStray) {
    List<String> columns = new ArrayList<>();
    columns.add("time");
    columns.add("channel");
    if (withGroup) {
      columns.add("group");
    }
    columns.add("state");
    columns.add("severity");
    columns.add("status");
    if (withStray) {
      columns.add("stray");
    }
    columns.add("value");
    return columns;
  }
}
