package org.kblake.core.layout;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The error of a damaged file of an archive. Its message states what was found and expected, and
 * where.
 */
public final class CorruptLogException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String file;
  private final long offset;

  /**
   * @param what the damaged part, such as {@code damaged index}
   * @param file the file
   * @param offset the offset in the file, in bytes
   * @param found the bytes found
   * @param expected what the layout allows there
   */
  public CorruptLogException(String what, Path file, long offset, String found, String expected) {
    this(what, file, offset, found + ", expected " + expected);
  }

  /**
   * @param what the damaged part, such as {@code damaged milestone}
   * @param file the file
   * @param offset the offset in the file, in bytes
   * @param fault the bytes found and what the layout allows there
   */
  public CorruptLogException(String what, Path file, long offset, String fault) {
    this(
        what
            + ": file="
            + file
            + ", offset="
            + offset
            + ", found "
            + fault
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

  /** Returns the message without the advice to use kblake inspect. */
  public String problem() {
    return problem;
  }

  /** Returns the path of the damaged file. */
  public String file() {
    return file;
  }

  /** Returns the offset of the damage from the file's start. */
  public long offset() {
    return offset;
  }
}
