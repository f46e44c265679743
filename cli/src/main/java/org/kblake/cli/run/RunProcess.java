package org.kblake.cli.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.handover.RequestSocket;
import org.kblake.cli.process.ProcessSignal;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.run.follow.FollowThread;
import org.kblake.cli.run.follow.RunPlan;
import org.kblake.cli.run.request.RequestQueue;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.cli.run.status.StatusFile;
import org.kblake.cli.settings.ShownSetting;
import org.kblake.cli.standby.Latch;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess.AccessTimeoutException;
import org.kblake.core.internal.store.Store;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.TimedDirectoryAccess;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.transfer.build.Gatherer;

/**
 * The process of {@code kblake run}. It locks the store, follows the archive, carries out requests,
 * and publishes its status. On SIGHUP it reads its settings again, and begins to follow again under
 * the same lock.
 */
public final class RunProcess {

  /** With this begin keys that are not read again. */
  private static final String OF_START = "run.gather";

  private final Loader loader;
  private final RunLog log;
  private final Clock clock;
  private final RunCounters counters;
  private final Semaphore hangUps = new Semaphore(0);
  private final SystemdNotifier systemd;
  private volatile @Nullable FollowService followed;

  /** Says which host works; null if only the lock of the store does. */
  private @Nullable Latch latch;

  /** A reader of the settings. */
  public interface Loader {
    /**
     * Reads the settings.
     *
     * @throws UsageException if a setting is wrong; the message names it
     * @throws IOException if the archive cannot be opened
     */
    RunPlan load() throws IOException;
  }

  RunProcess(Loader loader, RunLog log, Clock clock, Map<String, String> variables) {
    systemd = new SystemdNotifier(variables, log);
    this.loader = loader;
    this.log = log;
    this.clock = clock;
    counters = new RunCounters(log);
  }

  /**
   * Runs until the calling thread is interrupted. Then it waits until the present work is complete,
   * without a time limit. If a volume does not respond, it waits for {@link
   * FollowThread#STOP_TIMEOUT} only. The work on that volume is then incomplete, as after a kill.
   *
   * @param first the plan until the settings are read again
   * @param standby whether to wait for a store that another process has locked
   * @throws IOException if the store cannot be opened
   * @throws InterruptedException when the thread is interrupted
   */
  void run(RunPlan first, boolean standby) throws IOException, InterruptedException {
    if (standby) {
      systemd.begin(state(() -> true));
    }
    String servers = first.settings().find(RunSetting.ZOOKEEPER);
    try (Latch across = standby && servers != null ? Standby.await(servers, log) : null) {
      latch = across;
      open(first, standby);
    } finally {
      systemd.close();
    }
  }

  private void open(RunPlan first, boolean standby) throws IOException, InterruptedException {
    boolean listens = ProcessSignal.listen("HUP", hangUps::release);
    Path directory = first.store();
    Store opened =
        standby
            ? Standby.open(directory, first.identity(), log)
            : Store.openForRequests(directory, first.identity());
    try (HeldStore held = new HeldStore(opened, new ArrayList<>());
        Gatherer gatherer = Gathering.start(first.settings(), first.archive(), log)) {
      log.info(
          "started",
          "pid",
          ThisProcess.pid(),
          "archive",
          first.archive().root(),
          "store",
          directory,
          "settings",
          Objects.requireNonNullElse(first.settings().file(), "no file"),
          "rereadsSettings",
          listens ? "on SIGHUP" : "never");
      if (gatherer != null) {
        log.info("gather", "collectors", gatherer.collectors());
      }
      try {
        publishAndFollow(first, standby, held, gatherer);
      } finally {
        log.info("stopped");
      }
    }
  }

  /** Returns the state of the process for systemd. A process that stands by follows no group. */
  private SystemdNotifier.State state(BooleanSupplier ready) {
    return new SystemdNotifier.State() {
      @Override
      public boolean isReady() {
        return ready.getAsBoolean();
      }

      @Override
      public List<String> overdue() {
        FollowService service = followed;
        return service == null ? List.of() : service.overdue();
      }

      @Override
      public String summary() {
        FollowService service = followed;
        return service == null
            ? "stands by"
            : "follows "
                + service.groups().size()
                + " groups, "
                + service.problems().size()
                + " problems";
      }
    };
  }

  /**
   * A store that is open for writing, and the threads that write it. A thread that waits for a
   * volume that does not respond may write later. The store then stays locked until this process
   * ends.
   */
  private record HeldStore(Store store, List<FollowThread> followings) implements Closeable {
    @Override
    public void close() throws IOException {
      if (followings.stream().allMatch(FollowThread::hasEnded)) {
        store.close();
      }
    }
  }

  private void publishAndFollow(
      RunPlan first, boolean standby, HeldStore held, @Nullable Gatherer gatherer)
      throws IOException, InterruptedException {
    Store store = held.store;
    List<FollowThread> all = held.followings;
    RunMonitor monitor = new RunMonitor(store.directory(), counters, clock, gatherer);
    StatusFile file = new StatusFile(store.directory());
    try (RequestSocket socket = new RequestSocket(store.directory());
        StatusPublisher publisher = new StatusPublisher(monitor, counters, file, log)) {
      publisher.listen(first.settings());
      warnOfReadableSecrets(first.settings());
      RunPlan plan = first;
      try {
        while (true) {
          FollowThread before = all.isEmpty() ? null : all.get(all.size() - 1);
          FollowThread following = FollowThread.start(plan, store, counters, clock, before);
          all.add(following);
          followed = following.service();
          if (before == null && !standby) {
            systemd.begin(state(publisher::isReady));
          }
          plan = follow(plan, following, socket, publisher);
          following.endBeforeNext();
          all.removeIf(each -> each != following && each.hasEnded());
        }
      } finally {
        systemd.close();
        all.forEach(FollowThread::end);
        long untilNanos = System.nanoTime() + FollowThread.STOP_TIMEOUT.toNanos();
        all.forEach(each -> each.awaitEnd(untilNanos));
      }
    }
  }

  private void warnOfReadableSecrets(RunSettings settings) {
    settings.readableSecrets().forEach(line -> log.warn("token is no secret", "problem", line));
  }

  /**
   * Follows until the settings change.
   *
   * @return the plan of the new settings
   */
  private RunPlan follow(
      RunPlan plan, FollowThread following, RequestSocket socket, StatusPublisher publisher)
      throws IOException, InterruptedException {
    try (RequestQueue queue =
        RequestQueue.open(following.service(), socket, publisher::resetCounters, log)) {
      publisher.show(following.service(), queue, plan.settings());
      while (true) {
        if (hangUps.tryAcquire(1, TimeUnit.SECONDS)) {
          hangUps.drainPermits();
          RunPlan next = reread(plan, publisher);
          if (next != null) {
            return next;
          }
        }
        publisher.readTokensAgain();
        following.check();
        Latch across = latch;
        if (across != null && !across.isHeld()) {
          throw new RequestException("another host has taken over; start again to stand by");
        }
      }
    }
  }

  /** Reads the settings again. Returns null if they are wrong. */
  private @Nullable RunPlan reread(RunPlan before, StatusPublisher publisher) {
    try {
      RunPlan next = loader.load();
      if (!next.store().equals(before.store()) || !next.identity().equals(before.identity())) {
        throw new UsageException(
            "archive, store, zone or disorder-bound have changed: restart kblake run to apply"
                + " them");
      }
      publisher.listen(next.settings());
      warnOfReadableSecrets(next.settings());
      List<ShownSetting> changed =
          next.settings().lines().stream()
              .filter(line -> !before.settings().lines().contains(line))
              .toList();
      List<ShownSetting> ofStart =
          changed.stream().filter(line -> line.key().startsWith(OF_START)).toList();
      log.info(
          "settings read again",
          words(changed.stream().filter(line -> !ofStart.contains(line)).toList()));
      if (!ofStart.isEmpty()) {
        log.warn("settings apply at the next start of kblake run", words(ofStart));
      }
      log.format(next.settings().get(RunSetting.LOG_FORMAT));
      return next;
    } catch (UsageException | IOException e) {
      log.warn("settings are not changed", "problem", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Object[] words(List<ShownSetting> settings) {
    return settings.stream().flatMap(line -> Stream.of(line.key(), line.value())).toArray();
  }

  /**
   * Checks that the archive exists. An archive that does not respond is accepted, and is followed
   * when it responds.
   *
   * @throws UnavailableException if it is not a readable directory
   */
  private static void checkArchive(Archive archive)
      throws UnavailableException, InterruptedException {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(Threads.named("kblake-directory-"));
    try {
      archive.withAccess(new TimedDirectoryAccess(executor)).requireAvailable();
    } catch (UnavailableException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!(e.getCause() instanceof AccessTimeoutException)) {
        throw e;
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * Reads the settings and runs.
   *
   * @param quiet whether to log problems only
   * @param variables the environment
   */
  public static void run(
      Loader loader,
      boolean standby,
      boolean quiet,
      PrintStream err,
      Clock clock,
      Map<String, String> variables)
      throws IOException, InterruptedException {
    RunPlan first = loader.load();
    checkArchive(first.archive());
    RunLog log = new RunLog(err, clock, first.settings().get(RunSetting.LOG_FORMAT), quiet);
    log.takeOverLibraries();
    new RunProcess(loader, log, clock, variables).run(first, standby);
  }
}
