package org.kblake.core.internal.store.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
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
 * Takes the records that readers left ({@link AccessRecords}). Any user may put anything among
 * them, and change it at any moment. So a name is first moved, unseen, to a directory that only
 * this user may enter, in the place of a plain file, which no directory can take. What it is, is
 * looked at there, where it cannot be exchanged any more; of a plain file that belongs to the user
 * whose number is its name a bounded part is read. For one thread, and the one writer.
 */
public final class AccessCollector implements AutoCloseable {

  /** Of all users in one call; the rest waits for the next one. */
  private static final long MOST_BYTES = 64 << 20;

  /** So many names in one call, however many there are. */
  private static final int MOST_NAMES = 10_000;

  private final AccessDirectory access;
  private final int mostNames;
  private @Nullable DirectoryStream<Path> listing;
  private @Nullable Iterator<Path> names;

  public AccessCollector(Path store) {
    this(store, MOST_NAMES);
  }

  /**
   * @param mostNames this number is read in a call
   */
  AccessCollector(Path store, int mostNames) {
    access = new AccessDirectory(store);
    this.mostNames = mostNames;
  }

  /**
   * Says that records are wanted: makes the directories where readers leave them, and corrects
   * their modes.
   *
   * @throws IOException if one cannot be made, or belongs to another user
   */
  public void prepare() throws IOException {
    access.prepare();
  }

  /**
   * Takes what was left since the last time. A reader that opened a file a moment before may still
   * write into it: so what was put aside is read a call later. What cannot be taken is removed.
   *
   * @param accesses is given the records of each file in the order in which they were left; lines
   *     that are none are skipped
   * @param refusals receives a short reason for each refused name, once
   * @throws IOException if the directories are not as they must be
   */
  public void take(Consumer<Access> accesses, Consumer<String> refusals) throws IOException {
    access.prepare();
    if (readTaken(accesses, refusals)) {
      putAside(refusals);
    }
  }

  /**
   * Reads what was put aside.
   *
   * @return whether that is all
   */
  private boolean readTaken(Consumer<Access> accesses, Consumer<String> refusals)
      throws IOException {
    long left = MOST_BYTES;
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
      // Removed before anything is made of it, so that no record counts twice.
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

  private void putAside(Consumer<String> refusals) throws IOException {
    for (Path file : new Path[] {access.takenByOlderVersions(), access.records()}) {
      if (UnixFile.of(file) != null) {
        move(file, refusals);
      }
    }
    for (int i = 0; i < mostNames; i++) {
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

  /** The next name among those of users; null at the end, behind which the first comes again. */
  @SuppressWarnings("StreamResourceLeak") // Closed at its end, or by close(): a call may leave off.
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
    Files.createFile(target);
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
   * Removes a name without looking at what it is, which may take long where it is of another file
   * system. A directory that holds something stays under another name, so that its own is free.
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
