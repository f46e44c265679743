package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A new directory. It is removed with its content on close, unless it is kept. */
public final class TemporaryDirectory implements AutoCloseable {

  private final Path path;
  private boolean kept;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  public static TemporaryDirectory create(String prefix) throws IOException {
    return new TemporaryDirectory(Files.createTempDirectory(prefix));
  }

  /** Creates a directory, which does not exist yet, and directories above it. */
  public static TemporaryDirectory at(Path path) throws IOException {
    return new TemporaryDirectory(Files.createDirectories(path));
  }

  public Path path() {
    return path;
  }

  /** Keeps the directory when this object is closed. */
  public void keep() {
    kept = true;
  }

  @Override
  public void close() throws IOException {
    if (kept) {
      return;
    }
    // A pending interrupt would make the removal fail
    boolean interrupted = Thread.interrupted();
    try {
      Files.walkFileTree(path, new Removal());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null) {
        throw e;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
