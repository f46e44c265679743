package org.kblake.core.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/**
 * Tells whose files have changed, where they lie on a local disk and the system says so (on Linux
 * by inotify). It may miss changes: links are retargeted, disks are mounted over others, and there
 * are only so many events and directories that the system keeps in mind. So whoever must not miss
 * one looks at the files now and then all the same. For one thread.
 */
public final class ArchiveWatch implements Closeable {

  private static final WatchEvent.Kind<?>[] KINDS = {
    StandardWatchEventKinds.ENTRY_CREATE,
    StandardWatchEventKinds.ENTRY_MODIFY,
    StandardWatchEventKinds.ENTRY_DELETE
  };

  private final Archive archive;
  private final Listener listener;
  private final WatchService service;
  private final Map<Path, Place> places = new HashMap<>();

  /** Directories whose files may have changed before they were watched. */
  private final Set<Path> unseen = new HashSet<>();

  /** Keys whose events were taken; what happens until they are reset comes as one event of each. */
  private final List<WatchKey> taken = new ArrayList<>();

  /** What of a group has changed. */
  public enum Change {
    /** A log has grown, and nothing else: no milestone was written. */
    LOG,
    /** An index, or which files there are, or nobody knows. */
    PAIR
  }

  /** Hears how far one can rely on it. */
  public interface Listener {
    /** What happens in a directory is told from now on. */
    void watched(Path directory);

    /** What happens in a directory is not told, or not any more. */
    void blind(Path directory, String reason);

    /** More has happened in a directory than the system kept in mind: all its groups may have. */
    void lost(Path directory);
  }

  /** A directory that is watched, and whose files lie there. */
  private static final class Place {
    final WatchKey key;
    final @Nullable Object fileKey;

    /** Systems whose directory it is. */
    Set<String> systems = Set.of();

    /** Groups by the names of files that links lead to. */
    Map<String, Group> linked = Map.of();

    Place(WatchKey key, @Nullable Object fileKey) {
      this.key = key;
      this.fileKey = fileKey;
    }
  }

  /** A directory that is to be watched. */
  private static final class Wanted {
    final Set<String> systems = new HashSet<>();
    final Map<String, Group> linked = new HashMap<>();
  }

  private ArchiveWatch(Archive archive, Listener listener, WatchService service) {
    this.archive = archive;
    this.listener = listener;
    this.service = service;
  }

  /**
   * Begins; nothing is watched yet.
   *
   * @throws IOException if the system has no more watches to give
   * @throws UnsupportedOperationException if the archive's file system never tells of changes
   */
  public static ArchiveWatch open(Archive archive, Listener listener) throws IOException {
    return new ArchiveWatch(archive, listener, archive.root().getFileSystem().newWatchService());
  }

  /**
   * Watches the directories of some groups, and those to which links of pairs lead, as far as they
   * are on local disks; no others any more. To be called again now and then: directories and links
   * change.
   *
   * @param pairs that may still change
   */
  public void watch(Collection<Group> groups, Collection<Pair> pairs) {
    Map<Path, Wanted> wanted = new TreeMap<>();
    Set<String> systems = new HashSet<>();
    groups.forEach(group -> systems.add(group.system()));
    for (String system : systems) {
      Path directory = local(archive.root().resolve(system));
      if (directory != null) {
        wanted.computeIfAbsent(directory, added -> new Wanted()).systems.add(system);
      }
    }
    for (Pair pair : pairs) {
      for (Path file : List.of(pair.indexPath(), pair.logPath())) {
        Path target = Files.isSymbolicLink(file) ? local(file) : null;
        Path directory = target == null ? null : target.getParent();
        if (target != null && directory != null) {
          wanted
              .computeIfAbsent(directory, added -> new Wanted())
              .linked
              .put(String.valueOf(target.getFileName()), pair.group());
        }
      }
    }
    for (Path directory : List.copyOf(places.keySet())) {
      if (!wanted.containsKey(directory)) {
        forget(directory);
        if (!Files.exists(directory)) {
          listener.blind(directory, "it is gone");
        }
      }
    }
    wanted.forEach(this::watch);
  }

  /** Where a file or directory really is; null if it is not on a local disk, or nowhere. */
  private @Nullable Path local(Path path) {
    try {
      Path real = path.toRealPath();
      return archive.localDisks().isLocal(real) ? real : null;
    } catch (IOException e) {
      // Who follows the group tells of it.
      return null;
    }
  }

  private void forget(Path directory) {
    Place place = places.remove(directory);
    if (place != null) {
      place.key.cancel();
    }
  }

  private void watch(Path directory, Wanted wanted) {
    try {
      Object fileKey = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
      Place place = places.get(directory);
      if (place != null && !Objects.equals(place.fileKey, fileKey)) {
        // Another directory by now, as where a disk was mounted.
        forget(directory);
        place = null;
      }
      if (place == null) {
        place = new Place(directory.register(service, KINDS), fileKey);
        places.put(directory, place);
        listener.watched(directory);
        unseen.add(directory);
      }
      if (!place.systems.equals(wanted.systems) || !place.linked.equals(wanted.linked)) {
        unseen.add(directory);
      }
      place.systems = wanted.systems;
      place.linked = wanted.linked;
    } catch (IOException e) {
      listener.blind(directory, IoReasons.of(directory, e));
    }
  }

  /**
   * Waits for changes. What happens between two calls comes at the second one, as one change of
   * each group: who pauses in between is not told of each event. What lies in a directory that is
   * watched since a moment ago may have changed before, so it comes as changed.
   *
   * @param nanos how long to wait at most
   * @return what has changed; empty if nothing did
   */
  public Map<Group, Change> await(long nanos) throws InterruptedException {
    resetTaken();
    Map<Group, Change> changes = new TreeMap<>();
    for (Path directory : unseen) {
      Place place = places.get(directory);
      if (place != null) {
        all(directory, place, changes);
      }
    }
    unseen.clear();
    try {
      WatchKey key =
          changes.isEmpty()
              ? service.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS)
              : service.poll();
      while (key != null) {
        taken.add(key);
        add(key, changes);
        key = service.poll();
      }
    } catch (ClosedWatchServiceException e) {
      throw new InterruptedException("watching has ended");
    }
    return changes;
  }

  private void resetTaken() {
    for (WatchKey key : taken) {
      if (!key.reset()) {
        Path directory = (Path) key.watchable();
        Place place = places.get(directory);
        if (place != null && place.key.equals(key)) {
          places.remove(directory);
          listener.blind(directory, "it is gone");
        }
      }
    }
    taken.clear();
  }

  private void add(WatchKey key, Map<Group, Change> changes) {
    Path directory = (Path) key.watchable();
    Place place = places.get(directory);
    for (WatchEvent<?> event : key.pollEvents()) {
      if (place == null) {
        continue;
      }
      if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
        listener.lost(directory);
        all(directory, place, changes);
      } else {
        add(place, event, changes);
      }
    }
  }

  private static void add(Place place, WatchEvent<?> event, Map<Group, Change> changes) {
    String file = String.valueOf(event.context());
    boolean modified = event.kind().equals(StandardWatchEventKinds.ENTRY_MODIFY);
    Group linked = place.linked.get(file);
    PairName name = PairName.ofFile(file);
    // A link may lead to a log of any name: nobody knows then which of the two it is.
    Change change =
        modified && name != null && file.equals(name.logFile()) ? Change.LOG : Change.PAIR;
    if (linked != null) {
      changes.merge(linked, change, ArchiveWatch::larger);
    }
    if (name != null) {
      for (String system : place.systems) {
        changes.merge(new Group(system, name.group()), change, ArchiveWatch::larger);
      }
    }
  }

  /** Groups that have files in a directory, as far as there is one to list. */
  private static void all(Path directory, Place place, Map<Group, Change> changes) {
    place.linked.values().forEach(group -> changes.put(group, Change.PAIR));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        PairName name = PairName.ofFile(String.valueOf(file.getFileName()));
        if (name != null) {
          place.systems.forEach(
              system -> changes.put(new Group(system, name.group()), Change.PAIR));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Gone, or out of reach: the next look at the files finds what there is.
    }
  }

  private static Change larger(Change one, Change other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Watches nothing any more. */
  @Override
  public void close() throws IOException {
    service.close();
  }
}
