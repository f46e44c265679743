package org.kblake.transfer.collect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;

/**
 * The pairs below a root. A directory is listed again if its time has changed, and each minute. One
 * thread looks, others read what was listed, without locks.
 */
final class PairList {

  private static final long LIST_NANOS = 60_000_000_000L;

  private static final long RETRY_NANOS = 1_000_000_000;

  /** The time of a directory is exact to a tick of the kernel. */
  private static final long TICK_NANOS = 50_000_000;

  /** Listings of a directory take at most this part of the time. */
  private static final int SHARE = 3;

  private static final int MAX_NOTES = 1_000;
  private static final long[] NONE = {};

  private final Path root;
  private final Consumer<String> notes;
  private final Set<String> noted = new HashSet<>();
  private final Map<String, Directory> systems = new TreeMap<>();
  private Directory top = Directory.NEW;
  private volatile SortedMap<Group, long[]> pairs = Collections.emptySortedMap();

  /**
   * A directory as it was last listed.
   *
   * @param time null if it may have been changed within the tick
   * @param dueNanos when it may be listed again
   * @param pairs the stamps of each group, sorted
   */
  private record Directory(
      @Nullable FileTime time, long listedNanos, long dueNanos, Map<Group, long[]> pairs) {

    static final Directory NEW = new Directory(null, 0, System.nanoTime(), Map.of());

    boolean isDue(FileTime now, long nanos) {
      return nanos - dueNanos >= 0 && (!now.equals(time) || nanos - listedNanos >= LIST_NANOS);
    }

    static Directory listed(FileTime time, long beginNanos, Map<Group, long[]> pairs) {
      long end = System.nanoTime();
      Instant begin = Instant.now().minusNanos(end - beginNanos);
      boolean settled = Duration.between(time.toInstant(), begin).abs().toNanos() > TICK_NANOS;
      long rest = Math.max(settled ? 0 : TICK_NANOS, SHARE * (end - beginNanos));
      return new Directory(settled ? time : null, beginNanos, end + rest, pairs);
    }
  }

  /**
   * @param notes gets a line, once, on each group or system whose name excludes it
   */
  PairList(Path root, Consumer<String> notes) {
    this.root = root;
    this.notes = notes;
  }

  /** Returns the directory of the files of a group. */
  Path directory(Group group) {
    return root.resolve(group.system());
  }

  /**
   * Returns the stamps of each group, sorted, as they were last listed: the same map while no pair
   * begins or goes, and the same array while none of its group does.
   */
  SortedMap<Group, long[]> pairs() {
    return pairs;
  }

  /** Returns the stamps of a group, sorted. */
  long[] pairs(Group group) {
    return pairs.getOrDefault(group, NONE);
  }

  /**
   * Looks at the directories.
   *
   * @return whether {@link #pairs} has changed
   * @throws IOException if the root cannot be read
   */
  @SuppressWarnings("ReferenceEquality") // unchanged pairs are the same object
  boolean look() throws IOException {
    boolean changed = lookAtRoot();
    for (Map.Entry<String, Directory> each : systems.entrySet()) {
      Directory next = look(each.getKey(), each.getValue());
      changed |= next.pairs() != each.getValue().pairs();
      each.setValue(next);
    }
    if (changed) {
      SortedMap<Group, long[]> all = new TreeMap<>();
      systems.values().forEach(each -> all.putAll(each.pairs()));
      pairs = Collections.unmodifiableSortedMap(all);
    }
    return changed;
  }

  private boolean lookAtRoot() throws IOException {
    long now = System.nanoTime();
    FileTime time = attributes(root).lastModifiedTime();
    if (!top.isDue(time, now)) {
      return false;
    }
    Set<String> names = new HashSet<>();
    TransferNames.list(root, names::add);
    names.removeIf(name -> name.startsWith(".") || name.toUpperCase(Locale.ROOT).equals("SYS"));
    boolean changed = systems.keySet().retainAll(names);
    names.forEach(name -> systems.putIfAbsent(name, Directory.NEW));
    top = Directory.listed(time, now, Map.of());
    return changed;
  }

  private Directory look(String system, Directory before) throws IOException {
    Path path = root.resolve(system);
    long now = System.nanoTime();
    try {
      BasicFileAttributes found = attributes(path);
      if (!found.isDirectory()) {
        if (found.isSymbolicLink()) {
          note("directory is not sent, because it is a link: " + path);
        }
        return before.pairs().isEmpty() ? before : Directory.NEW;
      }
      return before.isDue(found.lastModifiedTime(), now)
          ? Directory.listed(found.lastModifiedTime(), now, list(system, before))
          : before;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return before.pairs().isEmpty() ? before : Directory.NEW;
    } catch (IOException e) {
      note("directory cannot be listed: " + e);
      return new Directory(null, now, now + RETRY_NANOS, before.pairs());
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Lists a system. What did not change is that of before. */
  @SuppressWarnings("ReferenceEquality") // unchanged stamps are the same array
  private Map<Group, long[]> list(String system, Directory before) throws IOException {
    Map<String, Stamps> found = new HashMap<>();
    TransferNames.list(
        root.resolve(system),
        file -> {
          PairName name = PairName.ofFile(file);
          if (name != null) {
            found.computeIfAbsent(name.group(), group -> stamps(system, group, before)).add(name);
          }
        });
    Map<Group, long[]> pairs = new HashMap<>();
    found.values().forEach(each -> each.putTo(pairs));
    boolean same =
        pairs.size() == before.pairs().size()
            && pairs.entrySet().stream()
                .allMatch(each -> before.pairs().get(each.getKey()) == each.getValue());
    return same ? before.pairs() : pairs;
  }

  private Stamps stamps(String system, String name, Directory before) {
    Group group = TransferNames.group(system, name);
    if (group == null) {
      note("group is not sent, because of the letters in its name: " + system + "/" + name);
      return new Stamps(null, NONE);
    }
    return new Stamps(group, before.pairs().getOrDefault(group, NONE));
  }

  private void note(String line) {
    if (noted.size() < MAX_NOTES && noted.add(line)) {
      notes.accept(line);
    }
  }

  /** The stamps of a group that a listing finds. */
  private static final class Stamps {
    private final @Nullable Group group;
    private final long[] before;
    private long[] found;
    private int count;

    Stamps(@Nullable Group group, long[] before) {
      this.group = group;
      this.before = before;
      found = new long[2 * before.length + 2];
    }

    void add(PairName name) {
      if (group == null) {
        return;
      }
      long stamp = Long.parseLong(name.stamp());
      if (Arrays.binarySearch(before, stamp) < 0 && !name.hasTime()) {
        return;
      }
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = stamp;
    }

    void putTo(Map<Group, long[]> pairs) {
      if (group != null && count > 0) {
        Arrays.sort(found, 0, count);
        long[] stamps = LongStream.of(found).limit(count).distinct().toArray();
        pairs.put(group, Arrays.equals(stamps, before) ? before : stamps);
      }
    }
  }
}
