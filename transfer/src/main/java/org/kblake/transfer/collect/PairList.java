package org.kblake.transfer.collect;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;

/**
 * The pairs below a root. A directory is listed again if its time has changed, and each second,
 * since its time may be too coarse. Thread safe.
 */
public final class PairList {

  private static final long LIST_NANOS = 1_000_000_000;

  /** The time of a directory is exact to a tick of the kernel. */
  private static final long TICK_NANOS = 50_000_000;

  private final Path root;
  private final Map<String, Directory> systems = new TreeMap<>();
  private long listedNanos = System.nanoTime() - LIST_NANOS;
  private @Nullable FileTime rootTime;

  /** A directory as it was last listed. */
  private record Directory(
      @Nullable FileTime time, long listedNanos, Map<Group, TreeSet<Long>> pairs) {}

  public PairList(Path root) {
    this.root = root;
  }

  /** Returns the directory of the files of a group. */
  public Path directory(Group group) {
    return root.resolve(group.system());
  }

  /** Returns the groups of all directories, as they were last listed. */
  public synchronized Set<Group> groups() {
    Set<Group> groups = new TreeSet<>();
    systems.values().forEach(each -> groups.addAll(each.pairs().keySet()));
    return groups;
  }

  /** Returns the first pair of a group behind a stamp; null if there is none. */
  public synchronized @Nullable Long after(Group group, long stamp) {
    Directory directory = systems.get(group.system());
    TreeSet<Long> stamps = directory == null ? null : directory.pairs().get(group);
    return stamps == null ? null : stamps.higher(stamp);
  }

  /**
   * Looks at the directories.
   *
   * @return whether one was listed
   * @throws IOException if one cannot be read
   */
  public synchronized boolean look() throws IOException {
    long now = System.nanoTime();
    FileTime time = time(root);
    if (now - listedNanos >= LIST_NANOS || !time.equals(rootTime)) {
      Collection<String> names = names(root);
      systems.keySet().retainAll(names);
      names.forEach(name -> systems.putIfAbsent(name, new Directory(null, now, Map.of())));
      rootTime = time;
      listedNanos = now;
    }
    boolean listed = false;
    for (Map.Entry<String, Directory> each : systems.entrySet()) {
      Directory next = look(each.getKey(), each.getValue(), now);
      listed |= next != each.getValue();
      each.setValue(next);
    }
    return listed;
  }

  private Directory look(String system, Directory before, long now) throws IOException {
    Path path = root.resolve(system);
    try {
      if (!TransferNames.isDirectory(path)) {
        return before.pairs().isEmpty() ? before : new Directory(null, now, Map.of());
      }
      FileTime time = time(path);
      if (now - before.listedNanos() < LIST_NANOS && time.equals(before.time())) {
        return before;
      }
      boolean settled = Instant.now().minusNanos(TICK_NANOS).isAfter(time.toInstant());
      return new Directory(settled ? time : null, now, pairs(system, path));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new Directory(null, now, Map.of());
    }
  }

  private static FileTime time(Path path) throws IOException {
    return Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static Map<Group, TreeSet<Long>> pairs(String system, Path path) throws IOException {
    Map<Group, TreeSet<Long>> pairs = new HashMap<>();
    for (String file : names(path)) {
      PairName name = PairName.ofFile(file);
      Group group = name == null ? null : TransferNames.group(system, name.group());
      Long stamp = name == null ? null : TransferNames.stamp(name);
      if (group != null && stamp != null) {
        pairs.computeIfAbsent(group, key -> new TreeSet<>()).add(stamp);
      }
    }
    return pairs;
  }

  private static List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
      paths.forEach(each -> names.add(each.getFileName().toString()));
    }
    return names;
  }
}
