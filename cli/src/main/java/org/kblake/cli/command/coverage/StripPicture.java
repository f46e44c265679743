package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.kblake.cli.draw.Anchor;
import org.kblake.cli.draw.Drawing;
import org.kblake.cli.draw.Ink;
import org.kblake.cli.draw.PngDrawing;
import org.kblake.cli.draw.SvgDrawing;
import org.kblake.cli.draw.TimeAxis;
import org.kblake.core.model.Group;

/** Strips as a picture: a bar for each group, a time axis, and a legend. */
final class StripPicture {

  private static final int WIDTH = 1000;
  private static final int MARGIN = 12;
  private static final int ROW_HEIGHT = 20;
  private static final int BAR_HEIGHT = 14;
  private static final int SHARE_WIDTH = 64;

  /** The distance of a text's base line from the lower end of a bar. */
  private static final int BASE = 3;

  private static final int TICK = 4;
  private static final int SAMPLE_WIDTH = 24;

  private final Histories histories;
  private final Drawing drawing;
  private final int left;
  private final int cells;

  private StripPicture(Histories histories, Drawing drawing) {
    this.histories = histories;
    this.drawing = drawing;
    left = left(histories);
    cells = WIDTH - MARGIN - SHARE_WIDTH - left;
  }

  private static int left(Histories histories) {
    int longest =
        histories.groups().stream().mapToInt(group -> group.toString().length()).max().orElse(0);
    return 2 * MARGIN + Math.min(longest * Drawing.CHARACTER_WIDTH, WIDTH / 3);
  }

  private static int height(Histories histories) {
    return 2 * MARGIN + (histories.groups().size() + 1) * ROW_HEIGHT + 5 * Drawing.LINE_HEIGHT;
  }

  /**
   * Writes a picture.
   *
   * @throws IOException if a group's states cannot be found, the image does not fit in memory, or
   *     this JVM cannot draw, because the system has no fonts
   */
  static void write(Histories histories, CoverageForm form, OutputStream out) throws IOException {
    if (form == CoverageForm.png) {
      PngDrawing drawing = new PngDrawing(WIDTH, height(histories));
      new StripPicture(histories, drawing).draw(() -> {});
      drawing.write(out);
    } else {
      SvgDrawing drawing = new SvgDrawing(WIDTH, height(histories));
      Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
      new StripPicture(histories, drawing).draw(() -> drawing.write(text));
      drawing.end(text);
      text.flush();
    }
  }

  /** What is done behind each group. */
  private interface Row {
    void end() throws IOException;
  }

  private void draw(Row row) throws IOException {
    int right = left + cells;
    int top = MARGIN + ROW_HEIGHT;
    int bottom = top + histories.groups().size() * ROW_HEIGHT;
    TimeAxis axis =
        new TimeAxis(histories.range().fromNanos(), histories.range().toNanos(), histories.zone());
    TimeAxis.Ticks ticks = axis.ticks(cells / Drawing.CHARACTER_WIDTH);
    for (TimeAxis.Tick tick : ticks.ticks()) {
      double x = left + axis.share(tick.nanos()) * cells;
      drawing.line(x, top - TICK, x, bottom + TICK, Ink.FAINT);
      drawing.text(x, bottom + Drawing.LINE_HEIGHT, tick.label(), Anchor.MIDDLE, Ink.MUTED);
    }
    drawing.line(left, bottom, right, bottom, Ink.MUTED);
    drawing.text(WIDTH - MARGIN, top - 2 * BASE, "in columns", Anchor.END, Ink.MUTED);
    int y = top;
    for (Group each : histories.groups()) {
      GroupHistory group = histories.of(each);
      int line = y + BAR_HEIGHT - BASE;
      drawing.text(left - MARGIN, line, each.toString(), Anchor.END, Ink.TEXT);
      bars(group, y);
      String share = StripText.share(group.columnsShare());
      drawing.text(WIDTH - MARGIN, line, share, Anchor.END, Ink.TEXT);
      y += ROW_HEIGHT;
      row.end();
    }
    int caption = bottom + 2 * Drawing.LINE_HEIGHT + 2;
    drawing.text((left + right) / 2.0, caption, ticks.caption(), Anchor.MIDDLE, Ink.TEXT);
    legend(caption + Drawing.LINE_HEIGHT);
  }

  /** Draws a cell for each pixel, so that short faults have a width of a pixel. */
  private void bars(GroupHistory group, int y) {
    List<LogState> states = Strip.of(histories.range(), group.spans(), cells).cells();
    int from = 0;
    for (int i = 1; i <= cells; i++) {
      if (i == cells || states.get(i) != states.get(from)) {
        bar(states.get(from), left + from, y, i - from);
        from = i;
      }
    }
  }

  /** Draws a bar. States differ by form, too. */
  private void bar(LogState state, double x, double y, double width) {
    double half = BAR_HEIGHT / 2.0;
    switch (state) {
      case DAMAGED -> drawing.fill(x, y - 2, width, BAR_HEIGHT + 4, Ink.RED);
      case GONE -> drawing.hatch(x, y, width, BAR_HEIGHT, Ink.RED);
      case DOWN -> drawing.fill(x, y + half - 1, width, 2, Ink.TEXT);
      case RAW -> drawing.fill(x, y + half, width, half, Ink.ORANGE);
      case PENDING -> drawing.hatch(x, y + half, width, half, Ink.PURPLE);
      case COLUMNS -> drawing.fill(x, y, width, BAR_HEIGHT, Ink.GREEN);
      case NOT_RECORDED -> {}
    }
  }

  private void legend(int y) {
    double x = left;
    for (LogState state : histories.states()) {
      if (state != LogState.NOT_RECORDED) {
        bar(state, x, y, SAMPLE_WIDTH);
        x += SAMPLE_WIDTH + 6;
        drawing.text(x, y + BAR_HEIGHT - BASE, state.text(), Anchor.START, Ink.MUTED);
        x += state.text().length() * Drawing.CHARACTER_WIDTH + MARGIN;
      }
    }
  }
}
