package org.kblake.ingest.internal.live;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.ingest.internal.live.group.GroupWork;

/** A group, whether somebody is at work on it, and whether its files answer. For many threads. */
final class FollowedGroup {

  final GroupWork work;

  /** Whether it is not followed, and only what is requested is done. */
  final boolean unfollowed;

  /** Whether a thread is at work on it: one at a time. */
  final AtomicBoolean busy = new AtomicBoolean();

  volatile long notBeforeNanos = System.nanoTime();

  /** Whether its files have changed since the last look began. */
  volatile boolean woken;

  /** When the look began that is under way, as {@link System#nanoTime} counts. */
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
   * Asks about its files while a worker is at work on it, who may be kept waiting by them as a look
   * is. Does not wait, and does nothing where a look or another probe is under way.
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

  /** About those that may still change; what they answer is of no use. */
  private void askFiles() {
    List<Pair> pairs = work.openPairs();
    if (pairs != null) {
      for (Pair pair : pairs) {
        FileState unused = FileState.ofOrMissing(pair.logPath());
      }
    }
  }

  /** Whether no call about its files has waited long for an answer. */
  boolean answers() {
    return lookSinceNanos == null && probeSinceNanos == null;
  }

  /** Whether somebody has asked about its files for so long that its volume counts as silent. */
  boolean isSilent(long silenceNanos) {
    return isLongAgo(lookSinceNanos, silenceNanos) || isLongAgo(probeSinceNanos, silenceNanos);
  }

  private static boolean isLongAgo(@Nullable Long sinceNanos, long silenceNanos) {
    return sinceNanos != null && System.nanoTime() - sinceNanos > silenceNanos;
  }
}
