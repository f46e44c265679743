package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a recorder does with the file system. */
public interface LogFiles {

  /** The file system of this machine. */
  LogFiles DISK = new DiskFiles();

  /**
   * Creates a file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one
   */
  WrittenFile create(Path file) throws IOException;

  /** Creates a directory if there is none. Its parent must exist. */
  void createDirectory(Path directory) throws IOException;

  /** Removes a file that a recorder of this group wrote, as far as possible. */
  void discard(Path file);

  /** Returns the names of a directory's files. */
  List<String> names(Path directory) throws IOException;

  /** Returns when a directory was changed last, by the clock of its file system. */
  long changedMillis(Path directory) throws IOException;

  /** Returns the size of a file in bytes, or -1 if there is none. */
  long bytes(Path file) throws IOException;

  /** Syncs the names of a directory. */
  void force(Path directory) throws IOException;

  /** Locks a file, which is created if there is none. Returns null if it is locked. */
  @Nullable Closeable lock(Path file) throws IOException;
}
