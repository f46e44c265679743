package org.kblake.transfer.shape;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate of a network.
 *
 * @param bitsPerSecond from 1,000 to 1,000,000,000,000
 */
public record BitRate(long bitsPerSecond) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(kbit|mbit|gbit)");
  private static final long KILO = 1000;
  private static final long MOST = 1_000_000_000_000L;

  /**
   * @throws IllegalArgumentException if the rate is out of bounds
   */
  public BitRate {
    if (bitsPerSecond < KILO || bitsPerSecond > MOST) {
      throw new IllegalArgumentException(
          "a rate must be from 1kbit to 1000gbit, found " + bitsPerSecond + " bits per second");
    }
  }

  /**
   * Parses a rate as tc writes it, such as {@code 200mbit}, in powers of 1,000.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static BitRate parse(String text) {
    Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a rate, such as 200mbit");
    }
    long factor =
        switch (matcher.group(2)) {
          case "kbit" -> KILO;
          case "mbit" -> KILO * KILO;
          default -> KILO * KILO * KILO;
        };
    return new BitRate(Long.parseLong(matcher.group(1)) * factor);
  }

  /** Returns the bytes in a second. */
  public long bytesPerSecond() {
    return bitsPerSecond / Byte.SIZE;
  }

  /** Returns the form that tc reads. */
  @Override
  public String toString() {
    return bitsPerSecond + "bit";
  }
}
