package org.kblake.cli.draw;

/**
 * A picture under construction. Positions and sizes are in pixels from the left upper corner. What
 * is drawn later covers what was drawn before. The ground is filled with {@link Ink#GROUND} at the
 * begin.
 */
public interface Drawing {

  /** The height of texts from line to line. */
  int LINE_HEIGHT = 16;

  /** The width of most characters of a text. */
  int CHARACTER_WIDTH = 7;

  /** Returns the width of the picture. */
  int width();

  /** Returns the height of the picture. */
  int height();

  /**
   * Draws a line through points.
   *
   * @param x the horizontal positions of the points, at least one
   * @param y the vertical positions, as many
   * @param dashed whether the line has gaps
   */
  void line(double[] x, double[] y, Ink ink, double thickness, boolean dashed);

  /** Draws a line between two points. */
  default void line(double fromX, double fromY, double toX, double toY, Ink ink) {
    line(new double[] {fromX, toX}, new double[] {fromY, toY}, ink, 1, false);
  }

  /** Fills a rectangle. */
  void fill(double x, double y, double width, double height, Ink ink);

  /** Fills a rectangle with parallel oblique lines. What is behind it stays visible. */
  void hatch(double x, double y, double width, double height, Ink ink);

  /**
   * Draws a text.
   *
   * @param x the position of the anchor
   * @param y the position of the base line
   */
  void text(double x, double y, String text, Anchor anchor, Ink ink);
}
