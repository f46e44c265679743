package org.kblake.transfer;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/** The names of groups and pairs that both ends accept, and their files, without links. */
public final class TransferNames {

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_:+-][A-Za-z0-9._:+-]{0,99}");
  private static final String LISTS = "SYS";

  private TransferNames() {}

  /** Returns the group of a text; null if no transfer may have such a name. */
  public static @Nullable Group group(String text) {
    int slash = text.indexOf('/');
    return slash < 0 ? null : group(text.substring(0, slash), text.substring(slash + 1));
  }

  /** Returns a group; null if no transfer may have such a name. */
  public static @Nullable Group group(String system, String name) {
    boolean fits = WORD.matcher(system).matches() && WORD.matcher(name).matches();
    return fits && !system.toUpperCase(Locale.ROOT).equals(LISTS) ? new Group(system, name) : null;
  }

  /** Returns the number of a pair's stamp; null if the stamp is no time. */
  public static @Nullable Long stamp(PairName name) {
    return name.hasTime() ? Long.valueOf(name.stamp()) : null;
  }

  /** Returns the name of a group's pair; null if its stamp is no time. */
  public static @Nullable PairName pair(Group group, long stamp) {
    String digits = Long.toString(stamp);
    PairName name =
        new PairName(group.name(), "0".repeat(Math.max(0, 14 - digits.length())) + digits);
    return stamp >= 0 && name.hasTime() ? name : null;
  }

  /** Returns whether a path is a directory, and no link. */
  public static boolean isDirectory(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Looks through a directory.
   *
   * @param names gets the name of each entry
   * @throws IOException if the directory cannot be read
   */
  public static void list(Path directory, Consumer<String> names) throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
      paths.forEach(each -> names.accept(String.valueOf(each.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /**
   * Makes a directory, if there is none. A power cut does not remove it.
   *
   * @throws IOException if it is a link or no directory, or cannot be made
   */
  public static void makeDirectory(Path directory) throws IOException {
    if (isDirectory(directory)) {
      return;
    }
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "not a directory, or a link, which transfers do not follow: " + directory, e);
    }
    StoreFiles.LOCAL.forceDirectory(directory.toAbsolutePath().resolveSibling(""));
  }

  /**
   * Refuses a link or a special file.
   *
   * @throws IOException if the path exists and is no regular file
   */
  public static void requireFile(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          "not a regular file, or a link, which transfers do not follow: " + path);
    }
  }
}
