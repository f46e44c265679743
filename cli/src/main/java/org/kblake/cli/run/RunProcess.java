package org.kblake.cli.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.handover.RequestFiles;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.run.follow.FollowThread;
import org.kblake.cli.run.follow.RunPlan;
import org.kblake.cli.run.request.RequestQueue;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess.AccessTimeoutException;
import org.kblake.core.internal.store.Store;
import org.kblake.ingest.internal.live.TimedDirectoryAccess;
import org.kblake.ingest.internal.pace.Threads;

/**
 * {@code kblake run}: takes the store, follows the archive, does what others ask for, publishes its
 * status, and reads its settings again on SIGHUP. Following then begins again, under the same lock:
 * nothing has to be kept from one to the next.
 */
public final class RunProcess {

  private final Loader loader;
  private final RunLog log;
  private final Clock clock;
  private final RunCounters counters;
  private final Semaphore hangUps = new Semaphore(0);

  /** Reads the settings. */
  public interface Loader {
    /**
     * Reads them again.
     *
     * @throws UsageException saying what makes no sense
     * @throws IOException if the archive cannot be opened
     */
    RunPlan load() throws IOException;
  }

  RunProcess(Loader loader, RunLog log, Clock clock) {
    this.loader = loader;
    this.log = log;
    this.clock = clock;
    counters = new RunCounters(log);
  }

  /**
   * Runs until the calling thread is interrupted. Then work that is under way is put in order,
   * however long that takes, and nothing unfinished is left. Where a volume does not answer, this
   * waits for {@link FollowThread#STOP_TIMEOUT}, and what is under way then is left as after a
   * kill.
   *
   * @param first what to do until settings are read again
   * @param standby whether to wait for a store that has a writer
   * @throws IOException if the store cannot be had
   * @throws InterruptedException when it was asked to end
   */
  void run(RunPlan first, boolean standby) throws IOException, InterruptedException {
    boolean hears = HangupSignal.listen(hangUps::release);
    Path directory = first.store();
    Store opened =
        standby
            ? Standby.open(directory, first.identity(), log)
            : Store.openForWriting(directory, first.identity());
    try (HeldStore held = new HeldStore(opened, new ArrayList<>())) {
      log.info(
          "started",
          "pid",
          ThisProcess.pid(),
          "archive",
          first.archive().root(),
          "store",
          directory,
          "rereadsSettings",
          hears ? "on SIGHUP" : "never");
      try {
        publishAndFollow(first, held.store, held.followings);
      } finally {
        log.info("stopped");
      }
    }
  }

  /**
   * A store that is open for writing, and who writes. A thread that a silent volume keeps waiting
   * may write when the volume answers: then the store stays locked until this process has ended.
   */
  private record HeldStore(Store store, List<FollowThread> followings) implements Closeable {
    @Override
    public void close() throws IOException {
      if (followings.stream().allMatch(FollowThread::hasEnded)) {
        store.close();
      }
    }
  }

  /**
   * @param all gets what was begun and has not ended
   */
  private void publishAndFollow(RunPlan first, Store store, List<FollowThread> all)
      throws IOException, InterruptedException {
    RunMonitor monitor = new RunMonitor(store.directory(), counters, clock);
    StatusFile file = new StatusFile(store.directory());
    try (StatusPublisher publisher = new StatusPublisher(monitor, counters, file, log)) {
      publisher.listen(first.settings().listen());
      RunPlan plan = first;
      try {
        while (true) {
          FollowThread before = all.isEmpty() ? null : all.get(all.size() - 1);
          FollowThread following = FollowThread.start(plan, store, counters, clock, before);
          all.add(following);
          plan = follow(plan, following, store, publisher);
          following.leave();
          all.removeIf(each -> each != following && each.hasEnded());
        }
      } finally {
        all.forEach(FollowThread::end);
        long untilNanos = System.nanoTime() + FollowThread.STOP_TIMEOUT.toNanos();
        all.forEach(each -> each.awaitEnd(untilNanos));
      }
    }
  }

  /**
   * Follows until there are other settings.
   *
   * @return these
   */
  private RunPlan follow(
      RunPlan plan, FollowThread following, Store store, StatusPublisher publisher)
      throws IOException, InterruptedException {
    log.format(plan.settings().constant(RunSetting.LOG_FORMAT, LogFormat.class));
    RequestFiles requests = new RequestFiles(store.directory());
    try (RequestQueue queue =
        RequestQueue.open(following.service(), requests, publisher::resetCounters, log)) {
      publisher.show(following.service(), queue, plan.settings());
      while (true) {
        if (hangUps.tryAcquire(1, TimeUnit.SECONDS)) {
          hangUps.drainPermits();
          RunPlan next = reread(plan, publisher);
          if (next != null) {
            return next;
          }
        }
        following.check();
      }
    }
  }

  /** The settings as they are now; null if something is wrong with them. */
  private @Nullable RunPlan reread(RunPlan before, StatusPublisher publisher) {
    try {
      RunPlan next = loader.load();
      if (!next.store().equals(before.store()) || !next.identity().equals(before.identity())) {
        throw new UsageException(
            "archive, store, zone or disorder-bound have changed: restart kblake run to apply"
                + " them");
      }
      publisher.listen(next.settings().listen());
      List<RunSettings.Line> changed =
          next.settings().lines().stream()
              .filter(line -> !before.settings().lines().contains(line))
              .toList();
      log.info(
          "settings read again",
          changed.stream().flatMap(line -> List.of(line.key(), line.value()).stream()).toArray());
      return next;
    } catch (UsageException | IOException e) {
      log.warn("settings are not changed", "problem", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * Looks whether there is an archive. One that does not answer may be there, and is followed when
   * it answers.
   *
   * @throws UnavailableException if it is no directory that can be read
   */
  private static void look(Archive archive) throws UnavailableException, InterruptedException {
    ExecutorService looks = Executors.newSingleThreadExecutor(Threads.named("kblake-look-"));
    try {
      archive.askedThrough(new TimedDirectoryAccess(looks)).look();
    } catch (UnavailableException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!(e.getCause() instanceof AccessTimeoutException)) {
        throw e;
      }
    } finally {
      looks.shutdownNow();
    }
  }

  /**
   * Reads the settings and runs.
   *
   * @param quiet whether the log has problems only
   */
  public static void run(
      Loader loader, boolean standby, boolean quiet, PrintStream err, Clock clock)
      throws IOException, InterruptedException {
    RunPlan first = loader.load();
    look(first.archive());
    RunLog log =
        new RunLog(
            err, clock, first.settings().constant(RunSetting.LOG_FORMAT, LogFormat.class), quiet);
    log.takeOverLibraries();
    new RunProcess(loader, log, clock).run(first, standby);
  }
}
