package org.kblake.core.internal.parquet.encoding;

/**
 * Bytes of a page that no encoder writes. The caller that has the file and the offset converts it
 * into a {@code CorruptBlockException}.
 */
public final class MalformedPageException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String found;
  private final String expected;

  public MalformedPageException(String found, String expected) {
    super("found=" + found + ", expected=" + expected, null, false, false);
    this.found = found;
    this.expected = expected;
  }

  public String found() {
    return found;
  }

  public String expected() {
    return expected;
  }
}
