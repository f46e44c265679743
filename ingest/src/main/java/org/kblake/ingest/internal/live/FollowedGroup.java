package org.kblake.ingest.internal.live;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.ingest.internal.live.group.GroupWork;

/** A group, with the marks of the threads that work on it or access its files. For many threads. */
final class FollowedGroup {

  final GroupWork work;

  /** True if the group is not followed, and only requested work is done. */
  final boolean unfollowed;

  /** True while a thread works on the group. At most one does. */
  final AtomicBoolean busy = new AtomicBoolean();

  volatile long notBeforeNanos = System.nanoTime();

  /** True if its files have changed since the last look began. */
  volatile boolean woken;

  /**
   * The time when the present look began, as {@link System#nanoTime} counts; null if there is none.
   */
  private volatile @Nullable Long lookSinceNanos;

  private volatile @Nullable Long probeSinceNanos;
  private final AtomicBoolean probing = new AtomicBoolean();

  FollowedGroup(GroupWork work, boolean unfollowed) {
    this.work = work;
    this.unfollowed = unfollowed;
  }

  void beginLook() {
    woken = false;
    lookSinceNanos = System.nanoTime();
  }

  void endLook() {
    lookSinceNanos = null;
  }

  /**
   * Reads the attributes of its files while a worker is busy with the group, to find out whether
   * its volume answers: the worker may wait for it as a look may. Does not wait. Does nothing while
   * a look or another probe is under way.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the process ends
   */
  void probe(Executor asker) {
    if (lookSinceNanos == null && probing.compareAndSet(false, true)) {
      probeSinceNanos = System.nanoTime();
      asker.execute(
          () -> {
            try {
              askFiles();
            } finally {
              probeSinceNanos = null;
              probing.set(false);
            }
          });
    }
  }

  /**
   * Reads the attributes of the files that may still change. The result is not needed, only the
   * answer.
   */
  private void askFiles() {
    List<Pair> pairs = work.openPairs();
    if (pairs != null) {
      for (Pair pair : pairs) {
        FileState unused = FileState.ofOrMissing(pair.logPath());
      }
    }
  }

  /** Returns whether no access to its files is under way. */
  boolean answers() {
    return lookSinceNanos == null && probeSinceNanos == null;
  }

  /** Returns whether an access to its files has taken so long that its volume counts as silent. */
  boolean isSilent(long silenceNanos) {
    return isLongAgo(lookSinceNanos, silenceNanos) || isLongAgo(probeSinceNanos, silenceNanos);
  }

  private static boolean isLongAgo(@Nullable Long sinceNanos, long silenceNanos) {
    return sinceNanos != null && System.nanoTime() - sinceNanos > silenceNanos;
  }
}
