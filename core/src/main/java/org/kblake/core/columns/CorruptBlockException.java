package org.kblake.core.columns;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file of a block has wrong contents: it is truncated, or has a wrong checksum or an impossible
 * length. The block must not be used. Its events are read from the raw log if that exists.
 */
public final class CorruptBlockException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Path file;

  /**
   * @param file the damaged file
   * @param offset the position in the file, bytes
   * @param found the contents that were found
   * @param expected the contents that were expected
   */
  public CorruptBlockException(Path file, long offset, String found, String expected) {
    super(
        "block is damaged: file="
            + file
            + ", offset="
            + offset
            + ", found="
            + found
            + ", expected="
            + expected);
    this.file = file;
  }

  public Path file() {
    return file;
  }
}
