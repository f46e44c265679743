package org.kblake.record.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.RecordClock;
import org.kblake.record.source.EventMemory;

/**
 * Lets groups work in threads of the disk, each in one at a time, when they are due. A group whose
 * call takes long does not count among those that may work at the same time, so it keeps no other
 * group from it. For the polling thread.
 */
final class GroupTasks {

  static final String LATE = "the disk has not answered for a second; events wait in memory";
  static final String AGAIN = "the log is written again";

  private static final int MOST_WORKING = 64;
  private static final long LATE_NANOS = 1_000_000_000;
  private static final long PAUSE_NANOS = 10_000_000;

  private final DiskThreads threads;
  private final RecordClock clock;
  private final EventMemory memory;

  /** Idle groups, the first of which is due first. */
  private final TreeSet<GatheredGroup> due =
      new TreeSet<>(
          (one, other) -> {
            int order = Long.signum(one.dueNanos() - other.dueNanos());
            return order == 0 ? Integer.compare(one.number, other.number) : order;
          });

  /** Groups that work, and are not late, in the order of their begin. */
  private final Set<GatheredGroup> working = new LinkedHashSet<>();

  /** Groups whose call takes long, in the order of their begin. */
  private final Set<GatheredGroup> hanging = new LinkedHashSet<>();

  /** Groups that may be due earlier than {@link #due} has it. */
  private List<GatheredGroup> touched = new ArrayList<>();

  private final Queue<Runnable> ended = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread poller;

  GroupTasks(DiskThreads threads, RecorderSettings settings) {
    this.threads = threads;
    clock = settings.clock();
    memory = new EventMemory(settings.waitingBytes());
  }

  EventMemory memory() {
    return memory;
  }

  /** Lets the next turn look when a group is due. */
  void touch(GatheredGroup work) {
    touched.add(work);
  }

  /**
   * Does something in a thread of the disk.
   *
   * @param task does not fail
   * @param end is done by the polling thread afterwards
   */
  void run(Runnable task, Runnable end) {
    poller = Thread.currentThread();
    threads
        .executor()
        .execute(
            () -> {
              try {
                task.run();
              } finally {
                ended(end);
              }
            });
  }

  /** Lets the polling thread do something. For threads of the disk. */
  void ended(Runnable end) {
    ended.add(end);
    LockSupport.unpark(poller);
  }

  /**
   * Takes groups back that have worked, and begins those that are due. A task that is done at once
   * has ended at the end.
   */
  void turn() {
    takeEnds();
    long now = clock.monotonicNanos();
    for (GatheredGroup work : touched) {
      schedule(work, now);
    }
    touched = new ArrayList<>();
    findLate(now);
    while (working.size() < MOST_WORKING && !due.isEmpty() && due.first().dueNanos() - now <= 0) {
      begin(due.pollFirst(), now);
    }
    takeEnds();
  }

  private void begin(@Nullable GatheredGroup work, long now) {
    if (work != null) {
      work.begin(now);
      working.add(work);
      run(work::work, () -> end(work));
    }
  }

  private void schedule(GatheredGroup work, long now) {
    if (!work.isBusy() && !work.hasEnded()) {
      due.remove(work);
      work.schedule(now);
      due.add(work);
    }
  }

  /** Does what follows tasks that have ended. */
  void takeEnds() {
    for (Runnable end = ended.poll(); end != null; end = ended.poll()) {
      end.run();
    }
  }

  private void end(GatheredGroup work) {
    working.remove(work);
    hanging.remove(work);
    boolean wasLate = work.isLate();
    work.end();
    if (wasLate && work.recording().fault().isEmpty()) {
      work.context().notice(AGAIN);
    }
    touch(work);
  }

  private void findLate(long now) {
    List<GatheredGroup> late = new ArrayList<>();
    for (GatheredGroup work : working) {
      if (now - work.begunNanos() < LATE_NANOS) {
        break;
      }
      late.add(work);
    }
    for (GatheredGroup work : late) {
      working.remove(work);
      hanging.add(work);
      work.late();
      work.context().notice(LATE);
    }
  }

  /** Returns whether a call of a group has not returned for a time in nanoseconds. */
  boolean hangsFor(long nanos) {
    long now = clock.monotonicNanos();
    return !hanging.isEmpty() && now - hanging.iterator().next().begunNanos() >= nanos;
  }

  /** Returns the time in nanoseconds until a group is due. The end of a task ends the wait, too. */
  long pauseNanos() {
    if (!touched.isEmpty() || !ended.isEmpty()) {
      return 0;
    }
    return due.isEmpty() || working.size() >= MOST_WORKING
        ? LATE_NANOS
        : Math.max(0, Math.min(LATE_NANOS, due.first().dueNanos() - clock.monotonicNanos()));
  }

  /** Returns when the end of the logs is not waited for any longer, by {@link System#nanoTime}. */
  long endNanos() {
    return System.nanoTime() + threads.longestEndNanos();
  }

  /** Lets groups work until there is memory for more events, or the time is over. */
  void makeRoom(long endNanos) {
    turn();
    while (memory.isHalfUsed() && !working.isEmpty() && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
      turn();
    }
  }

  /** Lets groups work once more, and ends them, or gives them up when the time is over. */
  void end(Collection<GatheredGroup> works, long endNanos) {
    works.forEach(GatheredGroup::endSoon);
    turn();
    while (works.stream().anyMatch(work -> !work.hasEnded()) && System.nanoTime() - endNanos < 0) {
      turn();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    works.stream().filter(work -> !work.hasEnded()).forEach(GatheredGroup::abandon);
  }
}
