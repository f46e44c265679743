package org.kblake.transfer.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.LongSupplier;
import org.kblake.core.log.PairName;
import org.kblake.transfer.TransferNames;

/** The most bytes that the pairs below a root may have. Thread safe. */
final class Quota {

  /** What a file or a directory counts beside its bytes. */
  static final long ENTRY_BYTES = 4096;

  private static final long COUNT_NANOS = 60_000_000_000L;

  private final Path root;
  private final long maxBytes;
  private final LongSupplier clock;
  private long used;
  private long countedNanos;

  /**
   * Counts the bytes of the pairs below a root.
   *
   * @param clock nanoseconds, as those of {@link System#nanoTime}
   */
  Quota(Path root, long maxBytes, LongSupplier clock) throws IOException {
    this.root = root;
    this.maxBytes = maxBytes;
    this.clock = clock;
    count();
  }

  private void count() throws IOException {
    long bytes = 0;
    for (Path system : TransferNames.list(root, name -> TransferNames.group(name, name) != null)) {
      if (TransferNames.isDirectory(system)) {
        bytes += ENTRY_BYTES;
        for (Path file : TransferNames.list(system, name -> PairName.ofFile(name) != null)) {
          bytes += ENTRY_BYTES + size(file);
        }
      }
    }
    used = bytes;
    countedNanos = clock.getAsLong();
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .size();
    } catch (NoSuchFileException e) {
      // Deleted in the meantime
      return 0;
    }
  }

  /**
   * Takes bytes. If there are not so many left, they are counted again, since files may have been
   * deleted.
   *
   * @throws IOException if there are not so many left
   */
  synchronized void take(long bytes) throws IOException {
    if (bytes > maxBytes - used && clock.getAsLong() - countedNanos >= COUNT_NANOS) {
      count();
    }
    if (bytes > maxBytes - used) {
      throw new IOException("the quota is used up: gather-quota=" + maxBytes + "; raise it");
    }
    used += bytes;
  }

  /** Gives bytes back that were not written. */
  synchronized void giveBack(long bytes) {
    used -= bytes;
  }
}
