package org.kblake.ingest.internal.live.mirror;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * The copies of one group's pairs: of the newest pair, and of earlier ones that are not completely
 * in blocks. For one thread at a time, except {@link #bytes}.
 */
final class GroupMirror {

  /** After this many recheck intervals every block was compared. */
  private static final int RECHECKS = 3;

  private static final String PROBLEM = "mirror";

  private final Mirror mirror;
  private final GroupWork work;
  private final MirrorContext shared;
  private final Problems problems;
  private final Map<String, PairMirror> pairs = new HashMap<>();

  /** The times when pairs were first found not to be needed, as {@link System#nanoTime} counts. */
  private final Map<String, Long> endedNanos = new HashMap<>();

  /** Stamps of the pairs in the mirror. */
  private final Set<String> held = new TreeSet<>();

  private boolean adopted;
  private long notBeforeNanos;
  private volatile long bytes;

  GroupMirror(Mirror mirror, GroupWork work, MirrorContext shared, Problems problems) {
    this.mirror = mirror;
    this.work = work;
    this.shared = shared;
    this.problems = problems;
    notBeforeNanos = shared.now();
  }

  /** Returns the bytes of the copies on the mirror's disk. */
  long bytes() {
    return bytes;
  }

  /**
   * Updates the copies.
   *
   * @param mayGrow whether the budget has room for more copies
   */
  void update(boolean mayGrow) {
    if (shared.now() - notBeforeNanos < 0) {
      return;
    }
    try {
      if (!adopted) {
        // Copies of an earlier process.
        held.addAll(mirror.stamps(work.group()));
        adopted = true;
      }
      List<Pair> open = work.openPairs();
      if (open != null) {
        drop(open);
        advance(open, mayGrow);
      }
      measure();
      problems.end(work.group(), PROBLEM);
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        failed(e);
      }
    }
  }

  /**
   * Handles a failed write, for example on a full or removed disk: readers read the archive, and
   * all other work continues.
   */
  private void failed(Exception e) {
    notBeforeNanos = shared.now() + shared.retryNanos();
    pairs.clear();
    held.clear();
    adopted = false;
    problems.beginOfStore(
        work.group(),
        PROBLEM,
        "mirror cannot be written, logs are read from the archive; free space or check its disk:"
            + " group="
            + work.group()
            + ", mirror="
            + mirror.directory()
            + ", "
            + e);
  }

  /**
   * Deletes the copies of pairs that are completely in blocks, or were removed, after the time in
   * which their blocks are compared with them.
   */
  private void drop(List<Pair> open) throws IOException {
    Set<String> needed = new HashSet<>();
    open.forEach(pair -> needed.add(pair.stamp()));
    for (String stamp : List.copyOf(held)) {
      if (needed.contains(stamp)) {
        endedNanos.remove(stamp);
      } else if (isOver(stamp) && !isKept(stamp)) {
        mirror.files(work.group(), stamp).delete();
        pairs.remove(stamp);
        held.remove(stamp);
        endedNanos.remove(stamp);
      }
    }
  }

  /**
   * Returns whether a copy may be all that has the end of a log. Only the files show it after a
   * restart. If they cannot be read, it is asked again.
   */
  private boolean isKept(String stamp) {
    Pair pair = work.pair(stamp);
    try {
      LogCopy copy = mirror.files(work.group(), stamp).copyOrFail();
      return copy != null
          && Pair.isShorter(
              copy, pair.access().call(pair.logPath(), () -> FileState.of(pair.logPath())));
    } catch (NoSuchFileException e) {
      // Its volume may be away.
      return !work.isRemoved(stamp);
    } catch (IOException e) {
      return true;
    }
  }

  private boolean isOver(String stamp) {
    long now = shared.now();
    Long since = endedNanos.putIfAbsent(stamp, now);
    return since != null && now - since >= RECHECKS * shared.recheck().toNanos();
  }

  private void advance(List<Pair> open, boolean mayGrow) throws IOException {
    for (Pair pair : open) {
      if (!pair.isSuperseded() || held.contains(pair.stamp())) {
        advance(pair, mayGrow);
      }
    }
  }

  private void advance(Pair pair, boolean mayGrow) throws IOException {
    String stamp = pair.stamp();
    PairMirror copy = pairs.get(stamp);
    if (copy == null) {
      copy =
          new PairMirror(
              pair,
              mirror.files(work.group(), stamp),
              shared,
              difference -> problems.reportOfArchive(work.group(), difference));
      pairs.put(stamp, copy);
    }
    copy.listed(pair);
    if (work.takeDiscarded(stamp)) {
      copy.compareSoon();
    }
    try {
      held.add(stamp);
      copy.advance(work.provedOffset(stamp), mayGrow);
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      // The follower of the group reports the error.
    }
  }

  private void measure() throws IOException {
    long sum = 0;
    for (String stamp : held) {
      sum += mirror.files(work.group(), stamp).bytes();
    }
    bytes = sum;
  }
}
