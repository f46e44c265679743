package org.kblake.cli.progress;

import java.util.Locale;
import org.kblake.cli.argument.ByteSize;

/** Formats progress and rates. */
final class ProgressText {

  private ProgressText() {}

  static String line(String task, long bytes, long totalBytes, long events, double seconds) {
    double bytesPerSecond = bytes / seconds;
    StringBuilder line = new StringBuilder(task).append(": ");
    if (totalBytes > 0) {
      line.append(Math.min(100, bytes * 100 / totalBytes)).append("%, ");
    }
    line.append(new ByteSize(bytes));
    if (totalBytes > 0) {
      line.append(" of ").append(new ByteSize(totalBytes));
    }
    line.append(", ").append(new ByteSize(Math.round(bytesPerSecond))).append("/s");
    if (events > 0) {
      line.append(", ").append(events(events / seconds)).append(" events/s");
    }
    if (totalBytes > bytes && bytes > 0) {
      line.append(", ").append(duration((totalBytes - bytes) / bytesPerSecond)).append(" left");
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
