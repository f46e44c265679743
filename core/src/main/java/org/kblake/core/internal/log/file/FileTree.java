package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory and everything below it, identified by real paths. kblake never writes below an
 * archive's root, even through a link.
 *
 * @param root the directory; need not exist
 */
public record FileTree(Path root) {

  /** Returns whether a path is the root or lies below it. The path need not exist. */
  public boolean holds(Path path) throws IOException {
    return realPath(path).startsWith(realPath(root));
  }

  /**
   * Returns whether the root lies on a local disk. If it does not exist, its nearest existing
   * parent counts. A file system of an unknown type counts as not local.
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

  /** Returns the path with the links of its existing part resolved. */
  private static Path realPath(Path path) throws IOException {
    Path wanted = path.toAbsolutePath().normalize();
    Path existing = existing(wanted);
    return existing.toRealPath().resolve(existing.relativize(wanted));
  }
}
