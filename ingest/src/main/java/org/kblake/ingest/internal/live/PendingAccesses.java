package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.pair.PairName;
import org.kblake.core.model.Group;

/**
 * The accesses to an archive that are under way, and since when. One that has no answer for long is
 * to a silent volume, whichever pair it is about. Safe for many threads.
 */
final class PendingAccesses {

  private final Map<Thread, Pending> open = new ConcurrentHashMap<>();
  private final long silenceNanos;

  /**
   * @param silenceNanos an access that has no answer after so long is to a silent volume
   */
  PendingAccesses(long silenceNanos) {
    this.silenceNanos = silenceNanos;
  }

  /** A file, and when the access to it began, as {@link System#nanoTime} counts. */
  private record Pending(Path file, long sinceNanos) {

    Pending(Path file) {
      this(file, System.nanoTime());
    }

    boolean isOlderThan(long nanos) {
      return System.nanoTime() - sinceNanos > nanos;
    }
  }

  /** The same archive; accesses to it are noted here. */
  Archive of(Archive archive) {
    return archive.askedThrough(new Noted(archive.access()));
  }

  /** Whether a thread waits for a silent volume. */
  boolean isAnyLate() {
    return open.values().stream().anyMatch(access -> access.isOlderThan(silenceNanos));
  }

  /** The groups whose pairs a thread waits for that asks a silent volume, sorted. */
  Set<Group> lateGroups() {
    Set<Group> late = new TreeSet<>();
    for (Pending access : open.values()) {
      Path directory = access.file.getParent();
      PairName pair = PairName.ofFile(String.valueOf(access.file.getFileName()));
      if (access.isOlderThan(silenceNanos) && directory != null && pair != null) {
        late.add(new Group(String.valueOf(directory.getFileName()), pair.group()));
      }
    }
    return late;
  }

  /** Notes accesses while they are under way. */
  private final class Noted implements FileAccess {

    private final FileAccess archive;

    Noted(FileAccess archive) {
      this.archive = archive;
    }

    @Override
    public <T> T ask(Path file, Question<T> question) throws IOException {
      Thread asker = Thread.currentThread();
      open.put(asker, new Pending(file));
      try {
        return archive.ask(file, question);
      } finally {
        open.remove(asker);
      }
    }

    /** A thread that waits for its turn to read does not wait for a volume. */
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
