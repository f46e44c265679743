package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/**
 * A directory with copies of growing logs, {@code SYSTEM/GROUP/STAMP/}. A copy is kept until its
 * events are in the blocks of a store. The store's file {@code mirror} contains the path of the
 * directory, so that readers need no setting. The directory's file {@code kblake-mirror} contains
 * the same number as the store's file, so that a mirror of another store is not used. Safe for many
 * threads.
 *
 * <pre>
 *   STORE/mirror              number, line feed, directory, line feed
 *   DIRECTORY/kblake-mirror   number, line feed
 * </pre>
 */
public final class Mirror {

  private static final String FILE_IN_STORE = "mirror";
  private static final String FILE = "kblake-mirror";

  /** A directory of the file system itself, if the mirror is the root of one. */
  private static final String LOST_AND_FOUND = "lost+found";

  private final Path directory;

  private Mirror(Path directory) {
    this.directory = directory;
  }

  /** Returns the mirror of a store, or null if it has none. */
  public static @Nullable Mirror of(Path store) {
    try {
      List<String> lines = lines(store.resolve(FILE_IN_STORE));
      if (lines.size() != 2) {
        return null;
      }
      Path directory = Path.of(lines.get(1));
      return lines(directory.resolve(FILE)).equals(lines.subList(0, 1))
          ? new Mirror(directory)
          : null;
    } catch (IOException e) {
      // There is no mirror, or it is not mounted. The logs are read from the archive.
      return null;
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
  }

  /**
   * Returns the mirror of a store in a directory, and creates it if necessary.
   *
   * @throws IOException if the directory contains other files, or cannot be written
   */
  public static Mirror make(Path store, Path directory) throws IOException {
    Path wanted = directory.toAbsolutePath().normalize();
    Mirror present = of(store);
    if (present != null && present.directory.equals(wanted)) {
      return present;
    }
    end(store);
    Files.createDirectories(wanted);
    List<Path> entries = CopyFiles.list(wanted);
    if (!entries.stream().allMatch(Mirror::isAllowedInNewDirectory)) {
      throw new IOException(
          "directory is not empty and not the mirror of this store: directory="
              + wanted
              + ", store="
              + store
              + "; name an empty or new directory");
    }
    String number = UUID.randomUUID().toString();
    CopyAccount.replace(wanted.resolve(FILE), StandardCharsets.UTF_8.encode(number + "\n"));
    CopyAccount.replace(
        store.resolve(FILE_IN_STORE), StandardCharsets.UTF_8.encode(number + "\n" + wanted + "\n"));
    return new Mirror(wanted);
  }

  /**
   * Returns whether an entry is allowed in a new directory, or was left by an interrupted creation.
   */
  private static boolean isAllowedInNewDirectory(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return name.startsWith(FILE) || name.equals(LOST_AND_FOUND);
  }

  /** Ends the use of a mirror by a store, and removes the mirror's files. */
  public static void end(Path store) throws IOException {
    Mirror present = of(store);
    Files.deleteIfExists(store.resolve(FILE_IN_STORE));
    if (present != null) {
      for (Group group : present.groups()) {
        present.removeCopies(group);
        Files.deleteIfExists(present.directory(group));
      }
      Files.deleteIfExists(present.directory.resolve(FILE));
    }
  }

  /** Deletes the copies of a group. */
  public void removeCopies(Group group) throws IOException {
    for (String stamp : stamps(group)) {
      files(group, stamp).delete();
    }
  }

  /** Returns whether the directory still exists. Its disk may have been unmounted. */
  public boolean isThere() {
    return Files.exists(directory.resolve(FILE));
  }

  public Path directory() {
    return directory;
  }

  private Path directory(Group group) {
    return directory.resolve(group.system()).resolve(group.name());
  }

  /** Returns the files of the copy of a pair, whether they exist or not. */
  public CopyFiles files(Group group, String stamp) {
    return new CopyFiles(directory(group).resolve(stamp));
  }

  /** Returns the groups that have directories, sorted. */
  public List<Group> groups() throws IOException {
    List<Group> groups = new ArrayList<>();
    for (Path system : CopyFiles.list(directory)) {
      if (String.valueOf(system.getFileName()).equals(LOST_AND_FOUND)) {
        // Only the superuser can list it.
        continue;
      }
      for (Path group : CopyFiles.list(system)) {
        groups.add(
            new Group(String.valueOf(system.getFileName()), String.valueOf(group.getFileName())));
      }
    }
    groups.sort(null);
    return groups;
  }

  /** Returns the stamps of the pairs of a group that may have a copy, in log order. */
  public List<String> stamps(Group group) throws IOException {
    List<String> stamps = new ArrayList<>();
    for (Path pair : CopyFiles.list(directory(group))) {
      String stamp = String.valueOf(pair.getFileName());
      if (new PairName(group.name(), stamp).hasTime()) {
        stamps.add(stamp);
      }
    }
    stamps.sort(null);
    return stamps;
  }

  /** Returns the copy of a pair, or null if there is none, or it cannot be read. */
  public @Nullable LogCopy copy(Group group, String stamp) {
    return files(group, stamp).copy();
  }
}
