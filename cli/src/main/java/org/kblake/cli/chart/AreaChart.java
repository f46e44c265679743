package org.kblake.cli.chart;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A curve made of characters, with the area below it filled:
 *
 * <pre>
 *     1.00 |      ▂▅█▇▅▃▂
 *          |    ▃▇███████▅▂
 *        0 |▁▂▅███████████▇▅▃
 *           00:00   12:00    24:00
 * </pre>
 *
 * @param columns the values from left to right; NaN leaves a column empty
 * @param rows the height in lines, at least 2
 * @param labels the labels below the chart: the first at the left end, the last at the right end,
 *     the others evenly between
 */
public record AreaChart(double[] columns, int rows, List<String> labels) {

  /** Characters from empty to full, in steps of an eighth. */
  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";

  private static final String ASCII = "  ..::###";
  private static final int STEPS = BLOCKS.length() - 1;
  private static final int MARGIN = 10;

  /**
   * If the smallest value is below this share of the greatest, the vertical axis begins at zero.
   */
  private static final double ZERO_BELOW = 0.5;

  public AreaChart {
    if (rows < 2) {
      throw new IllegalArgumentException("chart needs at least 2 rows: rows=" + rows);
    }
    columns = columns.clone();
    labels = List.copyOf(labels);
  }

  /**
   * Draws the chart.
   *
   * @param unicode whether block characters may be used
   * @return lines that end in line feeds; empty if there are no values
   */
  public String draw(boolean unicode) {
    double highest = Arrays.stream(columns).filter(Double::isFinite).max().orElse(Double.NaN);
    double lowest = Arrays.stream(columns).filter(Double::isFinite).min().orElse(Double.NaN);
    if (Double.isNaN(highest)) {
      return "";
    }
    double bottom = lowest >= 0 && lowest < highest * ZERO_BELOW ? 0 : lowest;
    StringBuilder chart = new StringBuilder();
    for (int row = rows - 1; row >= 0; row--) {
      String label = row == rows - 1 ? text(highest) : row == 0 ? text(bottom) : "";
      chart.append(String.format("%" + MARGIN + "s |", label));
      StringBuilder line = new StringBuilder();
      for (double value : columns) {
        line.append((unicode ? BLOCKS : ASCII).charAt(eighths(value, bottom, highest, row)));
      }
      chart.append(line.toString().stripTrailing()).append('\n');
    }
    return chart.append(" ".repeat(MARGIN + 2)).append(axis()).append('\n').toString();
  }

  /**
   * Returns the filled eighths of a cell. The lowest value fills at least one, to differ from an
   * empty column.
   */
  private int eighths(double value, double bottom, double top, int row) {
    if (!Double.isFinite(value)) {
      return 0;
    }
    double share = top > bottom ? (value - bottom) / (top - bottom) : 1;
    int filled = Math.max(1, (int) Math.round(share * rows * STEPS));
    return Math.max(0, Math.min(STEPS, filled - row * STEPS));
  }

  private String axis() {
    StringBuilder axis = new StringBuilder();
    for (int i = 0; i < labels.size(); i++) {
      String label = labels.get(i);
      int middle = labels.size() == 1 ? 0 : i * columns.length / (labels.size() - 1);
      int at =
          i == 0
              ? 0
              : i == labels.size() - 1 ? middle - label.length() : middle - label.length() / 2;
      axis.append(" ".repeat(Math.max(i == 0 ? 0 : 1, at - axis.length()))).append(label);
    }
    return axis.toString();
  }

  private static String text(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, "%.3g", value);
  }
}
