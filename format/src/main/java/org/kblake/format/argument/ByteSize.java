package org.kblake.format.argument;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as a user may write it, such as {@code 512M}, {@code 4GiB} or {@code 65536}.
 * Units are powers of 1,024.
 *
 * @param bytes the number of bytes
 */
public record ByteSize(long bytes) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*([KMGT]?)(?:I?B)?");
  private static final String UNITS = "KMGTP";

  /**
   * Reads a size.
   *
   * @throws IllegalArgumentException if the text is not a size, or the size is too large
   */
  public static ByteSize parse(String text) {
    Matcher form = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a size; write 512M, 4G, 65536");
    }
    int shift = form.group(2).isEmpty() ? 0 : 10 * (1 + UNITS.indexOf(form.group(2)));
    long number = Long.parseLong(form.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException("'" + text + "' is too large for a size");
    }
    return new ByteSize(number << shift);
  }

  /** Returns the size with three digits and a unit, such as {@code 1.50 GiB}. */
  @Override
  public String toString() {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double scaled = bytes / 1024.0;
    int unit = 0;
    while (scaled >= 999.5 && unit < UNITS.length() - 1) {
      scaled /= 1024;
      unit++;
    }
    String digits = scaled < 9.995 ? "%.2f" : scaled < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, digits + " %ciB", scaled, UNITS.charAt(unit));
  }
}
