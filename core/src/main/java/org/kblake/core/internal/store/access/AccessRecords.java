package org.kblake.core.internal.store.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.UnixFile;

/**
 * Writes lines of {@link Access} for the writer of the store, which reads them with {@link
 * AccessCollector}. The file is {@code access/records} if this process may write into {@code
 * access/}, otherwise {@code access/readers/UID}. If the reader may write neither, or no writer
 * collects records, nothing is written. Answers do not depend on records.
 */
public final class AccessRecords {

  private static final int READ_BY_ALL = 0444;

  /** The limit of tries if the collector moves the file at the same time. */
  private static final int MAX_TRIES = 3;

  private final AccessDirectory access;

  public AccessRecords(Path store) {
    access = new AccessDirectory(store);
  }

  /** Returns the directory of records. */
  public Path directory() {
    return access.path();
  }

  /**
   * Writes records into {@code access/records} if only the store's owner and group may write there.
   *
   * @return false if the caller must use {@link #writeAmongUsers}
   */
  public boolean write(List<Access> accesses) {
    try {
      UnixFile found = accesses.isEmpty() ? null : access.attributes();
      if (found == null) {
        return true;
      }
      return AccessDirectory.isClosedToOthers(found)
          && Files.isWritable(access.path())
          && append(access.records(), UnixFile.ANY_USER, accesses);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Writes records into this user's own file, in a directory to which every user may add files. A
   * file of another user is not opened. If a user replaces the file by a pipe during this call, the
   * call may block. Therefore the caller must limit its wait.
   *
   * @throws IOException if the records could not be written
   */
  public void writeAmongUsers(List<Access> accesses) throws IOException {
    if (Files.isWritable(access.readers())) {
      int user = UnixFile.ownUser();
      boolean unused =
          append(access.readers().resolve(AccessDirectory.nameOf(user)), user, accesses);
    }
  }

  /**
   * Appends lines to a file if it is a plain file of this user. If the collector moves the file at
   * the same time, they are written into a new one.
   *
   * @return false if it is not a plain file of this user, or was moved too often
   */
  private static boolean append(Path file, int user, List<Access> accesses) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Access each : accesses) {
      lines.append(each.text()).append('\n');
    }
    ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < MAX_TRIES; i++) {
      UnixFile found = UnixFile.of(file);
      if (found == null) {
        found = create(file, user);
      }
      if (found == null || !found.isPlainFileOf(user)) {
        return false;
      }
      if (append(file, found, bytes)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Appends bytes to a file.
   *
   * @param found the file
   * @return false if the collector has moved the file meanwhile
   */
  private static boolean append(Path file, UnixFile found, ByteBuffer bytes) throws IOException {
    // A single write in append mode, so that lines of several processes are not mixed.
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      // If the file is the same before and after opening, it is the opened one, because only its
      // owner, the directory's owner and the superuser can replace it.
      if (!found.equals(UnixFile.of(file))) {
        return false;
      }
      long most = AccessDirectory.mostBytes(String.valueOf(file.getFileName()));
      if (channel.size() + bytes.remaining() <= most) {
        channel.write(bytes);
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Creates an empty file that the writer may read, with any umask of this process. */
  private static @Nullable UnixFile create(Path file, int user) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another process of this user created it at the same time.
      return UnixFile.of(file);
    }
    UnixFile made = UnixFile.of(file);
    if (made == null || !made.isPlainFileOf(user)) {
      // The file system maps this user to another one.
      Files.deleteIfExists(file);
      return null;
    }
    UnixFile.setPermissions(file, made.permissions() | READ_BY_ALL);
    return UnixFile.of(file);
  }
}
