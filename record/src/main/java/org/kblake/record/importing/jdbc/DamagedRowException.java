package org.kblake.record.importing.jdbc;

/** A row that is no event. The message says why. */
final class DamagedRowException extends Exception {

  private static final long serialVersionUID = 1;

  DamagedRowException(String message) {
    super(message);
  }
}
