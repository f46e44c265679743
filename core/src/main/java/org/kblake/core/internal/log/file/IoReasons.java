package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Texts that state why a file cannot be read and what to do about it. */
public final class IoReasons {

  /** The number of links that Linux follows at most. */
  private static final int MAX_LINKS = 40;

  private IoReasons() {}

  public static String of(Path file, IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return Files.isSymbolicLink(file)
          ? dangling(file)
          : "missing; restore it, or mount its volume";
    }
    if (cause instanceof AccessDeniedException) {
      return "not readable for this user; grant read access";
    }
    if (cause instanceof NotDirectoryException) {
      return "not a directory; put a directory, or a link to one, in its place";
    }
    if (cause instanceof FileAccess.AccessTimeoutException
        || cause instanceof InterruptedIOException) {
      // The file system does not answer: a further call about this file could block.
      return String.valueOf(cause.getMessage());
    }
    if (cause instanceof FileSystemLoopException || isLoop(file)) {
      return "link points to itself; repair the link";
    }
    return "read error: " + cause + "; check its volume";
  }

  /**
   * Returns whether links form a loop. The JDK has an error for it only when it walks directory
   * trees.
   */
  private static boolean isLoop(Path file) {
    Path at = file;
    try {
      for (int links = 0; Files.isSymbolicLink(at); links++) {
        if (links == MAX_LINKS) {
          return true;
        }
        at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
      }
    } catch (IOException e) {
      // The system's message is reported.
    }
    return false;
  }

  private static String dangling(Path link) {
    try {
      return "link has no target: target="
          + Files.readSymbolicLink(link)
          + "; mount its volume or repair the link";
    } catch (IOException e) {
      return "link has no target; mount its volume or repair the link";
    }
  }
}
