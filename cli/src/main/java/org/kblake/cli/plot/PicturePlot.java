package org.kblake.cli.plot;

import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.draw.Anchor;
import org.kblake.cli.draw.Drawing;
import org.kblake.cli.draw.Ink;
import org.kblake.cli.draw.TimeAxis;
import org.kblake.cli.draw.ValueAxis;

/** Draws a plot with pixels. */
public final class PicturePlot {

  /** The width of a picture by default. */
  public static final int WIDTH = 900;

  private static final int MARGIN = 12;
  private static final int MIN_HEIGHT = 260;
  private static final int PANEL_HEIGHT = 170;
  private static final int TITLE_HEIGHT = 22;
  private static final int TITLE_GAP = 7;
  private static final int FOOT_HEIGHT = 72;
  private static final int MIN_LABELS_WIDTH = 40;
  private static final int TICK = 4;
  private static final int TICK_HEIGHT = 28;
  private static final int CROSS = 3;
  private static final int MIN_MARK = 2;
  private static final double CURVE = 1.5;

  private static final List<Ink> CURVES =
      List.of(Ink.BLUE, Ink.ORANGE, Ink.GREEN, Ink.PURPLE, Ink.TEAL, Ink.RED);

  private final Plot plot;
  private final Drawing drawing;
  private final List<Scaled> panels = new ArrayList<>();
  private final int left;
  private final int right;

  private PicturePlot(Plot plot, Drawing drawing) {
    this.plot = plot;
    this.drawing = drawing;
    int labels = MIN_LABELS_WIDTH;
    int count = plot.panels().size();
    int height = (drawing.height() - FOOT_HEIGHT) / count;
    for (int i = 0; i < count; i++) {
      Plot.Panel panel = plot.panels().get(i);
      List<Trace.Line> lines = plot.lines(panel);
      ValueAxis axis = Plot.valueAxis(lines).widened();
      List<ValueAxis.Tick> ticks = Plot.ticks(panel, axis, (height - TITLE_HEIGHT) / TICK_HEIGHT);
      int top = i * height + TITLE_HEIGHT;
      panels.add(new Scaled(panel, lines, axis, ticks, top, (i + 1) * height));
      for (ValueAxis.Tick tick : ticks) {
        labels = Math.max(labels, labelWidth(tick.label()));
      }
      labels = Math.max(labels, labelWidth(panel.unit()));
    }
    left = MARGIN + labels;
    right = drawing.width() - MARGIN;
  }

  /** A panel with its axis, and the height of its upper and its lower edge. */
  private record Scaled(
      Plot.Panel panel,
      List<Trace.Line> lines,
      ValueAxis axis,
      List<ValueAxis.Tick> ticks,
      int top,
      int bottom) {

    double y(double value) {
      return bottom - axis.share(value) * (bottom - top);
    }
  }

  private static int labelWidth(String label) {
    return label.length() * Drawing.CHARACTER_WIDTH + 2 * TICK;
  }

  /** Returns the width of the curves in a picture: the number of bins. */
  public static int columns(int width) {
    return Math.max(1, width - 2 * MARGIN - MIN_LABELS_WIDTH);
  }

  /** Returns the height of a picture by default. */
  public static int height(int panels) {
    return Math.max(MIN_HEIGHT, FOOT_HEIGHT + panels * PANEL_HEIGHT);
  }

  /** Returns the least height of a picture. */
  public static int leastHeight(int panels) {
    return FOOT_HEIGHT + panels * (TITLE_HEIGHT + TICK_HEIGHT);
  }

  /** Returns where a drawing shows a value of a panel at a time, from the left upper corner. */
  static double[] position(Plot plot, Drawing drawing, int panel, double bin, double value) {
    PicturePlot picture = new PicturePlot(plot, drawing);
    return new double[] {picture.x(plot.bins().share(bin)), picture.panels.get(panel).y(value)};
  }

  /** Draws a plot. */
  public static void draw(Plot plot, Drawing drawing) {
    new PicturePlot(plot, drawing).draw();
  }

  private void draw() {
    TimeAxis.Ticks times = plot.timeAxis().ticks((right - left) / Drawing.CHARACTER_WIDTH);
    int bottom = 0;
    for (int i = 0; i < panels.size(); i++) {
      draw(panels.get(i), CURVES.get(i % CURVES.size()), times);
      bottom = panels.get(i).bottom();
    }
    for (TimeAxis.Tick tick : times.ticks()) {
      double x = x(plot.timeAxis().share(tick.nanos()));
      drawing.text(x, bottom + Drawing.LINE_HEIGHT, tick.label(), Anchor.MIDDLE, Ink.MUTED);
    }
    int captionLine = bottom + 2 * Drawing.LINE_HEIGHT + 2;
    drawing.text((left + right) / 2.0, captionLine, times.caption(), Anchor.MIDDLE, Ink.TEXT);
    legend(captionLine + MARGIN);
  }

  private double x(double share) {
    return left + share * (right - left);
  }

  private void draw(Scaled scaled, Ink ink, TimeAxis.Ticks times) {
    int top = scaled.top();
    int bottom = scaled.bottom();
    drawing.text(left, top - TITLE_GAP, scaled.panel().title(), Anchor.START, ink);
    drawing.text(right, top - TITLE_GAP, Plot.figures(scaled.panel()), Anchor.END, Ink.MUTED);
    drawing.text(left - TICK - 2, top - TITLE_GAP, scaled.panel().unit(), Anchor.END, Ink.MUTED);
    gaps(scaled.panel(), top, bottom);
    for (ValueAxis.Tick tick : scaled.ticks()) {
      double y = scaled.y(tick.value());
      drawing.line(left, y, right, y, Ink.FAINT);
      drawing.text(left - TICK - 2, y + TICK, tick.label(), Anchor.END, Ink.MUTED);
    }
    for (TimeAxis.Tick tick : times.ticks()) {
      double x = x(plot.timeAxis().share(tick.nanos()));
      drawing.line(x, top, x, bottom, Ink.FAINT);
      drawing.line(x, bottom, x, bottom + TICK, Ink.MUTED);
    }
    drawing.line(left, bottom, right, bottom, Ink.MUTED);
    drawing.line(left, top, left, bottom, Ink.MUTED);
    for (Trace.Line line : scaled.lines()) {
      curve(line, scaled, ink);
    }
    disconnections(scaled.panel(), bottom);
    gapsBelow(scaled.panel(), bottom);
  }

  private void gaps(Plot.Panel panel, int top, int bottom) {
    for (Gap gap : Gap.values()) {
      panel
          .gaps()
          .forEachSpan(
              gap,
              (from, to) -> {
                double begin = x(plot.bins().share(from));
                gap(gap, begin, top, x(plot.bins().share(to)) - begin, bottom - top);
              });
    }
  }

  /** Marks gaps below the axis, where no curve covers them. */
  private void gapsBelow(Plot.Panel panel, int bottom) {
    for (Gap gap : List.of(Gap.DOWN, Gap.MISSING)) {
      panel
          .gaps()
          .forEachSpan(
              gap,
              (from, to) -> {
                double begin = x(plot.bins().share(from));
                double width = Math.max(MIN_MARK, x(plot.bins().share(to)) - begin);
                drawing.fill(begin, bottom + 1, width, TICK - 1, gap.ink());
              });
    }
  }

  private void gap(Gap gap, double x, double y, double width, double height) {
    if (gap.isHatched()) {
      drawing.hatch(x, y, width, height, gap.ink());
    } else {
      drawing.fill(x, y, width, height, gap.ink());
    }
  }

  private void curve(Trace.Line line, Scaled scaled, Ink ink) {
    double[] x = new double[line.x().length];
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = x(plot.bins().share(line.x()[i]));
      y[i] = scaled.y(line.values()[i]);
    }
    drawing.line(x, y, ink, line.connected() ? CURVE : 1, !line.connected());
  }

  /** Draws a cross at the begin of each span of bins with disconnections. */
  private void disconnections(Plot.Panel panel, int bottom) {
    for (int bin = 0; bin < plot.bins().count(); bin++) {
      if (panel.values().isDisconnected(bin)
          && (bin == 0 || !panel.values().isDisconnected(bin - 1))) {
        cross(x(plot.bins().share(bin + 0.5)), bottom - CROSS - 2);
      }
    }
  }

  private void cross(double x, double y) {
    drawing.line(x - CROSS, y - CROSS, x + CROSS, y + CROSS, Ink.TEXT);
    drawing.line(x - CROSS, y + CROSS, x + CROSS, y - CROSS, Ink.TEXT);
  }

  /** Draws the legend of gaps and disconnections, if there are some. */
  private void legend(int y) {
    double x = left;
    for (Gap gap : plot.gaps()) {
      gap(gap, x, y, 24, 12);
      x = legendText(x, y, gap.text());
    }
    if (plot.hasDisconnections()) {
      cross(x + CROSS, y + 6);
      drawing.line(
          new double[] {x + 2 * CROSS + 2, x + 24}, new double[] {y + 6, y + 6}, Ink.TEXT, 1, true);
      legendText(x, y, "disconnected, with the last value");
    }
  }

  private double legendText(double x, int y, String text) {
    drawing.text(x + 30, y + 10, text, Anchor.START, Ink.MUTED);
    return x + 30 + text.length() * Drawing.CHARACTER_WIDTH + 2 * MARGIN;
  }
}
