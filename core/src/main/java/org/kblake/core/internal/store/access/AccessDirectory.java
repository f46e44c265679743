package org.kblake.core.internal.store.access;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.UnixFile;
import org.kblake.core.log.LogPosition;

/**
 * A store's directory {@code access/}, in which readers write records for the writer of the store.
 *
 * <pre>
 *   access/              of the store's owner, who alone may write there
 *     records            written by processes that may write here, and by readers of older versions
 *     readers/           of the store's owner, mode 1777: every user may add files
 *       UID              written by the user of that number
 *     taken/             of the store's owner, mode 0700: files that the writer reads next
 * </pre>
 */
public final class AccessDirectory {

  public static final String NAME = "access";

  private static final String TAKEN_BY_OLDER_VERSIONS = "records.taken";
  private static final String RECORDS = "records";

  private static final int STICKY = 01000;
  private static final int OTHERS_WRITE = 0002;
  private static final int GROUP_OR_OTHERS_WRITE = 0022;
  private static final int GROUP_AND_OTHERS_ENTER = 0055;
  private static final int EVERY_USER_ADDS = 01777;
  private static final int OWNER_ONLY = 0700;
  private static final int SUPERUSER = 0;
  private static final int MAX_DIGITS = 10;

  private final Path store;
  private final Path directory;

  public AccessDirectory(Path store) {
    this.store = store;
    directory = store.resolve(NAME);
  }

  /** Returns the attributes of {@code access/}, or null if no writer collects records. */
  @Nullable UnixFile attributes() throws IOException {
    return UnixFile.of(directory);
  }

  /** Returns whether only the owner and the group may write, according to the mode. */
  static boolean isClosedToOthers(UnixFile file) {
    return (file.permissions() & OTHERS_WRITE) == 0;
  }

  Path path() {
    return directory;
  }

  Path records() {
    return directory.resolve(RECORDS);
  }

  Path takenByOlderVersions() {
    return directory.resolve(TAKEN_BY_OLDER_VERSIONS);
  }

  Path readers() {
    return directory.resolve("readers");
  }

  Path taken() {
    return directory.resolve("taken");
  }

  /** Returns the name of a user's file. */
  static String nameOf(int user) {
    return Integer.toUnsignedString(user);
  }

  /** Returns the limit of a file's size in bytes, by its name. */
  static int mostBytes(String name) {
    return isOfUser(name) ? 1 << 20 : 16 << 20;
  }

  /** Returns whether a name is a user's number as {@link #nameOf} writes it. */
  static boolean isOfUser(String name) {
    return LogPosition.isNumber(name, 0, name.length(), MAX_DIGITS)
        && nameOf((int) Long.parseLong(name)).equals(name);
  }

  /**
   * Creates missing directories, and corrects the modes of those that belong to this process's
   * user. If only a group may write into {@code readers/}, this is not changed.
   *
   * @throws IOException if a directory cannot be created, or belongs to another user
   */
  public void prepare() throws IOException {
    UnixFile root = found(store);
    boolean missing = attributes() == null;
    if (missing) {
      Files.createDirectories(directory);
    }
    int user = UnixFile.ownUser();
    if (missing) {
      giveTo(root.user(), user, directory);
    }
    UnixFile access = found(directory);
    int entered = access.permissions() | root.permissions() & GROUP_AND_OTHERS_ENTER;
    if (access.user() == user || user == SUPERUSER) {
      setPermissions(directory, access, isClosedToOthers(access) ? entered : entered | STICKY);
    }
    UnixFile taken = own(taken(), root.user(), user);
    setPermissions(taken(), taken, OWNER_ONLY);
    UnixFile readers = own(readers(), root.user(), user);
    boolean forGroup = (readers.permissions() & GROUP_OR_OTHERS_WRITE) != 0;
    setPermissions(readers(), readers, forGroup ? readers.permissions() | STICKY : EVERY_USER_ADDS);
  }

  private static UnixFile found(Path path) throws IOException {
    UnixFile file = UnixFile.of(path);
    if (file == null || !file.isDirectory()) {
      throw new IOException(
          "not a directory: " + path + "; give it another name, or name the store's directory");
    }
    return file;
  }

  private static UnixFile own(Path path, int owner, int user) throws IOException {
    try {
      Files.createDirectory(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      giveTo(owner, user, path);
    } catch (FileAlreadyExistsException e) {
      // The directory exists in all calls except the first.
    }
    UnixFile file = found(path);
    if (file.user() != user && user != SUPERUSER) {
      throw new IOException(
          "belongs to another user: directory="
              + path
              + ", owner="
              + nameOf(file.user())
              + "; give it to the user who writes the store, "
              + nameOf(user));
    }
    return file;
  }

  /**
   * Changes the owner of a directory that the superuser created to the store's owner, who must be
   * able to use it.
   */
  private static void giveTo(int owner, int user, Path path) throws IOException {
    if (user == SUPERUSER && owner != user) {
      Files.setAttribute(path, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static void setPermissions(Path path, UnixFile found, int permissions)
      throws IOException {
    if (found.permissions() != permissions) {
      UnixFile.setPermissions(path, permissions);
    }
  }
}
