package org.kblake.cli.command.coverage;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.TextColor;

/**
 * The state of a span of time of a group's log. The order is that of a cell that several states
 * meet: the cell shows the first of them. So a fault of a minute is visible in a strip of years.
 */
enum LogState {
  /** Bytes of the log, or of a block, are damaged. */
  DAMAGED("damaged", 'X', 'X', TextColor.RED),

  /** The log is not in columns, and its files cannot be read now. */
  GONE("volume gone", '?', '?', TextColor.RED),

  /** Nothing was written to the log. */
  DOWN("archiver down", '─', '-', TextColor.BOLD),

  /** The log is not in columns. Damage in it is mostly unknown. */
  RAW("raw only", '▒', 'o', null),

  /** The log is being written, and is young. */
  PENDING("pending", '░', '+', TextColor.MAGENTA),

  /** The log is in columns. */
  COLUMNS("in columns", '█', '#', TextColor.GREEN),

  /** The log did not begin yet, or the time has not come yet. */
  NOT_RECORDED("not recorded", '·', '.', null);

  private final String text;
  private final char unicode;
  private final char ascii;
  private final @Nullable TextColor color;

  LogState(String text, char unicode, char ascii, @Nullable TextColor color) {
    this.text = text;
    this.unicode = unicode;
    this.ascii = ascii;
    this.color = color;
  }

  /** Returns the text of legends and of JSON. */
  String text() {
    return text;
  }

  /**
   * Returns the character of a cell.
   *
   * @param showsUnicode whether it may be other than ASCII
   */
  char character(boolean showsUnicode) {
    return showsUnicode ? unicode : ascii;
  }

  /** Returns a text of cells in the colour of this state. */
  String colored(String cells) {
    return color == null ? cells : color.of(cells);
  }

  /** Returns whether a log of this time exists, whether it can be read or not. */
  boolean isRecorded() {
    return this != DOWN && this != NOT_RECORDED;
  }
}
