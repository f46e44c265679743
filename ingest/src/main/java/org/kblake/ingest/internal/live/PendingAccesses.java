package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/**
 * The accesses to an archive that are under way, with their begin. An access without an answer for
 * a long time shows an unresponsive volume, whichever pair it reads. Safe for many threads.
 */
final class PendingAccesses {

  private final Map<Thread, Pending> open = new ConcurrentHashMap<>();
  private final long responseLimitNanos;

  /**
   * @param responseLimitNanos the time without an answer after which a volume counts as
   *     unresponsive
   */
  PendingAccesses(long responseLimitNanos) {
    this.responseLimitNanos = responseLimitNanos;
  }

  /** A file, and the time when the access to it began, as {@link System#nanoTime} counts. */
  private record Pending(Path file, long sinceNanos) {

    Pending(Path file) {
      this(file, System.nanoTime());
    }

    boolean isOlderThan(long nanos) {
      return System.nanoTime() - sinceNanos > nanos;
    }
  }

  /** Returns the same archive with an access that is recorded here. */
  Archive of(Archive archive) {
    return archive.withAccess(new RecordingAccess(archive.access()));
  }

  /** Returns whether a thread waits for an unresponsive volume. */
  boolean isAnyLate() {
    return open.values().stream().anyMatch(access -> access.isOlderThan(responseLimitNanos));
  }

  /** Returns the groups of the pairs for which a thread waits on an unresponsive volume, sorted. */
  Set<Group> lateGroups() {
    Set<Group> late = new TreeSet<>();
    for (Pending access : open.values()) {
      Path directory = access.file.getParent();
      PairName pair = PairName.ofFile(String.valueOf(access.file.getFileName()));
      if (access.isOlderThan(responseLimitNanos) && directory != null && pair != null) {
        late.add(new Group(String.valueOf(directory.getFileName()), pair.group()));
      }
    }
    return late;
  }

  /** Records accesses while they are under way. */
  private final class RecordingAccess implements FileAccess {

    private final FileAccess archive;

    RecordingAccess(FileAccess archive) {
      this.archive = archive;
    }

    @Override
    public <T> T call(Path file, Call<T> call) throws IOException {
      Thread asker = Thread.currentThread();
      open.put(asker, new Pending(file));
      try {
        return archive.call(file, call);
      } finally {
        open.remove(asker);
      }
    }

    /**
     * Removes the record while the thread waits for the rate limit, because it does not wait for a
     * volume then.
     */
    @Override
    public int acquire(int bytes) throws IOException {
      Thread asker = Thread.currentThread();
      Pending access = open.remove(asker);
      try {
        return archive.acquire(bytes);
      } finally {
        if (access != null) {
          open.put(asker, new Pending(access.file));
        }
      }
    }

    @Override
    public boolean isThrottled() {
      return archive.isThrottled();
    }
  }
}
