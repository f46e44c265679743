package org.kblake.cli.draw;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import javax.imageio.ImageIO;

/**
 * A drawing as a PNG image on light ground, without a display. Texts need the fonts of the
 * operating system.
 */
public final class PngDrawing implements Drawing {

  private static final int HATCH_STEP = 6;
  private static final float[] DASHES = {3, 4};

  private final BufferedImage image;
  private final Graphics2D graphics;

  /**
   * @param width the width in pixels
   * @param height the height in pixels
   * @throws IOException if the image does not fit in memory, or if this JVM cannot draw, because
   *     the system has no fonts
   */
  public PngDrawing(int width, int height) throws IOException {
    long mebibytes = (long) width * height * Integer.BYTES >> 20;
    long most = Runtime.getRuntime().maxMemory() / 2 >> 20;
    if (mebibytes > most) {
      throw new IOException(
          "a PNG image of %d x %d pixels takes %d MiB of memory, and may take %d; write .svg"
              .formatted(width, height, mebibytes, most));
    }
    System.setProperty("java.awt.headless", "true");
    try {
      image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      graphics = image.createGraphics();
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
      // Fonts are loaded only now
      graphics.getFontMetrics().stringWidth("0");
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw e;
    } catch (Error | RuntimeException e) {
      // The JDK throws an Error without fonts, and others without libraries of the system
      throw new IOException(
          "this JVM cannot draw PNG images; install fonts (Debian: fontconfig fonts-dejavu-core;"
              + " RHEL: fontconfig dejavu-sans-fonts), or write .svg",
          e);
    }
    fill(0, 0, width, height, Ink.GROUND);
  }

  @Override
  public int width() {
    return image.getWidth();
  }

  @Override
  public int height() {
    return image.getHeight();
  }

  @Override
  public void line(double[] x, double[] y, Ink ink, double thickness, boolean dashed) {
    Path2D path = new Path2D.Double();
    path.moveTo(x[0], y[0]);
    for (int i = 1; i < x.length; i++) {
      path.lineTo(x[i], y[i]);
    }
    graphics.setColor(color(ink));
    graphics.setStroke(
        dashed
            ? new BasicStroke(
                (float) thickness, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0)
            : new BasicStroke((float) thickness, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    graphics.draw(path);
  }

  @Override
  public void fill(double x, double y, double width, double height, Ink ink) {
    graphics.setColor(color(ink));
    graphics.fill(new Rectangle2D.Double(x, y, width, height));
  }

  @Override
  public void hatch(double x, double y, double width, double height, Ink ink) {
    Shape clip = graphics.getClip();
    graphics.clip(new Rectangle2D.Double(x, y, width, height));
    graphics.setColor(color(ink));
    graphics.setStroke(new BasicStroke(1));
    // The lines of all hatches adjoin: they are where x + y is a multiple of the step
    double first = Math.floor((x + y) / HATCH_STEP) * HATCH_STEP;
    for (double sum = first; sum < x + y + width + height + HATCH_STEP; sum += HATCH_STEP) {
      graphics.draw(new Line2D.Double(sum - y, y, sum - y - height, y + height));
    }
    graphics.setClip(clip);
  }

  @Override
  public void text(double x, double y, String text, Anchor anchor, Ink ink) {
    int width = graphics.getFontMetrics().stringWidth(text);
    double left =
        switch (anchor) {
          case START -> x;
          case MIDDLE -> x - width / 2.0;
          case END -> x - width;
        };
    graphics.setColor(color(ink));
    graphics.drawString(text, (float) left, (float) y);
  }

  private static Color color(Ink ink) {
    return new Color(ink.light());
  }

  /**
   * Writes the image.
   *
   * @param out the destination, which is not closed
   */
  public void write(OutputStream out) throws IOException {
    graphics.dispose();
    // Without this, ImageIO makes a temporary file
    ImageIO.setUseCache(false);
    ImageIO.write(image, "png", out);
  }
}
