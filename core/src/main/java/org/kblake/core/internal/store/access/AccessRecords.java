package org.kblake.core.internal.store.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.UnixFile;

/**
 * Where readers leave lines of {@link Access} for the one writer, who takes them with {@link
 * AccessCollector}: in {@code access/records} if this process may write into {@code access/}, else
 * in {@code access/readers/UID}. Where a reader may write nowhere, or no writer ever wanted
 * records, nothing is left, and no answer suffers.
 */
public final class AccessRecords {

  private static final int READ_BY_ALL = 0444;

  private final AccessDirectory access;

  public AccessRecords(Path store) {
    access = new AccessDirectory(store);
  }

  /** The directory of records. */
  public Path directory() {
    return access.path();
  }

  /**
   * Leaves records where only the store's owner and the group that it trusts may write.
   *
   * @return false if they can be left by {@link #leaveAmongUsers} only
   */
  public boolean leave(List<Access> accesses) {
    try {
      UnixFile found = accesses.isEmpty() ? null : access.look();
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
   * Leaves records in this user's own file, in a directory that every user may add to. A file that
   * is not this user's own is not touched. Somebody who puts a pipe there at the right moment can
   * make this call hang: do not wait for it for long.
   *
   * @throws IOException if nothing could be left; the writer knows a little less
   */
  public void leaveAmongUsers(List<Access> accesses) throws IOException {
    if (Files.isWritable(access.readers())) {
      int user = UnixFile.ownUser();
      boolean unused =
          append(access.readers().resolve(AccessDirectory.nameOf(user)), user, accesses);
    }
  }

  /**
   * Adds lines to a file, if it is a plain one of this user.
   *
   * @return false if it is something else
   */
  private static boolean append(Path file, int user, List<Access> accesses) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Access each : accesses) {
      lines.append(each.text()).append('\n');
    }
    ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8));
    UnixFile found = UnixFile.of(file);
    if (found == null) {
      found = create(file, user);
    }
    if (found == null || !found.isPlainFileOf(user)) {
      return false;
    }
    // One write in append mode: lines of several processes do not get mixed.
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
      // The same file before and after opening is the one that was opened: only its owner, the
      // directory's owner and the superuser can put another one in its place.
      long most = AccessDirectory.mostBytes(String.valueOf(file.getFileName()));
      if (found.equals(UnixFile.of(file)) && channel.size() + bytes.remaining() <= most) {
        channel.write(bytes);
      }
    }
    return true;
  }

  /** Makes an empty file that the writer may read, whatever this process's umask. */
  private static @Nullable UnixFile create(Path file, int user) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another process of this user was faster.
      return UnixFile.of(file);
    }
    UnixFile made = UnixFile.of(file);
    if (made == null || !made.isPlainFileOf(user)) {
      // The file system takes this user for another one.
      Files.deleteIfExists(file);
      return null;
    }
    UnixFile.setPermissions(file, made.permissions() | READ_BY_ALL);
    return UnixFile.of(file);
  }
}
