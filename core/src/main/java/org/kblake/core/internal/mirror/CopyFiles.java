package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogCopy;

/**
 * The files of a mirror's copy of one pair.
 *
 * <pre>
 *   account            the description of the copy, see CopyAccount
 *   index-CRC          the whole index; the account contains its CRC
 *   log-NUMBER         a MiB of the log, at offset NUMBER * 1 MiB; holes where nothing was copied
 * </pre>
 *
 * @param directory the directory of the pair's copy
 */
public record CopyFiles(Path directory) {

  /** The size of a file of the log. Files that are in blocks are deleted to free their space. */
  public static final int FILE_BYTES = 1 << 20;

  private static final String INDEX = "index-";
  private static final String LOG = "log-";

  Path account() {
    return directory.resolve("account");
  }

  Path index(int checksum) {
    return directory.resolve(INDEX + String.format(Locale.ROOT, "%08x", checksum));
  }

  Path log(long offset) {
    return directory.resolve(LOG + offset / FILE_BYTES);
  }

  /** Returns the copy, or null if there is none, or it cannot be read. */
  public @Nullable LogCopy copy() {
    try {
      return Files.exists(account()) ? PairCopy.open(this) : null;
    } catch (IOException e) {
      // The log is read from the archive.
      return null;
    }
  }

  /**
   * Returns the copy, or null if there is none.
   *
   * @throws IOException if it cannot be read; it may be all that has the end of a log
   */
  public @Nullable LogCopy copyOrFail() throws IOException {
    return PairCopy.open(this);
  }

  /** Removes every file, the account first, because without it the other files do not count. */
  public void delete() throws IOException {
    Files.deleteIfExists(account());
    for (Path file : list(directory)) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(directory);
  }

  /** Removes all indexes except the one with a checksum. */
  void deleteIndexesBut(int checksum) throws IOException {
    Path current = index(checksum);
    for (Path file : list(directory)) {
      if (String.valueOf(file.getFileName()).startsWith(INDEX) && !file.equals(current)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Removes files of the log that begin in [from, to). */
  void deleteLog(long fromOffset, long toOffset) throws IOException {
    for (Path file : list(directory)) {
      String name = String.valueOf(file.getFileName());
      if (name.startsWith(LOG)) {
        long offset = number(name) * FILE_BYTES;
        if (offset >= fromOffset && offset < toOffset) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static long number(String log) {
    try {
      return Long.parseLong(log.substring(LOG.length()));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Returns the total size of all files in bytes. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (Path file : list(directory)) {
      try {
        bytes += Files.size(file);
      } catch (NoSuchFileException e) {
        // The writer deleted the file after the directory was listed.
      }
    }
    return bytes;
  }

  /** Returns the entries of a directory, or an empty list if the directory does not exist. */
  static List<Path> list(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Nothing was mirrored yet.
    }
    return files;
  }
}
