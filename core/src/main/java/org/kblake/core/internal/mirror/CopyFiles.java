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

/**
 * Where a mirror keeps its copy of one pair:
 *
 * <pre>
 *   account            what counts
 *   index-CRC          the index as a whole; the account says which
 *   log-NUMBER         a MiB of the log, at the offset NUMBER * 1 MiB; holes where nothing is held
 * </pre>
 *
 * @param directory of the pair
 */
public record CopyFiles(Path directory) {

  /** The log is kept in pieces, so that what is in blocks takes no room any more. */
  public static final int PIECE_BYTES = 1 << 20;

  private static final String INDEX = "index-";
  private static final String PIECE = "log-";

  Path account() {
    return directory.resolve("account");
  }

  Path index(int checksum) {
    return directory.resolve(INDEX + String.format(Locale.ROOT, "%08x", checksum));
  }

  Path piece(long offset) {
    return directory.resolve(PIECE + offset / PIECE_BYTES);
  }

  /** Removes every file, the account first: from then on nothing is here. */
  public void delete() throws IOException {
    Files.deleteIfExists(account());
    for (Path file : list(directory)) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(directory);
  }

  /** Removes indexes that are not the account's. */
  void deleteIndexesBut(int checksum) throws IOException {
    Path current = index(checksum);
    for (Path file : list(directory)) {
      if (String.valueOf(file.getFileName()).startsWith(INDEX) && !file.equals(current)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Removes pieces that begin in [from, to). */
  void deletePieces(long fromOffset, long toOffset) throws IOException {
    for (Path file : list(directory)) {
      String name = String.valueOf(file.getFileName());
      if (name.startsWith(PIECE)) {
        long offset = number(name) * PIECE_BYTES;
        if (offset >= fromOffset && offset < toOffset) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static long number(String piece) {
    try {
      return Long.parseLong(piece.substring(PIECE.length()));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Bytes of all files. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (Path file : list(directory)) {
      try {
        bytes += Files.size(file);
      } catch (NoSuchFileException e) {
        // Gone meanwhile.
      }
    }
    return bytes;
  }

  /** What is in a directory; nothing if there is none. */
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
