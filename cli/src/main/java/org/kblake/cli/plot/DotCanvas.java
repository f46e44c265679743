package org.kblake.cli.plot;

/**
 * Dots on a grid of characters, two columns and four rows of them in each character. They are shown
 * as braille patterns, or as ASCII characters of about the same height.
 */
final class DotCanvas {

  /** The columns of dots in a character. */
  static final int ACROSS = 2;

  /** The rows of dots in a character. */
  static final int DOWN = 4;

  private static final char BRAILLE = '\u2800';

  /** The bits of braille patterns, by column and row of the dot. */
  private static final int[][] BITS = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

  /** ASCII characters of one row of dots, by the row, and of two rows, by the upper one. */
  private static final String ONE_ROW = "'--_";

  private static final String TWO_ROWS = "'-.";

  private final int columns;
  private final int rows;
  private final int[] cells;

  /**
   * @param columns the characters of a line
   * @param rows the lines
   */
  DotCanvas(int columns, int rows) {
    this.columns = columns;
    this.rows = rows;
    cells = new int[columns * rows];
  }

  /** Returns the number of dots from left to right. */
  int width() {
    return columns * ACROSS;
  }

  /** Returns the number of dots from top to bottom. */
  int height() {
    return rows * DOWN;
  }

  /** Draws a dot. Row 0 is the upper one. */
  void dot(int x, int y) {
    cells[y / DOWN * columns + x / ACROSS] |= BITS[x % ACROSS][y % DOWN];
  }

  /** Draws a straight line. */
  void line(int fromX, int fromY, int toX, int toY) {
    int steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY));
    for (int i = 0; i <= steps; i++) {
      double share = steps == 0 ? 0 : (double) i / steps;
      dot(
          (int) Math.round(fromX + share * (toX - fromX)),
          (int) Math.round(fromY + share * (toY - fromY)));
    }
  }

  /** Returns whether a character has no dot. */
  boolean isEmpty(int column, int row) {
    return cells[row * columns + column] == 0;
  }

  /** Returns a character. */
  char character(int column, int row, boolean unicode) {
    int bits = cells[row * columns + column];
    if (bits == 0) {
      return ' ';
    }
    return unicode ? (char) (BRAILLE + bits) : ascii(bits);
  }

  private static char ascii(int bits) {
    int first = -1;
    int last = -1;
    for (int row = 0; row < DOWN; row++) {
      if ((bits & (BITS[0][row] | BITS[1][row])) != 0) {
        first = first < 0 ? row : first;
        last = row;
      }
    }
    return switch (last - first) {
      case 0 -> ONE_ROW.charAt(first);
      case 1 -> TWO_ROWS.charAt(first);
      case 2 -> '=';
      default -> '|';
    };
  }
}
