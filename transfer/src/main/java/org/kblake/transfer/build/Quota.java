package org.kblake.transfer.build;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.core.log.PairName;
import org.kblake.transfer.TransferNames;

/** The most bytes that the pairs below a root may have. Thread safe. */
final class Quota {

  private final long maxBytes;
  private final AtomicLong used = new AtomicLong();

  private Quota(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Counts the bytes of the pairs below a root. */
  static Quota of(Path root, long maxBytes) throws IOException {
    Quota quota = new Quota(maxBytes);
    try (DirectoryStream<Path> systems =
        Files.newDirectoryStream(root, TransferNames::isDirectory)) {
      for (Path system : systems) {
        quota.count(system);
      }
    }
    return quota;
  }

  private void count(Path system) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            system, file -> PairName.ofFile(file.getFileName().toString()) != null)) {
      for (Path file : files) {
        used.addAndGet(
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .size());
      }
    }
  }

  /**
   * Takes bytes.
   *
   * @throws IOException if there are not so many left
   */
  void take(long bytes) throws IOException {
    if (used.addAndGet(bytes) > maxBytes) {
      used.addAndGet(-bytes);
      throw new IOException("the quota is used up: gather-quota=" + maxBytes + "; raise it");
    }
  }

  /** Gives bytes back that were not written. */
  void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }
}
