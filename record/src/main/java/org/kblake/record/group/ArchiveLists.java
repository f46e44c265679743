package org.kblake.record.group;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.model.Group;
import org.kblake.record.log.LogFiles;

/** The lists of an archive that readers see: {@code KEKBLog.list} and the LCF of each group. */
public final class ArchiveLists {

  /** The system of groups that a recorder records by itself. */
  public static final String LEDGERS = "Kblake";

  private final Path directory;

  /**
   * @param root the archive's root
   */
  public ArchiveLists(Path root) {
    directory = root.resolve("SYS");
  }

  /**
   * Returns the groups of {@code KEKBLog.list} that have an LCF and are no ledgers, in the order of
   * the list.
   *
   * @throws IOException if there is a list that cannot be read
   */
  public List<Group> groups() throws IOException {
    return listed().stream().filter(group -> isThere(lcf(group))).toList();
  }

  /**
   * Returns the groups of {@code KEKBLog.list} that are no ledgers, in the order of the list.
   *
   * @throws IOException if there is a list that cannot be read
   */
  public List<Group> listed() throws IOException {
    Path list = directory.resolve("KEKBLog.list");
    Set<Group> groups = new LinkedHashSet<>();
    if (!isThere(list)) {
      return List.of();
    }
    for (String line : Files.readAllLines(list, StandardCharsets.ISO_8859_1)) {
      String[] words = line.strip().split("\\s+");
      try {
        Group group = Group.parse(String.join("/", words));
        if (!group.system().equals(LEDGERS)) {
          groups.add(group);
        }
      } catch (IllegalArgumentException e) {
        // Readers report such a line.
      }
    }
    return List.copyOf(groups);
  }

  /**
   * Returns whether a file is there, readable or not: a link to a volume that is away is, and what
   * a directory has that denies the look may be.
   */
  private static boolean isThere(Path file) {
    return !Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the file with the names of a group's records. */
  public Path lcf(Group group) {
    return directory.resolve("LCF").resolve(group.name() + ".lcf");
  }

  /**
   * Adds a group to the list of groups, and writes its LCF if it differs. Systems share LCFs, and
   * other programs read their names from them: one that was not written for this group stays.
   *
   * @param inputs the files that names are read from, which are never written
   * @return whether the LCF has the names
   */
  boolean keep(Group group, List<String> names, Collection<Path> inputs) throws IOException {
    Path lcf = lcf(group);
    Path lcfs = directory.resolve("LCF");
    if (!Files.isDirectory(lcfs)) {
      Files.createDirectory(lcfs); // without parents: SYS is missing if the volume is away
    }
    boolean isKept = isThere(lcf) && RecordList.read(lcf).names().equals(names);
    if (!isKept && isOwn(group, inputs)) {
      replace(written(group), names);
      replace(lcf, names);
      isKept = true;
    }
    keepInList(group);
    return isKept;
  }

  /** Returns whether an LCF may be replaced: it does not exist, or is as it was written. */
  private boolean isOwn(Group group, Collection<Path> inputs) throws IOException {
    Path lcf = lcf(group);
    if (!isThere(lcf)) {
      return true;
    }
    for (Path input : inputs) {
      if (Files.exists(input) && Files.isSameFile(lcf, input)) {
        return false;
      }
    }
    return isThere(written(group)) && Files.mismatch(lcf, written(group)) < 0;
  }

  /** Returns the copy of what was written into the LCF for a group. */
  private Path written(Group group) {
    Path lcf = lcf(group);
    return lcf.resolveSibling("." + group.system() + "." + lcf.getFileName() + ".kblake");
  }

  private static void replace(Path file, List<String> lines) throws IOException {
    Path next = file.resolveSibling("." + file.getFileName() + ".new");
    Files.write(next, lines, StandardCharsets.ISO_8859_1);
    sync(next);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    LogFiles.DISK.force(file.resolveSibling(""));
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      channel.force(true);
    }
  }

  /**
   * Adds a group to the list of groups. Appends a line, because other recorders may do the same at
   * the same time.
   */
  public void keepInList(Group group) throws IOException {
    Path list = directory.resolve("KEKBLog.list");
    String text = isThere(list) ? Files.readString(list, StandardCharsets.ISO_8859_1) : "";
    String line = group.system() + " " + group.name();
    if (text.lines().noneMatch(other -> other.strip().replaceAll("\\s+", " ").equals(line))) {
      String before = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
      Files.writeString(list, before + line + "\n", StandardCharsets.ISO_8859_1, CREATE, APPEND);
      sync(list);
      LogFiles.DISK.force(directory);
    }
  }
}
