package org.kblake.cli.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.draw.TimeAxis;
import org.kblake.cli.draw.ValueAxis;
import org.kblake.cli.frame.TextColor;

/**
 * Draws a plot with characters: a panel for each channel, and below them the axis of time.
 *
 * <pre>
 *   BMLDCCT:CURRENT, mA               min 0, max 1190
 *   1000 ┤⠉⠉⠉⠉⠉⡇        ⢸⠉⠉⠉⠉⠉⠉╱╱╱╱╱╱⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
 *        │     ⡇        ⢸      ╱╱╱╱╱╱
 *      0 ┤     ⠧⠤⠤⠤⠤⠤⠤⠤⠤⠼      ╱╱╱╱╱╱
 *        └─┬─────────────┬────×××──────┬───────────
 *        00:00         06:00         12:00
 *        2024-05-20, Asia/Tokyo
 *        ╱ archiver down  × disconnected
 * </pre>
 */
public final class TextPlot {

  private static final int MIN_ROWS = 3;
  private static final int ROWS_OF_TICK = 4;

  /** The lines of a panel beside the curve: the title and the axis. */
  private static final int PANEL_LINES = 2;

  private static final int MIN_MARGIN = 6;

  private final Plot plot;
  private final int width;
  private final int rows;
  private final boolean unicode;
  private final boolean colored;
  private final List<String> lines = new ArrayList<>();

  private TextPlot(Plot plot, int width, int rows, boolean unicode, boolean colored) {
    this.plot = plot;
    this.width = width;
    this.rows = rows;
    this.unicode = unicode;
    this.colored = colored;
  }

  /** Returns the greatest number of dots of a line. */
  public static int columns(int width) {
    return Math.max(1, (width - MIN_MARGIN) * DotCanvas.ACROSS);
  }

  /**
   * Draws a plot.
   *
   * @param width the characters of a line, at least 30
   * @param height the number of lines; a plot of many panels has more
   * @param unicode whether characters that are not ASCII can be shown
   * @param colored whether marks have colours
   * @return lines that end in line feeds
   */
  public static String draw(Plot plot, int width, int height, boolean unicode, boolean colored) {
    int panels = plot.panels().size();
    int foot = 2 + legend(plot, width, unicode).size();
    int rows = Math.max(MIN_ROWS, (height - foot) / panels - PANEL_LINES);
    TextPlot text = new TextPlot(plot, width, rows, unicode, colored);
    text.draw();
    String all = String.join("\n", text.lines) + "\n";
    return unicode ? all : all.replace('µ', 'u').replaceAll("[^\\x00-\\x7f]", "?");
  }

  /** A panel with its axis. */
  private record Scaled(
      Plot.Panel panel, List<Trace.Line> lines, ValueAxis axis, List<ValueAxis.Tick> ticks) {}

  private void draw() {
    List<Scaled> panels = new ArrayList<>();
    int margin = MIN_MARGIN;
    for (Plot.Panel panel : plot.panels()) {
      List<Trace.Line> curve = plot.lines(panel);
      ValueAxis axis = Plot.valueAxis(curve);
      List<ValueAxis.Tick> ticks = Plot.ticks(panel, axis, rows / ROWS_OF_TICK + 1);
      panels.add(new Scaled(panel, curve, axis, ticks));
      for (ValueAxis.Tick tick : ticks) {
        margin = Math.max(margin, tick.label().length() + 2);
      }
    }
    int columns = width - margin;
    TimeAxis.Ticks times = plot.timeAxis().ticks(columns);
    for (Scaled panel : panels) {
      draw(panel, margin, columns, times);
    }
    lines.add(labels(times, margin, columns));
    lines.add(indented(times.caption(), margin));
    for (String line : legend(plot, width, unicode)) {
      lines.add(indented(line, margin));
    }
  }

  /** Returns a text behind the margin, or left of it if it is long. */
  private String indented(String text, int margin) {
    String fitting = text.substring(0, Math.min(width, text.length()));
    return " ".repeat(Math.min(margin, width - fitting.length())) + fitting;
  }

  private void draw(Scaled scaled, int margin, int columns, TimeAxis.Ticks times) {
    lines.add(title(scaled.panel()));
    DotCanvas dots = dots(scaled, columns);
    @Nullable Gap[] gaps = gaps(scaled.panel(), columns);
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder();
      String label = label(scaled, row);
      line.append(" ".repeat(margin - 2 - label.length())).append(label).append(' ');
      line.append(label.isEmpty() ? side() : unicode ? '┤' : '+');
      for (int column = 0; column < columns; column++) {
        Gap gap = gaps[column];
        line.append(
            dots.isEmpty(column, row) && gap != null
                ? gap.mark(unicode)
                : dots.character(column, row, unicode));
      }
      lines.add(line.toString().stripTrailing());
    }
    lines.add(axis(scaled.panel(), margin, hidden(gaps, dots), times));
  }

  /** Returns the gaps of the columns in which the curve leaves no room for their marks. */
  private @Nullable Gap[] hidden(@Nullable Gap[] gaps, DotCanvas dots) {
    @Nullable Gap[] hidden = gaps.clone();
    for (int column = 0; column < hidden.length; column++) {
      for (int row = 0; row < rows; row++) {
        if (dots.isEmpty(column, row)) {
          hidden[column] = null;
        }
      }
    }
    return hidden;
  }

  private char side() {
    return unicode ? '│' : '|';
  }

  private String title(Plot.Panel panel) {
    String name = panel.title() + (panel.unit().isEmpty() ? "" : ", " + panel.unit());
    String figures = Plot.figures(panel);
    int blanks = width - name.length() - figures.length();
    if (blanks < 2) {
      figures = "";
      name = name.substring(0, Math.min(width, name.length()));
    }
    String title = colored ? TextColor.BOLD.of(name) : name;
    return figures.isEmpty() ? title : title + " ".repeat(blanks) + figures;
  }

  private DotCanvas dots(Scaled scaled, int columns) {
    DotCanvas dots = new DotCanvas(columns, rows);
    for (Trace.Line line : scaled.lines()) {
      int beforeX = -1;
      int beforeY = -1;
      for (int i = 0; line.connected() && i < line.x().length; i++) {
        int x = Math.min(dots.width() - 1, (int) (plot.bins().share(line.x()[i]) * dots.width()));
        int y = row(scaled.axis(), line.values()[i], dots.height());
        dots.line(i == 0 ? x : beforeX, i == 0 ? y : beforeY, x, y);
        beforeX = x;
        beforeY = y;
      }
    }
    return dots;
  }

  private static int row(ValueAxis axis, double value, int rows) {
    return (int) Math.round((1 - axis.share(value)) * (rows - 1));
  }

  private String label(Scaled scaled, int row) {
    for (ValueAxis.Tick tick : scaled.ticks()) {
      if (row(scaled.axis(), tick.value(), rows * DotCanvas.DOWN) / DotCanvas.DOWN == row) {
        return tick.label();
      }
    }
    return "";
  }

  /**
   * Returns the gap of each column, the first of {@link Gap} of its bins; null if there is none.
   */
  private @Nullable Gap[] gaps(Plot.Panel panel, int columns) {
    @Nullable Gap[] gaps = new Gap[columns];
    for (int bin = 0; bin < plot.bins().count(); bin++) {
      Gap gap = panel.gaps().at(bin);
      int to = column(bin + 1 - 1e-9, columns) + 1;
      for (int column = column(bin, columns); gap != null && column < to; column++) {
        Gap before = gaps[column];
        gaps[column] = before == null || gap.compareTo(before) < 0 ? gap : before;
      }
    }
    return gaps;
  }

  private int column(double bin, int columns) {
    return Math.min(columns - 1, (int) (plot.bins().share(bin) * columns));
  }

  /** Returns the line below a panel, with marks of disconnections and of hidden gaps. */
  private String axis(Plot.Panel panel, int margin, @Nullable Gap[] hidden, TimeAxis.Ticks times) {
    int columns = hidden.length;
    char[] axis = new char[columns];
    Arrays.fill(axis, unicode ? '─' : '-');
    for (TimeAxis.Tick tick : times.ticks()) {
      axis[column(tick, columns)] = unicode ? '┬' : '+';
    }
    char cross = cross(unicode);
    for (int bin = 0; bin < plot.bins().count(); bin++) {
      if (panel.values().isDisconnected(bin)) {
        Arrays.fill(axis, column(bin, columns), column(bin + 1 - 1e-9, columns) + 1, cross);
      }
    }
    for (int column = 0; column < columns; column++) {
      Gap gap = hidden[column];
      if (gap != null) {
        axis[column] = gap.mark(unicode);
      }
    }
    String line = new String(axis);
    if (colored) {
      line = line.replaceAll(cross + "+", TextColor.RED.of("$0"));
    }
    return " ".repeat(margin - 1) + (unicode ? '└' : '+') + line;
  }

  private static char cross(boolean unicode) {
    return unicode ? '×' : 'x';
  }

  private int column(TimeAxis.Tick tick, int columns) {
    return Math.min(columns - 1, (int) (plot.timeAxis().share(tick.nanos()) * columns));
  }

  /** Returns the line of the times, each below its tick. */
  private String labels(TimeAxis.Ticks times, int margin, int columns) {
    StringBuilder line = new StringBuilder();
    for (TimeAxis.Tick tick : times.ticks()) {
      int middle = margin + column(tick, columns);
      int length = tick.label().length();
      int at = Math.max(0, Math.min(width - length, middle - length / 2));
      int blanks = at - line.length();
      if (line.isEmpty() ? blanks >= 0 : blanks >= 1) {
        line.append(" ".repeat(blanks)).append(tick.label());
      }
    }
    return line.toString();
  }

  /** Returns the marks of the plot with their meanings, as many lines as they need. */
  private static List<String> legend(Plot plot, int width, boolean unicode) {
    List<String> marks = new ArrayList<>();
    for (Gap gap : plot.gaps()) {
      marks.add(gap.mark(unicode) + " " + gap.text());
    }
    if (plot.hasDisconnections()) {
      marks.add(cross(unicode) + " disconnected");
    }
    List<String> legend = new ArrayList<>();
    for (String mark : marks) {
      int last = legend.size() - 1;
      if (last >= 0 && legend.get(last).length() + 2 + mark.length() <= width) {
        legend.set(last, legend.get(last) + "  " + mark);
      } else {
        legend.add(mark);
      }
    }
    return legend;
  }
}
