package org.kblake.cli.error;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.kblake.core.internal.store.file.StoreWriteException;

/** Describes an exception in one line. */
public final class ErrorLine {

  private ErrorLine() {}

  /** Returns the line for an exception. */
  public static String of(Throwable error) {
    if (error instanceof InvalidPathException path) {
      return of(path);
    }
    if (error instanceof FileSystemException file) {
      return of(file);
    }
    if (error instanceof StoreWriteException && error.getCause() instanceof IOException cause) {
      return of(cause);
    }
    String message = error.getMessage();
    if (message == null || message.isBlank()) {
      return error.getClass().getSimpleName();
    }
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /**
   * Describes a path with characters that the JDK cannot encode. It encodes paths in the locale's
   * encoding.
   */
  private static String of(InvalidPathException error) {
    return "path cannot be used: path="
        + error.getInput()
        + ", "
        + error.getReason()
        + ", encoding of file names="
        + System.getProperty("sun.jnu.encoding")
        + "; set LC_ALL=C.UTF-8";
  }

  /** Describes a file error. The JDK's message of some of them is only the path. */
  private static String of(FileSystemException error) {
    String file = String.valueOf(error.getFile());
    if (error instanceof NoSuchFileException) {
      return file + ": no such file or directory";
    }
    if (error instanceof AccessDeniedException) {
      return file + ": permission denied";
    }
    if (error instanceof FileAlreadyExistsException) {
      return file + ": already exists";
    }
    if (error instanceof NotDirectoryException) {
      return file + ": not a directory";
    }
    if (error instanceof DirectoryNotEmptyException) {
      return file + ": directory is not empty";
    }
    return file + ": " + (error.getReason() == null ? "input/output error" : error.getReason());
  }

  /**
   * Returns whether an exception reports a condition outside of the program, and not a fault of the
   * program.
   */
  public static boolean isExpected(Throwable error) {
    return error instanceof IOException
        || error instanceof RequestException
        || error instanceof UsageException
        || error instanceof InvalidPathException;
  }
}
