package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory and all below it, identified by their real paths. Nothing below an archive's root is
 * ever written, by whatever path one gets there.
 *
 * @param root the directory; need not exist
 */
public record FileTree(Path root) {

  /** Whether a file or directory is, or once it is made would be, the root or below it. */
  public boolean holds(Path path) throws IOException {
    return realPath(path).startsWith(realPath(root));
  }

  /**
   * Whether it lies on a local disk, or once it is made would. A file system of a type that is not
   * known to be local counts as none.
   */
  public boolean isLocal() throws IOException {
    return new LocalDisks().isLocal(existing(root.toAbsolutePath().normalize()));
  }

  private static Path existing(Path wanted) {
    Path existing = wanted;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }

  /** The path with the links of its existing part followed. */
  private static Path realPath(Path path) throws IOException {
    Path wanted = path.toAbsolutePath().normalize();
    Path existing = existing(wanted);
    return existing.toRealPath().resolve(existing.relativize(wanted));
  }
}
