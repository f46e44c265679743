package org.kblake.core.internal.log.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.IoReasons;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.internal.log.pair.ArchiveFiles;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/**
 * A KEKBLog tree, which is only read.
 *
 * <pre>
 *   ROOT/SYS/KEKBLog.list                      a group per line: SYSTEM GROUP
 *   ROOT/SYS/LCF/GROUP.lcf                     a record name per line, up to the first blank
 *   ROOT/SYSTEM/GROUP_yyyymmddhhmmss.log1, .log2   index and log of a pair
 * </pre>
 *
 * <p>Nothing is kept between calls, because links are retargeted and volumes are mounted and
 * unmounted at any time. Safe for many threads.
 */
public final class Archive {

  private static final String SYSTEM_DIRECTORY = ArchiveGroups.SYSTEM_DIRECTORY;
  private static final String GROUP_LIST = "KEKBLog.list";
  private static final String LIST_UNREAD = "group list cannot be read";

  /** A directory at the root of a volume. Only root may list it. */
  private static final String LOST_AND_FOUND = "lost+found";

  private final Path root;
  private final FileAccess access;
  private final ArchiveFiles files;

  private Archive(Path root, ArchiveSettings settings, FileAccess access) {
    this.root = root;
    this.access = access;
    files = new ArchiveFiles(root, settings, access, new LocalDisks());
  }

  /**
   * @throws UnavailableException if the root is not a directory that can be read
   */
  public static Archive open(Path root, ArchiveSettings settings) throws UnavailableException {
    return open(root, settings, FileAccess.WAITING);
  }

  /**
   * Opens an archive as {@link #open(Path, ArchiveSettings)} does.
   *
   * @param access the access to its file system
   */
  public static Archive open(Path root, ArchiveSettings settings, FileAccess access)
      throws UnavailableException {
    Archive archive = unchecked(root, settings, access);
    archive.requireAvailable();
    return archive;
  }

  /**
   * Checks that the archive is available.
   *
   * @throws UnavailableException if the root is not a directory that can be read
   */
  public void requireAvailable() throws UnavailableException {
    list(root, "archive is unavailable: root=" + root);
  }

  /**
   * Returns an archive without a check that it is available.
   *
   * @param access the access to its file system
   */
  public static Archive unchecked(Path root, ArchiveSettings settings, FileAccess access) {
    return new Archive(root, settings, access);
  }

  public Path root() {
    return root;
  }

  public ArchiveSettings settings() {
    return files.settings();
  }

  LocalDisks localDisks() {
    return files.localDisks();
  }

  /** Returns the access to the file system of its files. */
  public FileAccess access() {
    return access;
  }

  /** Returns the same archive with another access to its file system. */
  public Archive withAccess(FileAccess other) {
    return new Archive(root, settings(), other);
  }

  /** Returns groups as {@link #groups(Consumer)} does, without reports of problems. */
  public List<Group> groups() throws UnavailableException {
    return groups(problem -> {});
  }

  /**
   * Returns the groups of KEKBLog.list in its order, then the groups that only have pairs, sorted.
   *
   * @param problems receives a line about each line that names no group, and about each directory
   *     that cannot be read; the readable rest is returned
   * @throws UnavailableException if the root cannot be listed
   */
  public List<Group> groups(Consumer<String> problems) throws UnavailableException {
    ArchiveGroups groups = shownGroups();
    groups.notes().forEach(problems);
    groups.unlisted().values().forEach(e -> problems.accept(String.valueOf(e.getMessage())));
    return groups.groups();
  }

  /**
   * Returns the groups of KEKBLog.list and those that have pairs, and the directories that cannot
   * be listed. They include the directory of KEKBLog.list if this file exists and cannot be read.
   *
   * @throws UnavailableException if the root cannot be listed
   */
  public ArchiveGroups shownGroups() throws UnavailableException {
    List<String> notes = new ArrayList<>();
    Set<Group> groups = new LinkedHashSet<>();
    SortedSet<Group> found = new TreeSet<>();
    SortedMap<String, UnavailableException> unlisted = new TreeMap<>();
    try {
      groups.addAll(listedGroups(notes::add));
    } catch (UnavailableException e) {
      unlisted.put(SYSTEM_DIRECTORY, e);
    }
    for (Path directory : list(root, "archive is unavailable: root=" + root)) {
      String system = fileName(directory);
      try {
        if (!system.equals(LOST_AND_FOUND) && isDirectory(directory)) {
          found.addAll(groupsOf(directory));
        }
      } catch (UnavailableException e) {
        if (!system.equals(SYSTEM_DIRECTORY)) {
          unlisted.put(system, e);
        }
      }
    }
    groups.addAll(found);
    return new ArchiveGroups(List.copyOf(groups), notes, unlisted);
  }

  /**
   * Returns the groups of KEKBLog.list. If there is no such file, this is reported as a problem,
   * and there are none.
   *
   * @throws UnavailableException if the file exists and cannot be read
   */
  private List<Group> listedGroups(Consumer<String> problems) throws UnavailableException {
    Path directory = root.resolve(SYSTEM_DIRECTORY);
    Path file = directory.resolve(GROUP_LIST);
    List<Group> groups = new ArrayList<>();
    List<String> lines;
    try {
      lines = access.call(file, () -> Files.readAllLines(file, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      UnavailableException unread =
          new UnavailableException(LIST_UNREAD, file, IoReasons.of(file, e), e);
      if (!(e instanceof NoSuchFileException)
          || Files.isSymbolicLink(file)
          || Files.isSymbolicLink(directory)) {
        throw unread;
      }
      problems.accept(String.valueOf(unread.getMessage()));
      return groups;
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty()) {
        continue;
      }
      String[] words = line.split("\\s+");
      if (words.length == 2 && isName(words[0]) && isName(words[1])) {
        groups.add(new Group(words[0], words[1]));
      } else {
        problems.accept(
            "group list has an invalid line: file="
                + file
                + ", line="
                + (i + 1)
                + ", found "
                + line
                + ", expected SYSTEM GROUP");
      }
    }
    return groups;
  }

  private static boolean isName(String word) {
    return word.indexOf('/') < 0
        && word.indexOf('\0') < 0
        && !word.equals(".")
        && !word.equals("..");
  }

  /**
   * Returns the groups of one system, as {@link #groups()} has them. Lists only its directory. If
   * it is not known whether this exists, there are none.
   *
   * @throws UnavailableException if the directory exists and cannot be listed
   */
  public Set<Group> groupsOf(String system) throws UnavailableException {
    Path directory = root.resolve(system);
    try {
      if (!isThere(directory)) {
        return Set.of();
      }
    } catch (UnavailableException e) {
      return Set.of();
    }
    Set<Group> groups = groupsOf(directory);
    if (groups.isEmpty()) {
      // The volume of the directory may not be mounted.
      listedGroups(problem -> {}).stream()
          .filter(group -> group.system().equals(system))
          .forEach(groups::add);
    }
    return groups;
  }

  private SortedSet<Group> groupsOf(Path directory) throws UnavailableException {
    String system = fileName(directory);
    SortedSet<Group> groups = new TreeSet<>();
    for (Path file : list(directory, "directory cannot be read: system=" + system)) {
      PairName name = PairName.ofFile(fileName(file));
      if (name != null) {
        groups.add(new Group(system, name.group()));
      }
    }
    return groups;
  }

  private boolean isDirectory(Path path) throws UnavailableException {
    try {
      return access.call(
          path, () -> Files.readAttributes(path, BasicFileAttributes.class).isDirectory());
    } catch (IOException e) {
      if (e instanceof NoSuchFileException && !Files.isSymbolicLink(path)) {
        // The directory was removed after the root was listed.
        return false;
      }
      throw new UnavailableException(
          "directory cannot be read: system=" + fileName(path), path, IoReasons.of(path, e), e);
    }
  }

  /** Returns pairs as {@link #pairs(Group, Consumer)} does, without reports of problems. */
  public List<Pair> pairs(Group group) throws UnavailableException {
    return pairs(group, problem -> {});
  }

  /**
   * Returns the pairs of a group in log order. Lists the directory at each call. A pair exists if
   * one of its two files exists, even as a link without a target.
   *
   * @param problems receives a line about each pair whose stamp is not a valid time; such a pair
   *     has no place in log order, and is excluded
   * @throws UnavailableException if the group's directory exists but cannot be listed
   */
  public List<Pair> pairs(Group group, Consumer<String> problems) throws UnavailableException {
    return pairs(group, listing(group), problems);
  }

  /**
   * Returns pairs as {@link #pairs(Group, Consumer)} does, but fails if a group that must have
   * pairs has none. Then its volume is not mounted. A group of KEKBLog.list must have pairs if its
   * directory is missing or has no pair of any group. If its directory has pairs of other groups
   * only, the group was never recorded.
   *
   * @param known whether another source, such as its blocks, shows that the group has pairs
   * @throws UnavailableException if the group's directory cannot be listed, the group's volume is
   *     not mounted, or KEKBLog.list is needed and cannot be read
   */
  public List<Pair> pairsOfKnown(Group group, boolean known, Consumer<String> problems)
      throws UnavailableException {
    Listing listing = listing(group);
    boolean isAway =
        listing.ofGroup.isEmpty()
            && (known || !listing.hasPairs && listedGroups(problem -> {}).contains(group));
    if (isAway) {
      throw new UnavailableException(
          "group is away: group=" + group,
          root.resolve(group.system()),
          "the archive has no pair of it; mount its volume",
          null);
    }
    return pairs(group, listing, problems);
  }

  /**
   * The pairs of a group's directory.
   *
   * @param ofGroup the names of the group's pairs
   * @param hasPairs whether the directory has a pair of any group
   */
  private record Listing(SortedSet<PairName> ofGroup, boolean hasPairs) {}

  /** Lists a group's directory; without a pair if the directory does not exist. */
  private Listing listing(Group group) throws UnavailableException {
    Path directory = root.resolve(group.system());
    SortedSet<PairName> names = new TreeSet<>();
    if (!isThere(directory)) {
      requireAvailable();
      return new Listing(names, false);
    }
    boolean isOfList = group.system().equals(SYSTEM_DIRECTORY);
    String what = isOfList ? LIST_UNREAD : "group is unavailable: group=" + group;
    boolean hasPairs = false;
    String prefix = group.name() + "_";
    for (Path file : list(directory, what)) {
      String fileName = fileName(file);
      // The directory may have files of thousands of other groups.
      if (!hasPairs || fileName.startsWith(prefix)) {
        PairName name = PairName.ofFile(fileName);
        hasPairs |= name != null;
        if (name != null && name.group().equals(group.name())) {
          names.add(name);
        }
      }
    }
    return new Listing(names, hasPairs);
  }

  private List<Pair> pairs(Group group, Listing listing, Consumer<String> problems) {
    List<PairName> placed = placed(listing.ofGroup, group, root.resolve(group.system()), problems);
    return Pair.of(files, group, placed);
  }

  private boolean isThere(Path directory) throws UnavailableException {
    try {
      return access.isBlocking()
          ? exists(directory)
          : access.call(directory, () -> exists(directory));
    } catch (IOException e) {
      throw new UnavailableException(
          "archive is unavailable: root=" + root, directory, IoReasons.of(directory, e), e);
    }
  }

  /** Returns whether a name exists. Other errors than a missing name are thrown. */
  private static boolean exists(Path directory) throws IOException {
    try {
      Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Returns a group's pairs by their stamps, which another source such as a block contains. The
   * archive is not read.
   *
   * @param stamps all stamps of the group
   * @throws DateTimeException if a stamp is not a valid time
   */
  public List<Pair> pairs(Group group, SortedSet<String> stamps) {
    return Pair.of(
        files, group, stamps.stream().map(stamp -> new PairName(group.name(), stamp)).toList());
  }

  /** Returns the pair of a stamp, as if the group had no other. The archive is not read. */
  public Pair pair(Group group, String stamp) {
    return pairs(group, new TreeSet<>(Set.of(stamp))).get(0);
  }

  private static List<PairName> placed(
      SortedSet<PairName> names, Group group, Path directory, Consumer<String> problems) {
    List<PairName> placed = new ArrayList<>(names.size());
    for (PairName name : names) {
      if (name.hasTime()) {
        placed.add(name);
      } else {
        problems.accept(
            "pair has an invalid time in its name: group="
                + group
                + ", file="
                + directory.resolve(name.logFile())
                + ", found "
                + name.stamp()
                + ", expected yyyymmddhhmmss; name both files after the local time of its begin");
      }
    }
    return placed;
  }

  private List<Path> list(Path directory, String what) throws UnavailableException {
    try {
      return access.isBlocking() ? list(directory) : access.call(directory, () -> list(directory));
    } catch (IOException e) {
      throw new UnavailableException(what, directory, IoReasons.of(directory, e), e);
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      for (Path file : stream) {
        files.add(file);
      }
      return files;
    } catch (DirectoryIteratorException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  private static String fileName(Path file) {
    return String.valueOf(file.getFileName());
  }
}
