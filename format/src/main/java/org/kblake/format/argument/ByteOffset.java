package org.kblake.format.argument;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in a file as a user may write it, such as {@code 4096} or {@code 0x1000}.
 *
 * @param bytes the number of bytes from the file's start
 */
public record ByteOffset(long bytes) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,18})|0[xX]([0-9a-fA-F]{1,15})");

  /**
   * Reads an offset.
   *
   * @throws IllegalArgumentException if the text is not an offset
   */
  public static ByteOffset parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not an offset; write 4096 or 0x1000");
    }
    return new ByteOffset(
        form.group(1) != null ? Long.parseLong(form.group(1)) : Long.parseLong(form.group(2), 16));
  }

  /** Returns the number. */
  @Override
  public String toString() {
    return Long.toString(bytes);
  }
}
