package org.kblake.ingest.internal.live;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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

  /** The timer of its polls; null if it has none. */
  volatile @Nullable Future<?> timer;

  volatile long notBeforeNanos = System.nanoTime();

  /**
   * The time of the last sign that a thread attends to the group: a poll that ended, work under
   * way, or a delay after a failure. As {@link System#nanoTime} counts.
   */
  private volatile long lookedNanos = System.nanoTime();

  /** True if its files have changed since the last poll began. */
  volatile boolean woken;

  /**
   * The time when the present poll began, as {@link System#nanoTime} counts; null if there is none.
   */
  private volatile @Nullable Long pollSinceNanos;

  /** The time since which a poll waits for a thread, in the same way. */
  private volatile @Nullable Long queuedSinceNanos;

  private volatile @Nullable Long probeSinceNanos;
  private final AtomicBoolean probing = new AtomicBoolean();

  FollowedGroup(GroupWork work, boolean unfollowed) {
    this.work = work;
    this.unfollowed = unfollowed;
  }

  /** Begins to wait for a thread that polls. */
  void queuePoll() {
    woken = false;
    queuedSinceNanos = System.nanoTime();
  }

  void beginPoll() {
    pollSinceNanos = System.nanoTime();
    queuedSinceNanos = null;
  }

  void endPoll() {
    queuedSinceNanos = null;
    pollSinceNanos = null;
  }

  /** Ends a poll that had a result. */
  void endLook() {
    lookedNanos = System.nanoTime();
    endPoll();
  }

  /** Returns whether the group is not polled yet, because work on it failed. */
  boolean isDelayed() {
    boolean delayed = System.nanoTime() - notBeforeNanos < 0;
    if (delayed) {
      lookedNanos = System.nanoTime();
    }
    return delayed;
  }

  /** Returns whether no thread has attended to the group for longer than a time. */
  boolean isOverdue(long limitNanos) {
    return System.nanoTime() - lookedNanos > limitNanos;
  }

  /**
   * Reads the attributes of its files while a worker works on the group, because the worker may
   * wait for a volume that does not answer. Returns at once. Does nothing while a poll or another
   * probe is under way.
   *
   * @param ends whether the process ends, so that nothing is read
   */
  void probe(Executor executor, BooleanSupplier ends) {
    if (pollSinceNanos != null || queuedSinceNanos != null) {
      return;
    }
    lookedNanos = System.nanoTime();
    if (probing.compareAndSet(false, true)) {
      executor.execute(
          () -> {
            probeSinceNanos = System.nanoTime();
            try {
              if (!ends.getAsBoolean()) {
                readAttributes();
              }
            } finally {
              probeSinceNanos = null;
              probing.set(false);
            }
          });
    }
  }

  /**
   * Reads the attributes of the files that may still change. Only whether the volume answers is
   * needed, not the attributes.
   */
  private void readAttributes() {
    List<Pair> pairs = work.openPairs();
    if (pairs != null) {
      for (Pair pair : pairs) {
        FileState unused = FileState.ofOrMissing(pair.logPath());
      }
    }
  }

  /**
   * Returns whether no access to its files is under way.
   *
   * @param heldBack whether no poll begins, because other groups of its directory do not answer
   */
  boolean answers(boolean heldBack) {
    return pollSinceNanos == null
        && probeSinceNanos == null
        && !(heldBack && queuedSinceNanos != null);
  }

  /**
   * Returns whether an access to its files has taken so long that its volume counts as
   * unresponsive.
   *
   * @param heldBack whether no poll begins, because other groups of its directory do not answer
   */
  boolean isUnresponsive(long responseLimitNanos, boolean heldBack) {
    return isLongAgo(pollSinceNanos, responseLimitNanos)
        || isLongAgo(probeSinceNanos, responseLimitNanos)
        || heldBack && isLongAgo(queuedSinceNanos, responseLimitNanos);
  }

  private static boolean isLongAgo(@Nullable Long sinceNanos, long responseLimitNanos) {
    return sinceNanos != null && System.nanoTime() - sinceNanos > responseLimitNanos;
  }
}
