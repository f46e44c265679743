package org.kblake.cli.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;

/**
 * Who could have written a file that the program obeys, and who can read a secret. Links are
 * resolved, and the directories of the link and of the file count, too: who may write to a
 * directory may exchange its files, unless it is sticky.
 */
public final class TrustedFile {

  private static final int WRITABLE_BY_OTHERS = 0002;
  private static final int READABLE_BY_OTHERS = 0004;
  private static final int ENTERED_BY_OTHERS = 0001;
  private static final int STICKY = 01000;
  private static final int ROOT = 0;

  /** Its owner is the user of this process. */
  private static final Path OWN_PROCESS = Path.of("/proc/self");

  private TrustedFile() {}

  /**
   * Checks a file of this user or of the superuser.
   *
   * @throws UsageException if the file is of another user, or as {@link #checkWriters} does
   */
  public static void check(Path path) {
    checkWriters(path);
    Integer owner = attribute(path, "uid");
    if (owner != null && owner != ROOT && !owner.equals(attribute(OWN_PROCESS, "uid"))) {
      throw new UsageException(
          path
              + ": file is of another user: uid="
              + owner
              + "; make a copy of your own, or let root own it");
    }
  }

  /**
   * Checks a file that the administrator may own under any name.
   *
   * @throws UsageException if every user may write the file or exchange it
   */
  static void checkWriters(Path path) {
    if (Files.notExists(path)) {
      // The caller reports it
      return;
    }
    Path real = real(path);
    refuseIfWritable(real, path);
    refuseIfExchangeable(path.toAbsolutePath().getParent(), path);
    refuseIfExchangeable(real.getParent(), path);
  }

  /**
   * Describes a secret that every user of this host can read. It is no error: in containers a
   * secret may have such a mode, and no other users.
   *
   * @param secrets files with secrets; those that cannot be read are left out
   * @return a line for each such file
   */
  public static List<String> readableByAll(List<Path> secrets) {
    List<String> lines = new ArrayList<>();
    for (Path secret : secrets) {
      if (Files.exists(secret) && isReadableByAll(real(secret))) {
        lines.add(secret + ": every user of this host can read the secret; chmod o-r " + secret);
      }
    }
    return lines;
  }

  private static boolean isReadableByAll(Path real) {
    Path each = real;
    int wanted = READABLE_BY_OTHERS;
    while (each != null) {
      Integer mode = attribute(each, "mode");
      if (mode == null || (mode & wanted) == 0) {
        return false;
      }
      each = each.getParent();
      wanted = ENTERED_BY_OTHERS;
    }
    return true;
  }

  private static void refuseIfWritable(Path real, Path file) {
    Integer mode = attribute(real, "mode");
    if (mode != null && (mode & WRITABLE_BY_OTHERS) != 0) {
      throw new UsageException(file + ": every user may write the file; chmod o-w " + real);
    }
  }

  private static void refuseIfExchangeable(@Nullable Path directory, Path file) {
    Integer mode = directory == null ? null : attribute(directory, "mode");
    if (mode != null && (mode & (WRITABLE_BY_OTHERS | STICKY)) == WRITABLE_BY_OTHERS) {
      throw new UsageException(file + ": every user may exchange the file; chmod o-w " + directory);
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UsageException("file cannot be read: " + ErrorLine.of(e), e);
    }
  }

  private static @Nullable Integer attribute(Path path, String name) {
    try {
      Map<String, Object> found = Files.readAttributes(path, "unix:" + name);
      return (Integer) found.get(name);
    } catch (IOException | UnsupportedOperationException e) {
      // Such a file has no owner, or cannot be read, which the caller reports.
      return null;
    }
  }
}
