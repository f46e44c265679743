package org.kblake.cli.kblogrd.request;

/**
 * A text with a limit of character reads. A regular expression may try exponentially many matches,
 * and each try reads a character. So the limit ends the search.
 */
final class BoundedText implements CharSequence {

  /**
   * The limit of reads. Normal expressions need some hundreds for a record's name, and reads up to
   * the limit take milliseconds.
   */
  private static final int MAX_READS = 1_000_000;

  /** Thrown if the limit of reads is reached. */
  static final class TooManyStepsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyStepsException() {
      super("too many steps", null, false, false);
    }
  }

  private final String text;
  private int reads;

  BoundedText(String text) {
    this.text = text;
  }

  @Override
  public char charAt(int index) {
    if (++reads > MAX_READS) {
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
