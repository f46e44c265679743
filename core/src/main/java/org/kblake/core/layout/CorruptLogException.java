package org.kblake.core.layout;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file of an archive is damaged. The message has what was found, what was expected, and where.
 */
public final class CorruptLogException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String file;
  private final long offset;

  /**
   * @param what the damaged part, such as {@code damaged index}
   * @param file the file
   * @param offset where in the file, in bytes
   * @param found the bytes found
   * @param expected what the layout allows there
   */
  public CorruptLogException(String what, Path file, long offset, String found, String expected) {
    this(
        what
            + ": file="
            + file
            + ", offset="
            + offset
            + ", found "
            + found
            + ", expected "
            + expected
            + "; restore the file from a copy",
        file,
        offset);
  }

  private CorruptLogException(String problem, Path file, long offset) {
    super(problem + ", or look at it with kblake inspect");
    this.problem = problem;
    this.file = file.toString();
    this.offset = offset;
  }

  /** The message, for those who see the file with kblake inspect already. */
  public String problem() {
    return problem;
  }

  public String file() {
    return file;
  }

  /** Offset of the damage from the file's start. */
  public long offset() {
    return offset;
  }
}
