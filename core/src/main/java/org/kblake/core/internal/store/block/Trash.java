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
 * The store's {@code trash/}: blocks that were superseded or evicted. A reader that planned with
 * one may still finish; {@link #KEPT} later its files are unlinked, and sooner where there is no
 * room for them: a reader that misses a file plans again.
 */
public final class Trash {

  public static final String DIRECTORY = "trash";

  /** The time that a reader has to finish with a removed block. */
  static final Duration KEPT = Duration.ofMinutes(15);

  private final StoreFiles files;
  private final Path directory;

  public Trash(StoreFiles files, Path store) {
    this.files = files;
    this.directory = store.resolve(DIRECTORY);
  }

  /**
   * Takes a block out of sight.
   *
   * @param now when it was put here, in milliseconds
   */
  public void put(Path block, Instant now) throws IOException {
    files.createDirectories(directory);
    Path parent = block.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("block without a group: " + block);
    }
    files.rename(
        block, directory.resolve(now.toEpochMilli() + "-" + prefix(parent) + block.getFileName()));
    files.forceDirectory(parent);
  }

  /** Groups of two systems may have one name, and blocks of them one name, too. */
  private static String prefix(Path groupDirectory) {
    Path system = groupDirectory.getParent();
    return (system == null ? "" : system.getFileName() + "-") + groupDirectory.getFileName() + "-";
  }

  /**
   * The lowest generation that no block here of the same name has: a reader that still has one of
   * them open must not take a new block for it.
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

  /** Unlinks what has been here long enough. */
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

  /** Unlinks what has been here longest, until the rest has no more bytes than so many. */
  public void shrink(long mostBytes) throws IOException {
    long bytes = bytes();
    for (Path entry : list(directory)) {
      if (bytes <= mostBytes) {
        return;
      }
      bytes -= bytes(entry);
      deleteTree(files, entry);
    }
  }

  /** Bytes of all files in it. */
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
        // Unlinked meanwhile.
      }
    }
    return bytes;
  }

  /** What is in a directory, sorted; nothing if there is none. */
  public static List<Path> list(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path entry : stream) {
        entries.add(entry);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      if (leadsNowhere(directory) || leadsNowhere(directory.getParent())) {
        throw e;
      }
      return List.of();
    }
    entries.sort(null);
    return entries;
  }

  private static boolean leadsNowhere(@Nullable Path directory) {
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
