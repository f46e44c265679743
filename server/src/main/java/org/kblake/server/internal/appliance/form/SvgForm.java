package org.kblake.server.internal.appliance.form;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * {@code svg}: the numbers of a channel as a line of steps. Of the samples of a column of pixels
 * the first, the least, the greatest and the last are drawn. Texts are not drawn, of a waveform the
 * first element is.
 */
public final class SvgForm implements AnswerForm {

  private static final int WIDTH = 1000;
  private static final int HEIGHT = 500;

  private final OutputStream out;
  private final long fromNanos;
  private final double spanNanos;

  private final double[] first = new double[WIDTH + 1];
  private final double[] min = new double[WIDTH + 1];
  private final double[] max = new double[WIDTH + 1];
  private final double[] last = new double[WIDTH + 1];
  private String name = "";

  /**
   * @param fromNanos the time at the left edge, nanoseconds since 1970 UTC
   * @param toNanos the time at the right edge
   */
  public SvgForm(OutputStream out, long fromNanos, long toNanos) {
    this.out = out;
    this.fromNanos = fromNanos;
    spanNanos = Math.max(1, (double) toNanos - fromNanos);
    Arrays.fill(first, Double.NaN);
  }

  @Override
  public void begin(ChannelHeader header, AnsweredSample sample) {
    name = header.name();
  }

  @Override
  public void sample(AnsweredSample sample) {
    double number = JsonValues.number(sample);
    if (!Double.isFinite(number)) {
      return;
    }
    double share = ((double) sample.timeNanos() - fromNanos) / spanNanos;
    int x = (int) Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
    if (Double.isNaN(first[x])) {
      first[x] = number;
      min[x] = number;
      max[x] = number;
    }
    min[x] = Math.min(min[x], number);
    max[x] = Math.max(max[x], number);
    last[x] = number;
  }

  @Override
  public void end(@Nullable String missing) throws IOException {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        .append(WIDTH)
        .append(' ')
        .append(HEIGHT)
        .append("\" width=\"")
        .append(WIDTH)
        .append("px\" height=\"")
        .append(HEIGHT)
        .append("px\">\n<title>")
        .append(escaped(name))
        .append("</title>\n<path style=\"fill:none;stroke:red;stroke-width:1\" d=\"")
        .append(path())
        .append("\"/>\n");
    if (missing != null) {
      svg.append("<text x=\"4\" y=\"16\">incomplete: ")
          .append(escaped(missing))
          .append("</text>\n");
    }
    svg.append("</svg>\n");
    out.write(svg.toString().getBytes(StandardCharsets.UTF_8));
  }

  private String path() {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int x = 0; x <= WIDTH; x++) {
      if (!Double.isNaN(first[x])) {
        least = Math.min(least, min[x]);
        greatest = Math.max(greatest, max[x]);
      }
    }
    // Halves, because the distance of the least and the greatest number may be infinite
    double factor = Double.isInfinite(greatest - least) ? 0.5 : 1;
    double lowest = least * factor;
    double scale = greatest > least ? greatest * factor - lowest : 1;
    List<String> steps = new ArrayList<>();
    for (int x = 0; x <= WIDTH; x++) {
      if (Double.isNaN(first[x])) {
        continue;
      }
      steps.add((steps.isEmpty() ? "M" : "H") + x);
      for (double each : new double[] {first[x], min[x], max[x], last[x]}) {
        double y = (HEIGHT - 10) - (each * factor - lowest) / scale * (HEIGHT - 20);
        steps.add((steps.size() == 1 ? " " : "V") + String.format(Locale.ROOT, "%.1f", y));
      }
    }
    if (!steps.isEmpty()) {
      steps.add("H" + WIDTH);
    }
    return String.join("", steps);
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        default -> escaped.append(c < ' ' ? ' ' : c);
      }
    }
    return escaped.toString();
  }
}
