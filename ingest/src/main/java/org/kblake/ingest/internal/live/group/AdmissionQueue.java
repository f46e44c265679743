package org.kblake.ingest.internal.live.group;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.block.LogPosition;

/**
 * Stretches of a group's log that were read from the log and are to be put into columns, in the
 * order in which they were read. Safe for many threads.
 */
final class AdmissionQueue {

  /** More stretches than readers ask for while a worker is busy elsewhere. */
  private static final int MOST_STRETCHES = 1_000;

  private final Deque<Admission> waiting = new ArrayDeque<>();

  /** A stretch of the log. */
  record Admission(LogPosition from, LogPosition to) {}

  /**
   * Adds a stretch, unless it is waiting already.
   *
   * @return false if too many are waiting already
   */
  synchronized boolean add(LogPosition from, LogPosition to) {
    Admission added = new Admission(from, to);
    return waiting.contains(added) || waiting.size() < MOST_STRETCHES && waiting.add(added);
  }

  /** Takes the stretch that waits longest; null if there is none. */
  synchronized @Nullable Admission next() {
    return waiting.poll();
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }
}
