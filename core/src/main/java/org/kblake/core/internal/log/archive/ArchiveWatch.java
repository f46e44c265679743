package org.kblake.core.internal.log.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.IoReasons;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/**
 * Reports groups whose files have changed, on local disks whose changes the operating system
 * reports (on Linux by inotify). Changes may be missed: links are retargeted, disks are mounted
 * over directories, and the system limits the number of watched directories. A caller that must not
 * miss a change checks the files at an interval, too. For one thread.
 *
 * <p>After a directory has reported a change it pauses: it reports nothing for some time. Then all
 * of its groups count as changed. The reason is that a log may be written thousands of times per
 * second. Processing each of these reports would take more time than encoding the events as
 * columns.
 */
public final class ArchiveWatch implements Closeable {

  private static final WatchEvent.Kind<?>[] KINDS = {
    StandardWatchEventKinds.ENTRY_CREATE,
    StandardWatchEventKinds.ENTRY_MODIFY,
    StandardWatchEventKinds.ENTRY_DELETE
  };

  private static final String GONE = "it is gone";

  private final Archive archive;
  private final long pauseNanos;
  private final Listener listener;
  private final WatchService service;
  private final Map<Path, Place> places = new HashMap<>();

  /** Receives the directories that are watched, and those that cannot be. */
  public interface Listener {
    /** Changes in a directory are reported from now on. */
    void watched(Path directory);

    /** Changes in a directory are not reported, or no longer. */
    void unwatched(Path directory, String reason);
  }

  /** A directory that is watched or pauses, and its contents. */
  private static final class Place {
    final @Nullable Object fileKey;

    /** Null while the directory pauses. */
    @Nullable WatchKey key;

    /** Whether the directory was watched before. */
    boolean known;

    /** The end of the pause, on the clock of {@link System#nanoTime}. */
    long pausedUntilNanos = System.nanoTime();

    Contents contents = new Contents();

    Place(@Nullable Object fileKey) {
      this.fileKey = fileKey;
    }

    /** Stops watching the directory for some time. */
    void pause(long nanos) {
      WatchKey watched = key;
      if (watched != null) {
        watched.cancel();
        key = null;
      }
      pausedUntilNanos = System.nanoTime() + nanos;
    }
  }

  /** The contents of a directory. */
  private static final class Contents {
    /** The systems whose directory it is. */
    final Set<String> systems = new HashSet<>();

    /** The groups of pairs whose links lead to files of the directory, by file name. */
    final Map<String, Group> linked = new HashMap<>();

    /** All groups with files in the directory. */
    final Set<Group> groups = new HashSet<>();
  }

  private ArchiveWatch(Archive archive, long pauseNanos, Listener listener, WatchService service) {
    this.archive = archive;
    this.pauseNanos = pauseNanos;
    this.listener = listener;
    this.service = service;
  }

  /**
   * Opens a watch of no directories.
   *
   * @param pause the pause of a directory after it has reported a change
   * @throws IOException if the system's limit of watches is reached
   * @throws UnsupportedOperationException if the archive's file system does not report changes
   */
  public static ArchiveWatch open(Archive archive, Duration pause, Listener listener)
      throws IOException {
    try {
      return new ArchiveWatch(
          archive, pause.toNanos(), listener, archive.root().getFileSystem().newWatchService());
    } catch (IOException e) {
      throw new IOException(
          e.getMessage() + "; raise fs.inotify.max_user_instances, or the limit of open files", e);
    }
  }

  /**
   * Watches the directories of some groups, and those to which links of pairs lead, if they are on
   * local disks. Other directories are not watched any more. Call it again at an interval, because
   * directories and links change.
   *
   * @param pairs the pairs that may still change
   */
  public void watch(Collection<Group> groups, Collection<Pair> pairs) {
    Map<Path, Contents> wanted = new TreeMap<>();
    Map<String, List<Group>> systems =
        groups.stream().collect(Collectors.groupingBy(Group::system));
    systems.forEach(
        (system, members) -> {
          Path directory = local(archive.root().resolve(system));
          if (directory != null) {
            Contents contents = wanted.computeIfAbsent(directory, added -> new Contents());
            contents.systems.add(system);
            contents.groups.addAll(members);
          }
        });
    for (Pair pair : pairs) {
      for (Path file : List.of(pair.indexPath(), pair.logPath())) {
        Path target = Files.isSymbolicLink(file) ? local(file) : null;
        Path directory = target == null ? null : target.getParent();
        if (target != null && directory != null) {
          Contents contents = wanted.computeIfAbsent(directory, added -> new Contents());
          contents.linked.put(String.valueOf(target.getFileName()), pair.group());
          contents.groups.add(pair.group());
        }
      }
    }
    for (Path directory : List.copyOf(places.keySet())) {
      if (!wanted.containsKey(directory)) {
        remove(directory);
        if (!Files.exists(directory)) {
          listener.unwatched(directory, GONE);
        }
      }
    }
    wanted.forEach(this::watch);
  }

  /**
   * Returns the real path of a file or directory, or null if it is not on a local disk or cannot be
   * resolved.
   */
  private @Nullable Path local(Path path) {
    try {
      Path real = path.toRealPath();
      return archive.localDisks().isLocal(real) ? real : null;
    } catch (IOException e) {
      // The follower of the group reports the error when it lists the directory.
      return null;
    }
  }

  private void remove(Path directory) {
    Place place = places.remove(directory);
    if (place != null) {
      place.pause(0);
    }
  }

  private void watch(Path directory, Contents wanted) {
    try {
      Object fileKey = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
      Place place = places.get(directory);
      if (place != null && !Objects.equals(place.fileKey, fileKey)) {
        // The path leads to another directory now, for example after a mount.
        remove(directory);
        place = null;
      }
      if (place == null) {
        place = new Place(fileKey);
        places.put(directory, place);
      } else if (!place.contents.groups.containsAll(wanted.groups)
          || !place.contents.linked.equals(wanted.linked)) {
        place.pause(0);
      }
      place.contents = wanted;
    } catch (IOException e) {
      listener.unwatched(directory, reason(directory, e));
    }
  }

  private static String reason(Path directory, IOException e) {
    if (!Files.exists(directory)) {
      return GONE;
    }
    return String.valueOf(e.getMessage()).contains("inotify watches")
        ? e.getMessage() + "; raise fs.inotify.max_user_watches"
        : IoReasons.of(directory, e);
  }

  /**
   * Waits for changes. Changes during a pause of a directory are reported after it, as a change of
   * all its groups.
   *
   * @param nanos the longest wait
   * @return the groups whose files have changed or may have changed; empty if there are none
   */
  public Set<Group> await(long nanos) throws InterruptedException {
    long endNanos = System.nanoTime() + Math.max(0, nanos);
    Set<Group> changed = new TreeSet<>();
    try {
      while (true) {
        resumePaused(changed);
        long waitNanos = changed.isEmpty() ? untilNextNanos(endNanos) : 0;
        WatchKey key = service.poll(waitNanos, TimeUnit.NANOSECONDS);
        while (key != null) {
          add(key, changed);
          key = service.poll();
        }
        if (!changed.isEmpty() || endNanos - System.nanoTime() <= 0) {
          return changed;
        }
      }
    } catch (ClosedWatchServiceException e) {
      throw new InterruptedException("watching has ended");
    }
  }

  /** Returns the time until the end of the wait or the end of the next pause. */
  private long untilNextNanos(long endNanos) {
    long now = System.nanoTime();
    long wait = endNanos - now;
    for (Place place : places.values()) {
      if (place.key == null) {
        wait = Math.min(wait, place.pausedUntilNanos - now);
      }
    }
    return Math.max(0, wait);
  }

  /** Watches directories again whose pause has ended. Their groups count as changed. */
  private void resumePaused(Set<Group> changed) {
    long now = System.nanoTime();
    for (Map.Entry<Path, Place> each : List.copyOf(places.entrySet())) {
      Path directory = each.getKey();
      Place place = each.getValue();
      if (place.key == null && now - place.pausedUntilNanos >= 0) {
        try {
          place.key = directory.register(service, KINDS);
          changed.addAll(place.contents.groups);
          if (!place.known) {
            place.known = true;
            listener.watched(directory);
          }
        } catch (IOException e) {
          places.remove(directory);
          listener.unwatched(directory, reason(directory, e));
        }
      }
    }
  }

  private void add(WatchKey key, Set<Group> changed) {
    Path directory = (Path) key.watchable();
    Place place = places.get(directory);
    if (place == null || !key.equals(place.key)) {
      // The directory pauses. The report was queued before the pause.
      return;
    }
    for (WatchEvent<?> event : key.pollEvents()) {
      if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
        changed.addAll(place.contents.groups);
      } else {
        add(place.contents, String.valueOf(event.context()), changed);
      }
    }
    if (key.isValid()) {
      place.pause(pauseNanos);
    } else {
      places.remove(directory);
      listener.unwatched(directory, GONE);
    }
  }

  private static void add(Contents contents, String file, Set<Group> changed) {
    Group linked = contents.linked.get(file);
    if (linked != null) {
      changed.add(linked);
    }
    PairName name = PairName.ofFile(file);
    if (name != null) {
      contents.systems.forEach(system -> changed.add(new Group(system, name.group())));
    }
  }

  /** Stops watching all directories. */
  @Override
  public void close() throws IOException {
    service.close();
  }
}
