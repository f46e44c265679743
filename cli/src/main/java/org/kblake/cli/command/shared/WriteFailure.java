package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.format.argument.ByteSize;

/**
 * Explains write errors to the user. The messages of the operating system lack the file and the
 * remedy.
 */
public final class WriteFailure {

  /** With less free space than this, a write error is reported as a full disk. */
  private static final long FULL_BELOW_BYTES = 1 << 20;

  private WriteFailure() {}

  /**
   * Explains an error.
   *
   * @param directory the directory that was written
   * @param advice the part that is kept, and how to continue
   * @return the same error if its message is sufficient
   */
  public static IOException explained(IOException error, Path directory, String advice) {
    if (error instanceof StoreWriteException && error.getCause() instanceof IOException cause) {
      return explained(cause, directory, advice);
    }
    boolean bare = error.getClass() == IOException.class;
    if (!bare && !(error instanceof FileSystemException)) {
      return error;
    }
    String message = String.valueOf(error.getMessage());
    long freeBytes = freeBytes(directory);
    if (reportsFullDisk(message) || freeBytes < FULL_BELOW_BYTES) {
      return new IOException(
          "disk is full: directory=%s, free=%s; %s"
              .formatted(directory, new ByteSize(freeBytes), advice),
          error);
    }
    return bare
        ? new IOException(
            "cannot write: directory=%s, %s; %s".formatted(directory, message, advice), error)
        : error;
  }

  private static boolean reportsFullDisk(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.contains("no space left") || lower.contains("quota exceeded");
  }

  /**
   * Returns the free space at the nearest existing directory, or the largest long if it is unknown.
   */
  private static long freeBytes(Path directory) {
    Path existing = directory.toAbsolutePath().normalize();
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    try {
      return Files.getFileStore(existing).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
