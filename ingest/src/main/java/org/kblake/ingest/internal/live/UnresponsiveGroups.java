package org.kblake.ingest.internal.live;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.VolumeQueue;

/**
 * The <em>unresponsive</em> groups: their volume does not answer. Each is reported as a problem.
 * Other groups at which no thread has looked for long are <em>overdue</em>: this process has a
 * fault. Safe for many threads.
 */
final class UnresponsiveGroups {

  private static final String NO_RESPONSE = "no response";
  private static final long AWAIT_MILLIS = 500;

  /** A group is overdue after this multiple of the time in which it becomes unresponsive. */
  private static final int OVERDUE_LIMITS = 3;

  private final PendingAccesses pending;
  private final VolumeQueue polls;
  private final long responseLimitNanos;
  private final Problems problems;

  private final long overdueNanos;
  private volatile List<String> overdue = List.of();
  private volatile long updatedNanos = System.nanoTime();

  /** The unresponsive groups of the last {@link #update}. For the thread that calls it. */
  private Set<Group> unresponsive = Set.of();

  /**
   * @param polls runs the polls of the groups
   * @param responseLimitNanos the time without an answer after which a volume counts as
   *     unresponsive
   * @param pollNanos the interval of polls
   */
  UnresponsiveGroups(
      PendingAccesses pending,
      VolumeQueue polls,
      long responseLimitNanos,
      long pollNanos,
      Problems problems) {
    overdueNanos = OVERDUE_LIMITS * responseLimitNanos + 2 * pollNanos;
    this.pending = pending;
    this.polls = polls;
    this.responseLimitNanos = responseLimitNanos;
    this.problems = problems;
  }

  /** Returns the message for a group whose volume does not answer. */
  static String message(Group group) {
    return "archive does not answer: group=" + group;
  }

  /** Finds the unresponsive groups. For one thread at a time. */
  void update(Collection<FollowedGroup> followed) {
    Set<Group> answering = new HashSet<>(unresponsive);
    unresponsive = pending.lateGroups();
    for (FollowedGroup each : followed) {
      Group group = each.work.group();
      boolean heldBack = polls.holdsBack(group.system(), responseLimitNanos);
      if (each.isUnresponsive(responseLimitNanos, heldBack)) {
        unresponsive.add(group);
      } else if (each.answers(polls.holdsBack(group.system(), 0))) {
        answering.add(group);
      } else {
        answering.remove(group);
      }
    }
    unresponsive.forEach(this::add);
    answering.removeAll(unresponsive);
    answering.forEach(group -> problems.end(group, NO_RESPONSE));
    overdue =
        followed.stream()
            .filter(each -> each.isOverdue(overdueNanos))
            .map(each -> each.work.group())
            .filter(group -> !unresponsive.contains(group))
            .sorted()
            .map(Group::toString)
            .toList();
    updatedNanos = System.nanoTime();
  }

  /**
   * Returns the overdue groups. If {@link #update} was not called for long, the timers of this
   * process have stopped, and all groups are overdue.
   */
  List<String> overdue() {
    return System.nanoTime() - updatedNanos > overdueNanos ? List.of("all groups") : overdue;
  }

  /** Adds a group, until {@link #update} finds that its volume answers. */
  void add(Group group) {
    problems.beginOfArchive(group, NO_RESPONSE, message(group));
  }

  /**
   * Waits for work on a group, unless the group is unresponsive.
   *
   * @return true if the work is done; false if the group is unresponsive, and the work may never
   *     end
   * @throws ExecutionException if the work failed
   */
  boolean await(Group group, Future<?> work) throws ExecutionException, InterruptedException {
    while (true) {
      try {
        work.get(AWAIT_MILLIS, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        if (contains(group)) {
          return false;
        }
      }
    }
  }

  boolean contains(Group group) {
    return problems.has(group, NO_RESPONSE);
  }

  List<Group> all() {
    return problems.groupsWith(NO_RESPONSE);
  }

  /** Returns whether a thread waits for a volume that does not answer. */
  boolean keepWaiting(Collection<FollowedGroup> followed) {
    return pending.isAnyLate()
        || followed.stream().anyMatch(each -> each.isUnresponsive(responseLimitNanos, false));
  }
}
