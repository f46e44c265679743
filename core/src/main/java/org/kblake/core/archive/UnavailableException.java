package org.kblake.core.archive;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file or directory of an archive cannot be read now: missing, dangling, forbidden, failing. */
public final class UnavailableException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * @param what the unavailable object, with names and values: {@code unavailable: group=VA/CCG,
   *     ...}
   * @param file the file or directory
   * @param reason the reason, and what to do about it
   * @param cause the error of the file system, if any
   */
  public UnavailableException(String what, Path file, String reason, @Nullable Throwable cause) {
    super(what + ", file=" + file + ", " + reason, cause);
    this.file = file.toString();
  }

  /** Returns the path of the file or directory that cannot be read. */
  public String file() {
    return file;
  }
}
