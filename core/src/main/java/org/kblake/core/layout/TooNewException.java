package org.kblake.core.layout;

import java.io.IOException;
import java.nio.file.Path;

/** The error of a file that a later version of its layout wrote. This is not damage. */
public final class TooNewException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * @param file the file
   * @param found the version that it states
   * @param known the newest version that can be read
   */
  public TooNewException(Path file, long found, long known) {
    super(
        "layout is too new: file="
            + file
            + ", version="
            + found
            + ", newest known="
            + known
            + "; use a newer kblake, or register a LogLayout for it");
    this.file = file.toString();
  }

  /** Returns the path of the file. */
  public String file() {
    return file;
  }
}
