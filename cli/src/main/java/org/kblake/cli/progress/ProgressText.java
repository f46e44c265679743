package org.kblake.cli.progress;

import java.util.Locale;

/** Formats progress and rates. */
final class ProgressText {

  private ProgressText() {}

  static String line(
      String task, ProgressUnit unit, long work, long total, long events, double seconds) {
    double perSecond = work / seconds;
    StringBuilder line = new StringBuilder(task).append(": ");
    if (total > 0) {
      line.append(Math.min(100, work * 100 / total)).append("%, ");
    }
    line.append(unit.of(work));
    if (total > 0) {
      line.append(" of ").append(unit.of(total));
    }
    line.append(", ").append(unit.of(Math.round(perSecond))).append("/s");
    if (events > 0) {
      line.append(", ").append(events(events / seconds)).append(" events/s");
    }
    if (total > work && work > 0) {
      line.append(", ").append(duration((total - work) / perSecond)).append(" left");
    }
    return line.toString();
  }

  /** Formats a number, such as {@code 950}, {@code 12.3 k}, {@code 4.56 M}. */
  static String events(double number) {
    if (number < 1e3) {
      return String.format(Locale.ROOT, "%.0f", number);
    }
    return number < 1e6
        ? String.format(Locale.ROOT, "%.1f k", number / 1e3)
        : String.format(Locale.ROOT, "%.2f M", number / 1e6);
  }

  /** Formats a duration, such as {@code 42 s}, {@code 7 min}, {@code 3 h 5 min}. */
  static String duration(double seconds) {
    long minutes = Math.round(seconds / 60);
    if (seconds < 90) {
      return Math.round(seconds) + " s";
    }
    return minutes < 90 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
