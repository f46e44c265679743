package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.kblake.cli.argument.ByteSize;
import org.kblake.core.internal.store.file.StoreWriteException;

/**
 * Says what a failure to write means for the user: the system's words name neither file nor way
 * out.
 */
public final class WriteFailure {

  /** With less room than this on a disk, it is the disk's being full that failed. */
  private static final long FULL_BELOW_BYTES = 1 << 20;

  private WriteFailure() {}

  /**
   * Explains an error.
   *
   * @param directory what was written
   * @param advice what stays, and how to continue
   * @return the same error if it explains itself
   */
  public static IOException explained(IOException error, Path directory, String advice) {
    if (error instanceof StoreWriteException && error.getCause() instanceof IOException said) {
      return explained(said, directory, advice);
    }
    boolean bare = error.getClass() == IOException.class;
    if (!bare && !(error instanceof FileSystemException)) {
      return error;
    }
    String said = String.valueOf(error.getMessage());
    long freeBytes = freeBytes(directory);
    if (saysFull(said) || freeBytes < FULL_BELOW_BYTES) {
      return new IOException(
          "disk is full: directory=%s, free=%s; %s"
              .formatted(directory, new ByteSize(freeBytes), advice),
          error);
    }
    return bare
        ? new IOException(
            "cannot write: directory=%s, %s; %s".formatted(directory, said, advice), error)
        : error;
  }

  private static boolean saysFull(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.contains("no space left") || lower.contains("quota exceeded");
  }

  /** Of the nearest directory that exists; the largest size if it is unknown. */
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
