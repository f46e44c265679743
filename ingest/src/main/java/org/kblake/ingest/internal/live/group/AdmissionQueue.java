package org.kblake.ingest.internal.live.group;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;

/**
 * A queue of ranges that were read from a group's log and are to be put into columns, in the order
 * of the reads. Safe for many threads.
 */
final class AdmissionQueue {

  /** The limit of the queue: more ranges than readers usually read while all workers are busy. */
  private static final int MAX_RANGES = 1_000;

  private final Deque<Admission> waiting = new ArrayDeque<>();

  /** A range of the log. */
  record Admission(LogPosition from, LogPosition to) {}

  /**
   * Adds a range, unless the queue has it.
   *
   * @return false if the queue is full
   */
  synchronized boolean add(LogPosition from, LogPosition to) {
    Admission added = new Admission(from, to);
    return waiting.contains(added) || waiting.size() < MAX_RANGES && waiting.add(added);
  }

  /** Removes and returns the oldest range; null if there is none. */
  synchronized @Nullable Admission next() {
    return waiting.poll();
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }
}
