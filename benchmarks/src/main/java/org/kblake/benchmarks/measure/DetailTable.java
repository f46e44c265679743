package org.kblake.benchmarks.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A table of all figures of a chart, for rows whose details share names: a line for each name of
 * figures, a column for each panel.
 */
public final class DetailTable {

  private DetailTable() {}

  /** Returns the table in Markdown, or an empty text if the row has no details. */
  public static String of(RowResult row) {
    Map<String, String> panels = new LinkedHashMap<>();
    Map<String, Map<String, Figure>> lines = new LinkedHashMap<>();
    for (ChartDetail detail : row.details()) {
      Figure figure = detail.figure();
      panels.put(detail.panel(), figure.unit().label());
      lines.computeIfAbsent(figure.of(), it -> new LinkedHashMap<>()).put(detail.panel(), figure);
    }
    if (lines.isEmpty()) {
      return "";
    }
    StringBuilder table = new StringBuilder("\n| |");
    panels.forEach(
        (panel, unit) -> table.append(' ').append(panel).append(", ").append(unit).append(" |"));
    table.append("\n|---|").append("---:|".repeat(panels.size())).append('\n');
    lines.forEach(
        (name, figures) -> {
          table.append("| ").append(name).append(" |");
          for (String panel : panels.keySet()) {
            Figure figure = figures.get(panel);
            table
                .append(' ')
                .append(figure == null ? "" : Numbers.plain(figure.median()))
                .append(" |");
          }
          table.append('\n');
        });
    return table.toString();
  }
}
