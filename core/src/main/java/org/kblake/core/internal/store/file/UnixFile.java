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
 * What a Unix file system says of a name; a link is not followed.
 *
 * @param mode type and permissions, as in {@code stat}
 * @param user the owner's number
 * @param links how many names the file has
 * @param device where the file is
 * @param number its number there
 */
public record UnixFile(int mode, int user, int links, long device, long number) {

  /** Stands for every user. */
  public static final int ANY_USER = -1;

  private static final int TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int PERMISSIONS = 07777;

  private static final Path SELF = Path.of("/proc/self");

  /**
   * Looks at a name.
   *
   * @return null if there is nothing of that name
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
      throw new IOException("no file of a Unix system: file=" + file, e);
    }
  }

  private static long number(Map<String, Object> found, String name) {
    return ((Number) Objects.requireNonNull(found.get(name))).longValue();
  }

  /**
   * The number of the user whose process this is, from the kernel.
   *
   * @throws IOException where there is no /proc
   */
  public static int ownUser() throws IOException {
    return read(SELF).user;
  }

  public int permissions() {
    return mode & PERMISSIONS;
  }

  public boolean isDirectory() {
    return (mode & TYPE) == DIRECTORY;
  }

  /** Whether it is a plain file of a user that has no other name. */
  public boolean isPlainFileOf(int wanted) {
    return (mode & TYPE) == REGULAR && links == 1 && (wanted == ANY_USER || user == wanted);
  }

  /** Sets permissions; a link is not followed. */
  public static void setPermissions(Path file, int permissions) throws IOException {
    Files.setAttribute(file, "unix:mode", permissions, LinkOption.NOFOLLOW_LINKS);
  }
}
