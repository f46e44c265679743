package org.kblake.cli.kblogrd.request;

/**
 * A text that can be looked at only so often. A regular expression may try exponentially many ways
 * to match; each try looks at a character, so counting looks ends it.
 */
final class BoundedText implements CharSequence {

  /** Sensible expressions need some hundreds for a record's name; this takes milliseconds. */
  private static final int MOST_LOOKS = 1_000_000;

  /** The text was looked at too often. */
  static final class TooManyStepsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyStepsException() {
      super("too many steps", null, false, false);
    }
  }

  private final String text;
  private int looks;

  BoundedText(String text) {
    this.text = text;
  }

  @Override
  public char charAt(int index) {
    if (++looks > MOST_LOOKS) {
      throw new TooManyStepsException();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
