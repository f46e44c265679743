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
 * What threads are asking an archive at present, and since when. A question that has no answer
 * after {@link FollowedGroup#SILENCE_NANOS} asks a silent volume, whichever pair it is about. Safe
 * for many threads.
 */
final class PendingAccesses {

  private final Map<Thread, Asked> open = new ConcurrentHashMap<>();

  /** A file, and when the question about it began, as {@link System#nanoTime} counts. */
  private record Asked(Path file, long sinceNanos) {

    Asked(Path file) {
      this(file, System.nanoTime());
    }

    boolean isLate() {
      return System.nanoTime() - sinceNanos > FollowedGroup.SILENCE_NANOS;
    }
  }

  /** The same archive; what is asked of it is noted here. */
  Archive of(Archive archive) {
    return archive.askedThrough(new Noted(archive.access()));
  }

  /** Whether a thread waits for a silent volume. */
  boolean isAnyLate() {
    return open.values().stream().anyMatch(Asked::isLate);
  }

  /** The groups whose pairs a thread waits for that asks a silent volume, sorted. */
  Set<Group> lateGroups() {
    Set<Group> late = new TreeSet<>();
    for (Asked asked : open.values()) {
      Path directory = asked.file.getParent();
      PairName pair = PairName.ofFile(String.valueOf(asked.file.getFileName()));
      if (asked.isLate() && directory != null && pair != null) {
        late.add(new Group(String.valueOf(directory.getFileName()), pair.group()));
      }
    }
    return late;
  }

  /** Notes questions while they are under way. */
  private final class Noted implements FileAccess {

    private final FileAccess archive;

    Noted(FileAccess archive) {
      this.archive = archive;
    }

    @Override
    public <T> T ask(Path file, Question<T> question) throws IOException {
      Thread asker = Thread.currentThread();
      open.put(asker, new Asked(file));
      try {
        return archive.ask(file, question);
      } finally {
        open.remove(asker);
      }
    }

    /** Who waits for his turn to read does not wait for a volume. */
    @Override
    public int acquire(int bytes) throws IOException {
      Thread asker = Thread.currentThread();
      Asked asked = open.remove(asker);
      try {
        return archive.acquire(bytes);
      } finally {
        if (asked != null) {
          open.put(asker, new Asked(asked.file));
        }
      }
    }

    @Override
    public boolean isThrottled() {
      return archive.isThrottled();
    }
  }
}
