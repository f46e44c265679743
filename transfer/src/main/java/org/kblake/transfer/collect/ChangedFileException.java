package org.kblake.transfer.collect;

/** The error of a file that is not the one whose bytes a builder has. */
final class ChangedFileException extends SourceFileException {

  private static final long serialVersionUID = 1L;

  ChangedFileException(String message) {
    super(message, null);
  }
}
