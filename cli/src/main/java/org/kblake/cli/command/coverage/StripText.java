package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.draw.TimeAxis;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.DurationArgument;

/**
 * Strips as lines of text: a line for each group, a time axis, a legend, and the spans in which
 * events may be lost.
 */
final class StripText {

  private static final int MIN_CELLS = 10;
  private static final int MIN_NAME_WIDTH = 8;
  private static final String SHARE = "COLUMNS";

  private final Histories histories;
  private final boolean unicode;
  private final boolean colored;
  private final int width;
  private final int nameWidth;
  private final int cells;
  private final List<String> lines = new ArrayList<>();

  private StripText(Histories histories, int width, boolean unicode, boolean colored) {
    this.histories = histories;
    this.unicode = unicode;
    this.colored = colored;
    this.width = width;
    int longest = MIN_NAME_WIDTH;
    for (Group group : histories.groups()) {
      longest = Math.max(longest, group.toString().length());
    }
    nameWidth = Math.min(longest, Math.max(MIN_NAME_WIDTH, width / 3));
    cells = Math.max(MIN_CELLS, width - nameWidth - 1 - SHARE.length());
  }

  /**
   * Returns the lines.
   *
   * @param width the most characters of a line, at least 30
   * @param unicode whether lines may have other characters than ASCII
   * @param colored whether cells are coloured
   */
  static List<String> of(Histories histories, int width, boolean unicode, boolean colored)
      throws IOException {
    StripText text = new StripText(histories, width, unicode, colored);
    text.addStrips();
    text.addLegend();
    text.lines.addAll(LossLines.table(histories.losses(), histories.zone()));
    return text.lines;
  }

  private void addStrips() throws IOException {
    TimeRange range = histories.range();
    TimeAxis axis = new TimeAxis(range.fromNanos(), range.toNanos(), histories.zone());
    TimeAxis.Ticks ticks = axis.ticks(cells);
    String times = unicode ? ticks.caption() : ticks.caption().replace('µ', 'u');
    String caption = times + "; " + cellLength() + " a character";
    boolean above = caption.length() < cells;
    add("GROUP", String.format("%-" + cells + "s", above ? caption : ""), SHARE);
    for (Group group : histories.groups()) {
      GroupHistory history = histories.of(group);
      add(group.toString(), strip(history), share(history.columnsShare()));
    }
    lines.add(" ".repeat(nameWidth + 1) + labels(ticks));
    if (!above && caption.length() <= width) {
      lines.add(caption);
    } else if (!above) {
      lines.add(times.substring(0, Math.min(width, times.length())));
      lines.add(cellLength() + " a character");
    }
  }

  private void add(String name, String strip, String share) {
    String shown = name.length() <= nameWidth ? name : name.substring(0, nameWidth - 1) + "~";
    lines.add(
        String.format(
            Locale.ROOT, "%-" + nameWidth + "s %s%" + SHARE.length() + "s", shown, strip, share));
  }

  private String cellLength() {
    TimeRange range = histories.range();
    double nanos = ((double) range.toNanos() - range.fromNanos()) / cells;
    return nanos < TimeUnit.SECONDS.toNanos(1)
        ? "less than 1 s"
        : DurationArgument.about(Math.round(nanos * 1e-9));
  }

  private String strip(GroupHistory group) {
    StringBuilder line = new StringBuilder();
    List<LogState> states = Strip.of(histories.range(), group.spans(), cells).cells();
    int from = 0;
    for (int i = 1; i <= cells; i++) {
      LogState state = states.get(from);
      if (i == cells || states.get(i) != state) {
        line.append(text(state, i - from));
        from = i;
      }
    }
    return line.toString();
  }

  private String text(LogState state, int count) {
    String text = String.valueOf(state.character(unicode)).repeat(count);
    return colored ? state.colored(text) : text;
  }

  /** Formats a share. Less than all is never 100%, and more than nothing is never 0.0%. */
  static String share(double share) {
    if (Double.isNaN(share)) {
      return "-";
    }
    if (share > 0 && share < 1) {
      return String.format(Locale.ROOT, "%.1f%%", Math.max(0.1, Math.min(99.9, share * 100)));
    }
    return share == 0 ? "0%" : "100%";
  }

  /** Returns the labels of the axis, each behind the mark of its time. */
  private String labels(TimeAxis.Ticks ticks) {
    StringBuilder labels = new StringBuilder();
    for (TimeAxis.Tick tick : ticks.ticks()) {
      int cell = Strip.cell(histories.range(), tick.nanos(), cells);
      int end = cell + 1 + tick.label().length();
      if ((labels.isEmpty() || cell > labels.length()) && end <= cells + SHARE.length()) {
        labels.append(" ".repeat(cell - labels.length())).append('|').append(tick.label());
      }
    }
    return labels.toString();
  }

  /** Adds the states that occur, in as few lines as have room for them. */
  private void addLegend() {
    StringBuilder line = new StringBuilder();
    int length = 0;
    for (LogState state : histories.states()) {
      int more = 2 + state.text().length();
      if (length > 0 && length + 2 + more > width) {
        lines.add(line.toString());
        line.setLength(0);
        length = 0;
      }
      line.append(length == 0 ? "" : "  ").append(text(state, 1)).append(' ').append(state.text());
      length += (length == 0 ? 0 : 2) + more;
    }
    lines.add(line.toString());
  }
}
