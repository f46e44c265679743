package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.StoreFiles;

/**
 * The store's directory {@code trash/} with blocks that were superseded or evicted. A reader whose
 * plan contains such a block can still read it. Its files are unlinked after the time {@link
 * #KEPT}, or earlier if the disk is full. A reader that does not find a file plans again.
 */
public final class Trash {

  public static final String DIRECTORY = "trash";

  /**
   * The time after which the files of a removed block are unlinked. A reader must finish before.
   */
  static final Duration KEPT = Duration.ofMinutes(15);

  private final StoreFiles files;
  private final Path directory;

  public Trash(StoreFiles files, Path store) {
    this.files = files;
    this.directory = store.resolve(DIRECTORY);
  }

  /**
   * Moves a block into the trash.
   *
   * @param now the present time, which becomes part of the name, in milliseconds
   * @return false if another thread already moved it
   */
  public boolean put(Path block, Instant now) throws IOException {
    files.createDirectories(directory);
    Path parent = block.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("block without a group: " + block);
    }
    try {
      files.rename(
          block,
          directory.resolve(now.toEpochMilli() + "-" + prefix(parent) + block.getFileName()));
    } catch (NoSuchFileException e) {
      return false;
    }
    files.forceDirectory(parent);
    return true;
  }

  /**
   * Returns the part of a name in the trash that identifies the group. Groups of two systems may
   * have the same name, and their blocks, too.
   */
  private static String prefix(Path groupDirectory) {
    Path system = groupDirectory.getParent();
    return (system == null ? "" : system.getFileName() + "-") + groupDirectory.getFileName() + "-";
  }

  /**
   * Returns the lowest generation above those of all blocks of the same name in the trash. A reader
   * that has one of these open must not read a new block in its place.
   */
  int freeGeneration(Path groupDirectory, BlockName name) throws IOException {
    String prefix = prefix(groupDirectory);
    int free = 1;
    for (Path entry : list(directory)) {
      String text = String.valueOf(entry.getFileName());
      int at = text.indexOf('-') + 1;
      if (text.startsWith(prefix, at)) {
        BlockName gone = BlockName.parse(text.substring(at + prefix.length())).orElse(null);
        if (gone != null && gone.from().equals(name.from()) && gone.to().equals(name.to())) {
          free = Math.max(free, gone.generation() + 1);
        }
      }
    }
    return free;
  }

  /** Unlinks blocks that have been in the trash longer than {@link #KEPT}. */
  public void empty(Instant now) throws IOException {
    for (Path entry : list(directory)) {
      String name = String.valueOf(entry.getFileName());
      int dash = name.indexOf('-');
      long put =
          dash > 0 && name.substring(0, dash).matches("\\d{1,18}")
              ? Long.parseLong(name.substring(0, dash))
              : 0;
      if (Instant.ofEpochMilli(put).plus(KEPT).isBefore(now)) {
        deleteTree(files, entry);
      }
    }
  }

  /** Unlinks blocks, the oldest first, until the remaining ones have at most {@code maxBytes}. */
  public void shrink(long maxBytes) throws IOException {
    long bytes = bytes();
    for (Path entry : list(directory)) {
      if (bytes <= maxBytes) {
        return;
      }
      bytes -= bytes(entry);
      deleteTree(files, entry);
    }
  }

  /** Returns the size of all files in the trash in bytes. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (Path entry : list(directory)) {
      bytes += bytes(entry);
    }
    return bytes;
  }

  private static long bytes(Path entry) throws IOException {
    long bytes = 0;
    for (Path file : list(entry)) {
      try {
        bytes += Files.size(file);
      } catch (NoSuchFileException e) {
        // The file was unlinked after the directory was listed.
      }
    }
    return bytes;
  }

  /**
   * Returns the entries of a directory, sorted, or an empty list if the directory does not exist.
   */
  public static List<Path> list(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path entry : stream) {
        entries.add(entry);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      if (isDanglingLink(directory) || isDanglingLink(directory.getParent())) {
        throw e;
      }
      return List.of();
    }
    entries.sort(null);
    return entries;
  }

  private static boolean isDanglingLink(@Nullable Path directory) {
    return directory != null && Files.isSymbolicLink(directory) && Files.notExists(directory);
  }

  public static void deleteTree(StoreFiles files, Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : list(path)) {
        deleteTree(files, entry);
      }
    }
    files.delete(path);
  }
}
