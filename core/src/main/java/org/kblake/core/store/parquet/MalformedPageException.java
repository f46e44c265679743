package org.kblake.core.store.parquet;

/**
 * Bytes of a page that no encoder writes. Whoever knows file and offset turns it into an answer.
 */
final class MalformedPageException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String found;
  private final String expected;

  MalformedPageException(String found, String expected) {
    super("found=" + found + ", expected=" + expected, null, false, false);
    this.found = found;
    this.expected = expected;
  }

  String found() {
    return found;
  }

  String expected() {
    return expected;
  }
}
