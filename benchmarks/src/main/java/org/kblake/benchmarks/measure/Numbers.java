package org.kblake.benchmarks.measure;

import java.util.Locale;

/** Formats numbers with about three digits. */
public final class Numbers {

  private Numbers() {}

  /** Returns a number with about three digits. */
  public static String plain(double value) {
    double size = Math.abs(value);
    String format;
    if (size >= 100 || size == Math.rint(size)) {
      format = "%,.0f";
    } else if (size >= 10) {
      format = "%.1f";
    } else if (size >= 1) {
      format = "%.2f";
    } else {
      format = "%.3f";
    }
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns the median, and in brackets the least and the largest sample if there are several. */
  public static String spread(Figure figure) {
    String median = plain(figure.median()) + " " + figure.unit().label();
    return figure.samples().size() < 2
        ? median
        : median + " (" + plain(figure.least()) + " - " + plain(figure.most()) + ")";
  }
}
