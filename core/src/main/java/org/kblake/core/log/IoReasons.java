package org.kblake.core.log;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Says in words why a file cannot be read, and what to do about it. */
final class IoReasons {

  private IoReasons() {}

  static String of(Path file, IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return Files.isSymbolicLink(file)
          ? dangling(file)
          : "missing; restore it, or mount its volume";
    }
    if (cause instanceof AccessDeniedException) {
      return "not readable for this user; grant read access";
    }
    if (cause instanceof NotDirectoryException) {
      return "not a directory; give the archive's root";
    }
    if (cause instanceof FileSystemLoopException) {
      return "link leads to itself; mend the link";
    }
    if (cause instanceof FileAccess.SilentException) {
      return String.valueOf(cause.getMessage());
    }
    return "reading fails: " + cause + "; see to its volume";
  }

  static String dangling(Path link) {
    try {
      return "link leads nowhere: target="
          + Files.readSymbolicLink(link)
          + "; mount its volume or mend the link";
    } catch (IOException e) {
      return "link leads nowhere; mount its volume or mend the link";
    }
  }
}
