package org.kblake.core.internal.store.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.UnixFile;

/**
 * Collects the records that readers wrote ({@link AccessRecords}). Any user may put any kind of
 * file into the directory, and replace it at any moment. Therefore each directory entry is first
 * moved, without a check, to a directory that only this user may enter. The move replaces a plain
 * file there, so that a directory cannot be moved. The type and owner of the entry are checked
 * after the move, when no other user can replace it. Only a plain file of the user whose number is
 * its name is read, up to a limit. For one thread of the writer.
 */
public final class AccessCollector implements AutoCloseable {

  /** The limit of bytes of all users in one call. The rest is read by the next call. */
  private static final long MAX_BYTES = 64 << 20;

  /** The limit of directory entries in one call. */
  private static final int MAX_NAMES = 10_000;

  private final AccessDirectory access;
  private final int maxNames;
  private @Nullable DirectoryStream<Path> listing;
  private @Nullable Iterator<Path> names;

  public AccessCollector(Path store) {
    this(store, MAX_NAMES);
  }

  /**
   * @param maxNames the number of directory entries that a call reads
   */
  AccessCollector(Path store, int maxNames) {
    access = new AccessDirectory(store);
    this.maxNames = maxNames;
  }

  /**
   * Creates the directories into which readers write records, and corrects their modes. Readers
   * write no records without these directories.
   *
   * @throws IOException if a directory cannot be created, or belongs to another user
   */
  public void prepare() throws IOException {
    access.prepare();
  }

  /**
   * Collects the records since the last call. Files are moved in one call and read in the next one,
   * because a reader that has opened a file may still write into it. Files that cannot be moved are
   * removed.
   *
   * @param accesses receives the records of each file in the order of its lines; invalid lines are
   *     skipped
   * @param refusals receives a short reason for each refused file
   * @throws IOException if a directory cannot be created or listed, or belongs to another user
   */
  public void take(Consumer<Access> accesses, Consumer<String> refusals) throws IOException {
    access.prepare();
    if (readMovedFiles(accesses, refusals)) {
      moveFiles(refusals);
    }
  }

  /**
   * Reads the files that the previous call moved.
   *
   * @return false if the limit was reached before all files were read
   */
  private boolean readMovedFiles(Consumer<Access> accesses, Consumer<String> refusals)
      throws IOException {
    long left = MAX_BYTES;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(access.taken())) {
      for (Path file : files) {
        if (left <= 0) {
          return false;
        }
        left -= read(file, accesses, refusals);
      }
      return true;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static long read(Path file, Consumer<Access> accesses, Consumer<String> refusals)
      throws IOException {
    String name = String.valueOf(file.getFileName());
    UnixFile found = UnixFile.of(file);
    int user = AccessDirectory.isOfUser(name) ? Integer.parseUnsignedInt(name) : UnixFile.ANY_USER;
    if (found == null || !found.isPlainFileOf(user)) {
      Files.deleteIfExists(file);
      refusals.accept(
          "is not a plain file of that user: name="
              + name
              + (found == null ? "" : ", owner=" + AccessDirectory.nameOf(found.user())));
      return 0;
    }
    int most = AccessDirectory.mostBytes(name);
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      // Removed before its records are used, so that no record counts twice.
      Files.delete(file);
      bytes = in.readNBytes(most + 1);
    } catch (FileSystemException e) {
      Files.deleteIfExists(file);
      refusals.accept("cannot be read: name=" + name + ", " + e.getClass().getSimpleName());
      return 0;
    }
    int end = bytes.length;
    if (end > most) {
      refusals.accept("is larger than " + most + " bytes: name=" + name);
      end = most;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
    }
    new String(bytes, 0, end, StandardCharsets.ISO_8859_1)
        .lines()
        .map(Access::parse)
        .forEach(
            record -> {
              if (record != null) {
                accesses.accept(record);
              }
            });
    return end;
  }

  private void moveFiles(Consumer<String> refusals) throws IOException {
    for (Path file : new Path[] {access.takenByOlderVersions(), access.records()}) {
      if (UnixFile.of(file) != null) {
        move(file, refusals);
      }
    }
    for (int i = 0; i < maxNames; i++) {
      Path file = next();
      if (file == null) {
        return;
      }
      if (AccessDirectory.isOfUser(String.valueOf(file.getFileName()))) {
        move(file, refusals);
      } else {
        remove(file);
        refusals.accept("name is not a user's number");
      }
    }
  }

  /**
   * Returns the next entry of the readers' directory. Returns null at the end, after which the
   * directory is listed again.
   */
  // The stream is closed at its end, or by close(), because a call may stop before the end.
  @SuppressWarnings("StreamResourceLeak")
  private @Nullable Path next() throws IOException {
    Iterator<Path> known = names;
    try {
      if (known == null) {
        DirectoryStream<Path> begun = Files.newDirectoryStream(access.readers());
        listing = begun;
        known = begun.iterator();
        names = known;
      }
      if (known.hasNext()) {
        return known.next();
      }
    } catch (DirectoryIteratorException e) {
      close();
      throw e.getCause();
    }
    close();
    return null;
  }

  private void move(Path file, Consumer<String> refusals) throws IOException {
    Path target = access.taken().resolve(String.valueOf(file.getFileName()));
    try {
      Files.createFile(target);
    } catch (FileAlreadyExistsException e) {
      // A reader made this file again after it was moved, and the listing has it twice. It is moved
      // by the next call.
      return;
    }
    try {
      Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      Files.delete(target);
    } catch (FileSystemException e) {
      Files.delete(target);
      remove(file);
      refusals.accept("cannot be moved: name=" + file.getFileName() + ", " + e.getReason());
    }
  }

  /**
   * Removes an entry without a check of its type, which may take long if it is on another file
   * system. A directory that is not empty is renamed, so that the user's name is free again.
   */
  private static void remove(Path file) {
    if (!file.toFile().delete()) {
      String name = String.valueOf(file.getFileName());
      boolean unused =
          AccessDirectory.isOfUser(name)
              && file.toFile()
                  .renameTo(
                      file.resolveSibling("refused-" + name + "-" + System.nanoTime()).toFile());
    }
  }

  @Override
  public void close() throws IOException {
    DirectoryStream<Path> open = listing;
    listing = null;
    names = null;
    if (open != null) {
      open.close();
    }
  }
}
