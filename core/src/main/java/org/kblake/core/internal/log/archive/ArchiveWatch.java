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
import org.kblake.core.internal.log.pair.PairName;
import org.kblake.core.model.Group;

/**
 * Tells whose files have changed, where they lie on a local disk and the system says so (on Linux
 * by inotify). It may miss changes: links are retargeted, disks are mounted over others, and there
 * are only so many directories that the system keeps in mind. So whoever must not miss one looks at
 * the files now and then all the same. For one thread.
 *
 * <p>A directory that has reported a change rests: nothing is reported of it for a while, then all
 * of its groups may have changed. A log may be written to thousands of times a second, and to hear
 * of each would cost more than to put it into columns.
 */
public final class ArchiveWatch implements Closeable {

  private static final WatchEvent.Kind<?>[] KINDS = {
    StandardWatchEventKinds.ENTRY_CREATE,
    StandardWatchEventKinds.ENTRY_MODIFY,
    StandardWatchEventKinds.ENTRY_DELETE
  };

  private static final String GONE = "it is gone";

  private final Archive archive;
  private final long restNanos;
  private final Listener listener;
  private final WatchService service;
  private final Map<Path, Place> places = new HashMap<>();

  /** Hears how far one can rely on it. */
  public interface Listener {
    /** Changes in a directory are reported from now on. */
    void watched(Path directory);

    /** Changes in a directory are not reported, or not any more. */
    void blind(Path directory, String reason);
  }

  /** A directory that is watched, or rests, and whose files lie there. */
  private static final class Place {
    final @Nullable Object fileKey;

    /** Null while it rests. */
    @Nullable WatchKey key;

    /** Whether it was ever watched. */
    boolean known;

    /** When it is watched again, as {@link System#nanoTime} counts. */
    long restsUntilNanos = System.nanoTime();

    Contents contents = new Contents();

    Place(@Nullable Object fileKey) {
      this.fileKey = fileKey;
    }

    /** Nothing is reported of it until it is time again. */
    void rest(long nanos) {
      WatchKey watched = key;
      if (watched != null) {
        watched.cancel();
        key = null;
      }
      restsUntilNanos = System.nanoTime() + nanos;
    }
  }

  /** What lies in a directory. */
  private static final class Contents {
    /** Systems whose directory it is. */
    final Set<String> systems = new HashSet<>();

    /** Groups by the names of files that links lead to. */
    final Map<String, Group> linked = new HashMap<>();

    /** All of them. */
    final Set<Group> groups = new HashSet<>();
  }

  private ArchiveWatch(Archive archive, long restNanos, Listener listener, WatchService service) {
    this.archive = archive;
    this.restNanos = restNanos;
    this.listener = listener;
    this.service = service;
  }

  /**
   * Begins; nothing is watched yet.
   *
   * @param rest how long nothing is reported of a directory that has reported a change
   * @throws IOException if the system has no more watches to give
   * @throws UnsupportedOperationException if the archive's file system does not report changes
   */
  public static ArchiveWatch open(Archive archive, Duration rest, Listener listener)
      throws IOException {
    try {
      return new ArchiveWatch(
          archive, rest.toNanos(), listener, archive.root().getFileSystem().newWatchService());
    } catch (IOException e) {
      throw new IOException(
          e.getMessage() + "; raise fs.inotify.max_user_instances, or the limit of open files", e);
    }
  }

  /**
   * Watches the directories of some groups, and those to which links of pairs lead, as far as they
   * are on local disks; no others any more. To be called again now and then: directories and links
   * change.
   *
   * @param pairs that may still change
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
        forget(directory);
        if (!Files.exists(directory)) {
          listener.blind(directory, GONE);
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
      // The follower of the group reports it.
      return null;
    }
  }

  private void forget(Path directory) {
    Place place = places.remove(directory);
    if (place != null) {
      place.rest(0);
    }
  }

  private void watch(Path directory, Contents wanted) {
    try {
      Object fileKey = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
      Place place = places.get(directory);
      if (place != null && !Objects.equals(place.fileKey, fileKey)) {
        // Another directory by now, as where a disk was mounted.
        forget(directory);
        place = null;
      }
      if (place == null) {
        place = new Place(fileKey);
        places.put(directory, place);
      } else if (!place.contents.groups.containsAll(wanted.groups)
          || !place.contents.linked.equals(wanted.linked)) {
        place.rest(0);
      }
      place.contents = wanted;
    } catch (IOException e) {
      listener.blind(directory, reason(directory, e));
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
   * Waits for changes. What happens while a directory rests comes when it is watched again, as a
   * change of all its groups.
   *
   * @param nanos how long to wait at most
   * @return whose files have changed, or may have; empty if none has
   */
  public Set<Group> await(long nanos) throws InterruptedException {
    long endNanos = System.nanoTime() + Math.max(0, nanos);
    Set<Group> changed = new TreeSet<>();
    try {
      while (true) {
        wakeRested(changed);
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

  /** Until the time is over or a directory has rested. */
  private long untilNextNanos(long endNanos) {
    long now = System.nanoTime();
    long wait = endNanos - now;
    for (Place place : places.values()) {
      if (place.key == null) {
        wait = Math.min(wait, place.restsUntilNanos - now);
      }
    }
    return Math.max(0, wait);
  }

  /** Watches directories again that have rested; only then it is seen what is there by now. */
  private void wakeRested(Set<Group> changed) {
    long now = System.nanoTime();
    for (Map.Entry<Path, Place> each : List.copyOf(places.entrySet())) {
      Path directory = each.getKey();
      Place place = each.getValue();
      if (place.key == null && now - place.restsUntilNanos >= 0) {
        try {
          place.key = directory.register(service, KINDS);
          changed.addAll(place.contents.groups);
          if (!place.known) {
            place.known = true;
            listener.watched(directory);
          }
        } catch (IOException e) {
          places.remove(directory);
          listener.blind(directory, reason(directory, e));
        }
      }
    }
  }

  private void add(WatchKey key, Set<Group> changed) {
    Path directory = (Path) key.watchable();
    Place place = places.get(directory);
    if (place == null || !key.equals(place.key)) {
      // It rests, and what is reported was under way.
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
      place.rest(restNanos);
    } else {
      places.remove(directory);
      listener.blind(directory, GONE);
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

  /** Watches nothing any more. */
  @Override
  public void close() throws IOException {
    service.close();
  }
}
