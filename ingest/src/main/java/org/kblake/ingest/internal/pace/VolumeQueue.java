package org.kblake.ingest.internal.pace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs short tasks that call the files of directories, on few threads. A task that has not ended
 * after half a second is <em>late</em>: its volume may not answer. A late task keeps its thread and
 * counts no more, so that another task begins. A directory with late tasks has its turn after all
 * others, and with {@value #LATE_A_DIRECTORY} of them none until one ends. So unresponsive volumes
 * delay only the groups of their own directories, and the number of threads does not grow with the
 * number of groups. Safe for many threads.
 */
public final class VolumeQueue {

  /** The tasks that run at a time, late ones not counted. */
  public static final int RUNNING = 16;

  /** The late tasks of a directory that run at a time. */
  public static final int LATE_A_DIRECTORY = 4;

  /** The interval at which {@link #findLate} is to be called. */
  public static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final ExecutorService threads;
  private final Map<String, Directory> directories = new HashMap<>();
  private final Queue<Directory> prompt = new ArrayDeque<>();
  private final Queue<Directory> suspect = new ArrayDeque<>();
  private final Set<Task> running = new HashSet<>();
  private int late;

  /** A directory, with its tasks that have not begun. It is in one queue if it has any. */
  private static final class Directory {
    final Queue<Runnable> waiting = new ArrayDeque<>();
    int late;
    boolean queued;

    /** The time since which it has too many late tasks, as {@link System#nanoTime} counts. */
    long heldBackSinceNanos;
  }

  /** A task that has begun. */
  private static final class Task {
    final Directory directory;
    final Runnable run;
    final long sinceNanos = System.nanoTime();
    boolean late;

    Task(Directory directory, Runnable run) {
      this.directory = directory;
      this.run = run;
    }
  }

  /**
   * @param threads has a thread for each task that begins; the caller ends it
   */
  public VolumeQueue(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * Runs a task when it is its turn. When the threads have been shut down, the task runs at once,
   * on any thread: it must see this itself, and do no work.
   */
  public void execute(String directory, Runnable task) {
    if (threads.isShutdown()) {
      task.run();
      return;
    }
    synchronized (this) {
      Directory of = directories.computeIfAbsent(directory, key -> new Directory());
      of.waiting.add(task);
      queue(of);
    }
    begin();
  }

  /**
   * Returns whether no task of a directory has begun for longer than a time, because its tasks are
   * late.
   */
  public synchronized boolean holdsBack(String directory, long nanos) {
    Directory of = directories.get(directory);
    return of != null
        && of.late >= LATE_A_DIRECTORY
        && System.nanoTime() - of.heldBackSinceNanos >= nanos;
  }

  /** Finds the late tasks, and begins others in their place. */
  public void findLate() {
    synchronized (this) {
      long now = System.nanoTime();
      for (Task task : running) {
        if (!task.late && now - task.sinceNanos > LATE_NANOS) {
          task.late = true;
          task.directory.late++;
          if (task.directory.late == LATE_A_DIRECTORY) {
            task.directory.heldBackSinceNanos = now;
          }
          late++;
        }
      }
    }
    begin();
  }

  /**
   * Ends the threads by interrupts. Tasks that have not begun see that the threads are shut down.
   */
  public void shutdownNow() {
    threads.shutdownNow();
    List<Runnable> dropped = new ArrayList<>();
    synchronized (this) {
      for (Directory each : directories.values()) {
        dropped.addAll(each.waiting);
        each.waiting.clear();
      }
    }
    dropped.forEach(Runnable::run);
  }

  public boolean isShutdown() {
    return threads.isShutdown();
  }

  private void queue(Directory directory) {
    if (!directory.queued && !directory.waiting.isEmpty() && directory.late < LATE_A_DIRECTORY) {
      directory.queued = true;
      (directory.late == 0 ? prompt : suspect).add(directory);
    }
  }

  private void begin() {
    for (Task task = next(); task != null; task = next()) {
      Task begun = task;
      try {
        threads.execute(() -> run(begun));
      } catch (RejectedExecutionException e) {
        begun.run.run();
        ended(begun);
      }
    }
  }

  private synchronized @Nullable Task next() {
    while (running.size() - late < RUNNING) {
      Directory directory = prompt.isEmpty() ? suspect.poll() : prompt.poll();
      if (directory == null) {
        return null;
      }
      directory.queued = false;
      Runnable first = directory.late < LATE_A_DIRECTORY ? directory.waiting.poll() : null;
      queue(directory);
      if (first != null) {
        Task task = new Task(directory, first);
        running.add(task);
        return task;
      }
    }
    return null;
  }

  /** Runs a task, and then others, so that a thread is begun only if there is more to do. */
  private void run(Task first) {
    Task task = first;
    while (task != null) {
      boolean done = false;
      try {
        task.run.run();
        done = true;
      } finally {
        ended(task);
        if (!done) {
          // This thread ends with an error.
          begin();
        }
      }
      task = next();
      begin();
    }
  }

  private synchronized void ended(Task task) {
    running.remove(task);
    if (task.late) {
      late--;
      task.directory.late--;
      queue(task.directory);
    }
  }
}
