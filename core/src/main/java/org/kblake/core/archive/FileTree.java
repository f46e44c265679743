package org.kblake.core.archive;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory and everything below it, identified by real paths. kblake never writes below an
 * archive's root, even through a link.
 *
 * @param root the directory; need not exist
 */
public record FileTree(Path root) {

  private static final int MAX_LINKS = 40;

  /** Returns whether a path is the root or lies below it. The path need not exist. */
  public boolean holds(Path path) throws IOException {
    return realPath(path).startsWith(realPath(root));
  }

  /**
   * Returns whether a path is the root or lies below it, also through another mount. It asks the
   * file system of the root, which may not answer.
   */
  public boolean holdsThroughMounts(Path path) throws IOException {
    if (holds(path)) {
      return true;
    }
    for (Path each = realPath(path); each != null && Files.exists(root); each = each.getParent()) {
      if (Files.exists(each) && Files.isSameFile(each, root)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a directory is the root, lies below it, or is above it. */
  public boolean meets(Path directory) throws IOException {
    return holds(directory) || new FileTree(directory).holds(root);
  }

  /** Returns the root, or its nearest parent that exists. */
  public Path existing() {
    return existing(root.toAbsolutePath().normalize());
  }

  private static Path existing(Path wanted) {
    Path existing = wanted;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    return existing;
  }

  /** Returns the path with its links resolved. What does not exist has none. */
  private static Path realPath(Path path) throws IOException {
    Path wanted = path.toAbsolutePath().normalize();
    for (int links = 0; links < MAX_LINKS; links++) {
      Path existing = existing(wanted);
      Path rest = existing.relativize(wanted);
      Path next = existing.resolve(rest.getName(0));
      if (existing.equals(wanted) || !Files.isSymbolicLink(next)) {
        return existing.toRealPath().resolve(rest);
      }
      // A link to nothing: what is written through it appears at its target.
      Path target = existing.toRealPath().resolve(Files.readSymbolicLink(next));
      Path behind = next.relativize(wanted);
      wanted = target.resolve(behind).normalize();
    }
    throw new FileSystemLoopException(path.toString());
  }
}
