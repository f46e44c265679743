package org.kblake.ingest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.kblake.core.log.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.store.Coverage;
import org.kblake.core.store.Store;

/**
 * Transcodes an archive, or a part of one, into a store: every whole segment asked for that no
 * block holds yet. Groups go side by side, each one's segments in log order. Stopped at any moment
 * and run again it goes on where the last durable block ends; run once more it finds nothing to do.
 */
public final class Backfill {

  private final Archive archive;
  private final Store store;
  private final BackfillSettings settings;
  private final BackfillProgress progress;
  private final BackfillListener listener;

  /**
   * @param store open for writing; not closed here
   */
  public Backfill(
      Archive archive, Store store, BackfillSettings settings, BackfillListener listener) {
    this.archive = archive;
    this.store = store;
    this.settings = settings;
    this.listener = listener;
    this.progress = new BackfillProgress(listener);
  }

  /**
   * Does it all.
   *
   * @throws IOException if the store cannot be written, such as on a full disk; blocks made before
   *     stay
   * @throws InterruptedException if the calling thread is interrupted; blocks made before stay
   */
  public BackfillSummary run() throws IOException, InterruptedException {
    List<GroupPlan> plans = new ArrayList<>();
    long covered = 0;
    long planned = 0;
    for (Group group : groups()) {
      Coverage coverage = BlockCheck.coverage(archive, store, group, progress);
      GroupPlan plan =
          GroupPlan.of(
              archive,
              group,
              settings.range(),
              coverage,
              problem -> progress.problem(group, problem));
      covered += plan.coveredBytes();
      planned += plan.bytes();
      plans.add(plan);
    }
    listener.planned(planned);
    transcode(plans);
    return progress.summary(covered);
  }

  /** Does what plans say, of no matter which segments. */
  void transcode(List<GroupPlan> wanted) throws IOException, InterruptedException {
    List<GroupPlan> plans = new ArrayList<>(wanted);
    // The longest first: the cores are then busy to the end.
    plans.sort(Comparator.comparingLong(GroupPlan::bytes).reversed());
    plans.removeIf(plan -> plan.parts().isEmpty());
    if (!plans.isEmpty()) {
      runGroups(plans);
    }
  }

  private List<Group> groups() throws IOException {
    return settings.groups().isEmpty() ? archive.groups() : settings.groups();
  }

  private void runGroups(List<GroupPlan> plans) throws IOException, InterruptedException {
    int workers = Math.min(settings.threads(), plans.size());
    ExecutorService groups = Executors.newFixedThreadPool(workers, named("kblake-scan-"));
    ExecutorService encoders =
        Executors.newFixedThreadPool(settings.threads(), named("kblake-encode-"));
    Semaphore cores = new Semaphore(settings.threads());
    RowEncoding encoding = new RowEncoding(encoders, cores, settings.threads(), settings.profile());
    PacedReads pace = new PacedReads(settings.ioLimitBytesPerSecond());
    // Where there are cores to spare, a group's next block is scanned while one is encoded.
    int blocks = blocksAtOnce(settings.threads(), workers);
    ExecutorService sealers = Executors.newCachedThreadPool(named("kblake-seal-"));
    long rowBytes = settings.memoryBytes() / workers / blocks;
    ThreadLocal<Sealer> sealer =
        ThreadLocal.withInitial(
            () ->
                new Sealer(
                    Stream.generate(
                            () -> new ScatteredRows(new RowMemory(rowBytes, store.directory())))
                        .limit(blocks)
                        .toList(),
                    sealers,
                    cores));
    try {
      CompletionService<Void> running = new ExecutorCompletionService<>(groups);
      for (GroupPlan plan : plans) {
        running.submit(
            () -> {
              new GroupBackfill(
                      store,
                      plan,
                      settings.profile(),
                      encoding,
                      sealer.get(),
                      pace,
                      cores,
                      progress)
                  .run();
              return null;
            });
      }
      for (int i = 0; i < plans.size(); i++) {
        await(running);
      }
    } finally {
      groups.shutdownNow();
      sealers.shutdownNow();
      awaitEnd(groups);
      awaitEnd(sealers);
      encoders.shutdownNow();
      awaitEnd(encoders);
    }
  }

  /** How many blocks of a group have rows in memory at a time. */
  static int blocksAtOnce(int threads, int groups) {
    return threads > groups ? 2 : 1;
  }

  private static void await(CompletionService<Void> running)
      throws IOException, InterruptedException {
    try {
      running.take().get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      if (cause instanceof InterruptedException || cause instanceof CancellationException) {
        throw new InterruptedException("backfill was stopped");
      }
      throw new IllegalStateException("backfill failed: " + cause, cause);
    }
  }

  /** Nothing may go on writing when this object is done, even if somebody is in a hurry. */
  private static void awaitEnd(ExecutorService service) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = service.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, prefix + number.incrementAndGet());
  }
}
