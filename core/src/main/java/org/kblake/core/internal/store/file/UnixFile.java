package org.kblake.core.internal.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a file in a Unix file system. Symbolic links are not followed.
 *
 * @param mode type and permissions, as in {@code stat}
 * @param user the owner's number
 * @param links the number of hard links
 * @param device the number of the file's device
 * @param number the inode number
 */
public record UnixFile(int mode, int user, int links, long device, long number) {

  /** The number that stands for every user. */
  public static final int ANY_USER = -1;

  private static final int TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int PERMISSIONS = 07777;

  private static final Path SELF = Path.of("/proc/self");

  /**
   * Reads the attributes of a file.
   *
   * @return null if the file does not exist
   */
  public static @Nullable UnixFile of(Path file) throws IOException {
    try {
      return read(file, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static UnixFile read(Path file, LinkOption... options) throws IOException {
    try {
      Map<String, Object> found =
          Files.readAttributes(file, "unix:mode,uid,nlink,dev,ino", options);
      return new UnixFile(
          (int) number(found, "mode"),
          (int) number(found, "uid"),
          (int) number(found, "nlink"),
          number(found, "dev"),
          number(found, "ino"));
    } catch (UnsupportedOperationException e) {
      throw new IOException("file system has no Unix attributes: file=" + file, e);
    }
  }

  private static long number(Map<String, Object> found, String name) {
    return ((Number) Objects.requireNonNull(found.get(name))).longValue();
  }

  /**
   * Returns the number of this process's user, from the kernel.
   *
   * @throws IOException if there is no /proc
   */
  public static int ownUser() throws IOException {
    return read(SELF).user;
  }

  /** The generated method of a record is linked at its first call, which takes 10 ms. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UnixFile file
        && mode == file.mode
        && user == file.user
        && links == file.links
        && device == file.device
        && number == file.number;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * device + number);
  }

  public int permissions() {
    return mode & PERMISSIONS;
  }

  public boolean isDirectory() {
    return (mode & TYPE) == DIRECTORY;
  }

  /** Returns whether it is a plain file of a user and has no other hard link. */
  public boolean isPlainFileOf(int wanted) {
    return (mode & TYPE) == REGULAR && links == 1 && (wanted == ANY_USER || user == wanted);
  }

  /** Sets permissions. Symbolic links are not followed. */
  public static void setPermissions(Path file, int permissions) throws IOException {
    Files.setAttribute(file, "unix:mode", permissions, LinkOption.NOFOLLOW_LINKS);
  }
}
