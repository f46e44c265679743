package org.kblake.cli.draw;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * A drawing as a document of SVG 1.1. Its colours are CSS classes, which have other values if the
 * viewer prefers dark ground.
 */
public final class SvgDrawing implements Drawing {

  private final int width;
  private final int height;
  private final StringBuilder body = new StringBuilder();
  private final Set<Ink> hatches = EnumSet.noneOf(Ink.class);
  private boolean begun;

  /**
   * @param width the width in pixels
   * @param height the height in pixels
   */
  public SvgDrawing(int width, int height) {
    this.width = width;
    this.height = height;
    fill(0, 0, width, height, Ink.GROUND);
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public int height() {
    return height;
  }

  @Override
  public void line(double[] x, double[] y, Ink ink, double thickness, boolean dashed) {
    body.append("<path class=\"s-").append(ink.cssClass()).append("\" d=\"M");
    for (int i = 0; i < x.length; i++) {
      body.append(i == 0 ? "" : " ").append(number(x[i])).append(',').append(number(y[i]));
    }
    body.append('"');
    if (thickness != 1) {
      attribute("stroke-width", thickness);
    }
    if (dashed) {
      body.append(" stroke-dasharray=\"3 4\" stroke-linecap=\"butt\"");
    }
    body.append("/>\n");
  }

  @Override
  public void fill(double x, double y, double fillWidth, double fillHeight, Ink ink) {
    rectangle(x, y, fillWidth, fillHeight);
    body.append(" class=\"f-").append(ink.cssClass()).append("\"/>\n");
  }

  @Override
  public void hatch(double x, double y, double hatchWidth, double hatchHeight, Ink ink) {
    hatches.add(ink);
    rectangle(x, y, hatchWidth, hatchHeight);
    body.append(" fill=\"url(#h-").append(ink.cssClass()).append(")\"/>\n");
  }

  private void rectangle(double x, double y, double rectangleWidth, double rectangleHeight) {
    body.append("<rect");
    attribute("x", x);
    attribute("y", y);
    attribute("width", rectangleWidth);
    attribute("height", rectangleHeight);
  }

  @Override
  public void text(double x, double y, String text, Anchor anchor, Ink ink) {
    body.append("<text");
    attribute("x", x);
    attribute("y", y);
    body.append(" class=\"f-").append(ink.cssClass()).append('"');
    if (anchor != Anchor.START) {
      body.append(" text-anchor=\"").append(anchor.name().toLowerCase(Locale.ROOT)).append('"');
    }
    body.append('>').append(escaped(text)).append("</text>\n");
  }

  private void attribute(String name, double value) {
    body.append(' ').append(name).append("=\"").append(number(value)).append('"');
  }

  /** Returns a position in steps of a hundredth of a pixel. */
  private static String number(double value) {
    long hundredths = Math.round(value * 100);
    String text = (hundredths < 0 ? "-" : "") + Math.abs(hundredths) / 100;
    long rest = Math.abs(hundredths) % 100;
    if (rest == 0) {
      return text;
    }
    return text + "." + rest / 10 + (rest % 10 == 0 ? "" : String.valueOf(rest % 10));
  }

  /** Escapes markup. Characters that XML 1.0 cannot have become question marks. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        default -> escaped.append(c < ' ' || c >= '\ufffe' ? '?' : c);
      }
    }
    return escaped.toString();
  }

  /** Returns the whole document, if nothing of it was written before. */
  public String document() {
    StringBuilder document = new StringBuilder();
    try {
      end(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return document.toString();
  }

  /**
   * Writes what was drawn since the last call, and forgets it. So a document of any length needs
   * little memory.
   */
  public void write(Appendable out) throws IOException {
    if (!begun) {
      out.append(head());
      begun = true;
    }
    out.append(body);
    body.setLength(0);
  }

  /** Writes the rest of the document. */
  public void end(Appendable out) throws IOException {
    write(out);
    for (Ink ink : hatches) {
      String name = ink.cssClass();
      out.append("<pattern id=\"h-%s\" width=\"6\" height=\"6\"".formatted(name))
          .append(" patternUnits=\"userSpaceOnUse\">")
          .append("<path class=\"s-%s\" d=\"M-1,1 1,-1M0,6 6,0M5,7 7,5\"/>".formatted(name))
          .append("</pattern>\n");
    }
    out.append("</svg>\n");
  }

  private String head() {
    StringBuilder document =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            .append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\"".formatted(width))
            .append(" height=\"%d\" viewBox=\"0 0 %d %d\">\n".formatted(height, width, height))
            .append("<style>\n")
            .append("path{fill:none;stroke-linejoin:round;stroke-linecap:round}\n")
            .append("text{font:12px system-ui,\"DejaVu Sans\",sans-serif}\n");
    for (Ink ink : Ink.values()) {
      rule(document, ink, ink.light());
    }
    document.append("@media (prefers-color-scheme:dark){\n");
    for (Ink ink : Ink.values()) {
      rule(document, ink, ink.dark());
    }
    return document.append("}\n</style>\n").toString();
  }

  private static void rule(StringBuilder document, Ink ink, int color) {
    String name = ink.cssClass();
    document.append(".s-%s{stroke:#%06x}.f-%s{fill:#%06x}\n".formatted(name, color, name, color));
  }
}
