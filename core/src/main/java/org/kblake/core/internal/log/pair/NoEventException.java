package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;

/** The error of a request for an event at an offset at which no event begins. */
public final class NoEventException extends IOException {

  private static final long serialVersionUID = 1L;

  public NoEventException(Path file, long offset, String reason) {
    super("no event begins there: file=" + file + ", offset=" + offset + ", " + reason);
  }
}
