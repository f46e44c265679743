package org.kblake.benchmarks.compare;

import java.util.Locale;

/** Numbers with as many digits as they are good for. */
final class Numbers {

  private Numbers() {}

  /** About three digits. */
  static String plain(double value) {
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

  /** The median, and in brackets the least and the most where there is more than one. */
  static String spread(Figure figure) {
    String median = plain(figure.median()) + " " + figure.unit().label();
    return figure.samples().size() < 2
        ? median
        : median + " (" + plain(figure.least()) + " - " + plain(figure.most()) + ")";
  }
}
