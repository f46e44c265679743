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
import org.kblake.core.internal.log.pair.PairName;
import org.kblake.core.model.Group;

/**
 * A directory with copies of growing logs, {@code SYSTEM/GROUP/STAMP/}, beside the store that will
 * hold them one day. The store's file {@code mirror} names it, so that readers need no setting; the
 * directory's file {@code kblake-mirror} repeats the number that stands there, so that the two
 * belong together. Safe for many threads.
 *
 * <pre>
 *   STORE/mirror              number, line feed, directory, line feed
 *   DIRECTORY/kblake-mirror   number, line feed
 * </pre>
 */
public final class Mirror {

  private static final String FILE_IN_STORE = "mirror";
  private static final String FILE = "kblake-mirror";

  private final Path directory;

  private Mirror(Path directory) {
    this.directory = directory;
  }

  /** The mirror that a store names; null if there is none. */
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
      // No mirror, or one that is not mounted: the archive answers.
      return null;
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
  }

  /**
   * The mirror of a store in a directory, which is made where there is none.
   *
   * @throws IOException if the directory holds something else, or cannot be written
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
    if (!entries.stream().allMatch(Mirror::isNothing)) {
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

  /** What may be in a new directory, or was left where a mirror was about to be made. */
  private static boolean isNothing(Path entry) {
    String name = String.valueOf(entry.getFileName());
    return name.startsWith(FILE) || name.equals("lost+found");
  }

  /** Says that a store has no mirror any more, and removes the one that it had. */
  public static void end(Path store) throws IOException {
    Mirror present = of(store);
    Files.deleteIfExists(store.resolve(FILE_IN_STORE));
    if (present != null) {
      for (Group group : present.groups()) {
        for (String stamp : present.stamps(group)) {
          present.files(group, stamp).delete();
        }
        Files.deleteIfExists(present.directory(group));
      }
      Files.deleteIfExists(present.directory.resolve(FILE));
    }
  }

  /** Whether it is still there: somebody may have taken its disk away. */
  public boolean isThere() {
    return Files.exists(directory.resolve(FILE));
  }

  public Path directory() {
    return directory;
  }

  private Path directory(Group group) {
    return directory.resolve(group.system()).resolve(group.name());
  }

  /** Where the copy of a pair is, or would be. */
  public CopyFiles files(Group group, String stamp) {
    return new CopyFiles(directory(group).resolve(stamp));
  }

  /** The groups that have directories, sorted. */
  public List<Group> groups() throws IOException {
    List<Group> groups = new ArrayList<>();
    for (Path system : CopyFiles.list(directory)) {
      for (Path group : CopyFiles.list(system)) {
        groups.add(
            new Group(String.valueOf(system.getFileName()), String.valueOf(group.getFileName())));
      }
    }
    groups.sort(null);
    return groups;
  }

  /** The pairs of a group of which something may be here, in log order. */
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

  /** What is here of a pair; null if nothing is. */
  public @Nullable LogCopy copy(Group group, String stamp) {
    CopyFiles files = files(group, stamp);
    return Files.exists(files.account()) ? PairCopy.open(files) : null;
  }
}
