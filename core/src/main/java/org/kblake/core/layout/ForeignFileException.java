package org.kblake.core.layout;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The error of a file that no layout recognises. Its message has the first bytes, and the bytes
 * expected.
 */
public final class ForeignFileException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param file the file
   * @param hex its first bytes, as hexadecimal digits
   * @param kind the kind of the file by these bytes
   * @param expected a text that states the bytes with which an index begins
   */
  public ForeignFileException(Path file, String hex, ForeignKind kind, String expected) {
    super(
        "not a KEKBLog file: file="
            + file
            + ", offset=0, found bytes "
            + hex
            + kind.found()
            + ", expected an index that begins with "
            + expected
            + "; "
            + kind.remedy());
  }
}
