package org.kblake.ingest.live;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.kblake.core.log.Archive;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.store.Store;
import org.kblake.ingest.Threads;
import org.kblake.ingest.Transcoder;

/**
 * Keeps a store complete while its archive grows. Nothing is remembered from one run to the next:
 * what is to be done is found in archive and store, so a run may end at any moment.
 */
public final class Live {

  /** A volume that does not answer holds up the looks at its groups, not at all of them. */
  private static final int LOOKERS = 8;

  private static final long GROUPS_SECONDS = 10;
  private static final long TRASH_SECONDS = 60;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Group ALL_GROUPS = new Group("SYS", "KEKBLog.list");
  private static final String WORK = "work";
  private static final String TRASH = "trash";

  private final Archive archive;
  private final Store store;
  private final LiveSettings settings;
  private final LiveListener listener;
  private final Clock clock;
  private final Problems problems;
  private final Map<Group, Followed> followed = new ConcurrentHashMap<>();

  /** A group, and whether somebody is at work on it. */
  private static final class Followed {
    final GroupWork work;
    final AtomicBoolean busy = new AtomicBoolean();
    volatile long notBeforeNanos = System.nanoTime();

    Followed(GroupWork work) {
      this.work = work;
    }
  }

  /**
   * @param store open for writing; not closed here
   */
  public Live(
      Archive archive, Store store, LiveSettings settings, LiveListener listener, Clock clock) {
    this.archive = archive;
    this.store = store;
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
    problems = new Problems(listener);
  }

  /** How each group stands, sorted. */
  public List<GroupState> groups() {
    List<GroupState> states = new ArrayList<>();
    for (Followed each : sorted(followed.values())) {
      states.add(each.work.state());
    }
    return states;
  }

  private static List<Followed> sorted(Collection<Followed> all) {
    List<Followed> sorted = new ArrayList<>(all);
    sorted.sort((a, b) -> a.work.group().compareTo(b.work.group()));
    return sorted;
  }

  /** What is wrong at present. */
  public List<String> problems() {
    return problems.messages();
  }

  /**
   * Follows until the calling thread is interrupted; when this returns nothing is written any more.
   */
  public void run() {
    ScheduledExecutorService looks =
        Executors.newScheduledThreadPool(LOOKERS, Threads.named("kblake-look-"));
    ExecutorService workers =
        Executors.newFixedThreadPool(settings.threads(), Threads.named("kblake-work-"));
    Transcoder transcoder =
        new Transcoder(
            store,
            settings.profile(),
            new Transcoder.Limits(
                settings.threads(),
                settings.threads(),
                settings.memoryBytes(),
                settings.ioLimitBytesPerSecond()));
    try {
      looks.scheduleWithFixedDelay(
          () -> discover(looks, workers, transcoder), 0, GROUPS_SECONDS, TimeUnit.SECONDS);
      looks.scheduleWithFixedDelay(this::emptyTrash, 0, TRASH_SECONDS, TimeUnit.SECONDS);
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // Asked to end.
    } finally {
      looks.shutdownNow();
      workers.shutdownNow();
      transcoder.close();
      Threads.awaitEnd(workers);
      Threads.awaitEnd(looks);
    }
  }

  /** Begins to follow groups that are new. */
  private void discover(
      ScheduledExecutorService looks, ExecutorService workers, Transcoder transcoder) {
    List<Group> groups = settings.groups();
    if (groups.isEmpty()) {
      try {
        groups = archive.groups();
        problems.end(ALL_GROUPS, WORK);
      } catch (UnavailableException e) {
        problems.begin(ALL_GROUPS, WORK, String.valueOf(e.getMessage()));
        return;
      }
    }
    long pollNanos = settings.poll().toNanos();
    int number = 0;
    for (Group group : groups) {
      number++;
      if (!followed.containsKey(group)) {
        Followed added =
            new Followed(
                new GroupWork(
                    archive, store, group, settings, transcoder, problems, listener, clock));
        followed.put(group, added);
        long delayNanos = pollNanos / groups.size() * number;
        looks.scheduleWithFixedDelay(
            () -> look(added, workers), delayNanos, pollNanos, TimeUnit.NANOSECONDS);
      }
    }
  }

  private void look(Followed group, ExecutorService workers) {
    if (System.nanoTime() - group.notBeforeNanos < 0 || !group.busy.compareAndSet(false, true)) {
      return;
    }
    boolean handedOver = false;
    try {
      if (group.work.poll()) {
        workers.execute(() -> work(group));
        handedOver = true;
      }
    } catch (RejectedExecutionException e) {
      // The process ends.
    } catch (RuntimeException e) {
      failed(group, e);
    } finally {
      if (!handedOver) {
        group.busy.set(false);
      }
    }
  }

  private void work(Followed group) {
    try {
      group.work.run();
      problems.end(group.work.group(), WORK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        failed(group, e);
      }
    } finally {
      group.busy.set(false);
    }
  }

  /** A full disk or a fault of this program in one group is no reason to leave the others alone. */
  private void failed(Followed group, Exception e) {
    group.notBeforeNanos = System.nanoTime() + RETRY_NANOS;
    String reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    problems.begin(
        group.work.group(),
        WORK,
        "work failed, it is tried again: group=" + group.work.group() + ", " + reason);
  }

  private void emptyTrash() {
    try {
      store.emptyTrash();
      problems.end(ALL_GROUPS, TRASH);
    } catch (IOException | RuntimeException e) {
      problems.begin(ALL_GROUPS, TRASH, "trash cannot be emptied: " + e);
    }
  }
}
