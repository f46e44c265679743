package org.kblake.ingest.internal.backfill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.store.Store;
import org.kblake.core.log.Coverage;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.pace.PacedAccess;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.transcode.BackfillPlan;
import org.kblake.ingest.internal.transcode.PlanDivision;
import org.kblake.ingest.internal.transcode.Transcoder;

/**
 * Transcodes an archive, or a part of it, into a store: every requested whole segment that is in no
 * block. Groups are done in parallel, and so are plans of a large group. The segments of each are
 * done in log order. A backfill that was stopped continues with the segments that are in no durable
 * block. A second backfill finds nothing to do.
 */
public final class Backfill {

  /** Stands for all groups of a system. */
  private static final String ANY = "*";

  private final Archive archive;
  private final Store store;
  private final BackfillSettings settings;
  private final BackfillProgress progress;
  private final BackfillListener listener;
  private final PairSnapshots snapshots = new PairSnapshots();

  /**
   * @param store open for writing; not closed here
   */
  public Backfill(
      Archive archive, Store store, BackfillSettings settings, BackfillListener listener) {
    this.archive = PacedAccess.of(archive, new RateLimit(settings.ioLimitBytesPerSecond()));
    this.store = store;
    this.settings = settings;
    this.listener = listener;
    this.progress = new BackfillProgress(listener);
  }

  /**
   * Runs the backfill.
   *
   * @throws IOException if the store cannot be written, such as on a full disk; blocks made before
   *     stay
   * @throws InterruptedException if the calling thread is interrupted; blocks made before stay
   */
  public BackfillSummary run() throws IOException, InterruptedException {
    List<BackfillPlan> plans = new ArrayList<>();
    long covered = 0;
    long planned = 0;
    for (Group group : groups()) {
      BackfillPlan plan = plan(group);
      covered += plan.coveredBytes();
      planned += plan.bytes();
      plans.add(plan);
    }
    listener.planned(planned);
    transcode(plans);
    return progress.summary(covered);
  }

  private BackfillPlan plan(Group group) throws IOException {
    Coverage coverage;
    try {
      coverage = BlockCheck.coverage(archive, store, group, snapshots, progress::problem);
    } catch (IOException e) {
      progress.problem(group, BlockCheck.unreadable(e));
      return new BackfillPlan(group, List.of(), 0, snapshots);
    }
    return BackfillPlan.of(
        archive,
        group,
        store.has(group),
        settings.range(),
        coverage,
        snapshots,
        problem -> progress.problem(group, problem));
  }

  /** Transcodes the segments of plans, which may be any segments. */
  void transcode(List<BackfillPlan> wanted) throws IOException, InterruptedException {
    List<BackfillPlan> plans = new ArrayList<>(wanted);
    // The longest plan is first, so that all cores are busy to the end.
    plans.sort(Comparator.comparingLong(BackfillPlan::bytes).reversed());
    plans.removeIf(plan -> plan.ranges().isEmpty());
    if (!plans.isEmpty()) {
      runPlans(PlanDivision.of(plans, settings.threads(), settings.memoryBytes()));
    }
  }

  private List<Group> groups() throws IOException {
    if (!settings.groups().isEmpty()) {
      return settings.groups();
    }
    Set<Group> known = new LinkedHashSet<>(archive.groups());
    StoreGroups stored = store.listedGroups();
    stored.unlisted().forEach((system, why) -> progress.problem(new Group(system, ANY), why));
    known.addAll(stored.groups());
    return List.copyOf(known);
  }

  private void runPlans(List<BackfillPlan> plans) throws IOException, InterruptedException {
    int workers = Math.min(settings.threads(), plans.size());
    ExecutorService scans = Executors.newFixedThreadPool(workers, Threads.named("kblake-scan-"));
    Transcoder transcoder =
        new Transcoder(
            store,
            settings.profile(),
            new Transcoder.Limits(settings.threads(), workers, settings.memoryBytes()));
    try {
      CompletionService<Void> running = new ExecutorCompletionService<>(scans);
      for (BackfillPlan plan : plans) {
        running.submit(
            () -> {
              transcode(transcoder, plan);
              return null;
            });
      }
      for (int i = 0; i < plans.size(); i++) {
        Threads.result(running.take(), "backfill");
      }
    } finally {
      scans.shutdownNow();
      transcoder.close();
      Threads.awaitEnd(scans);
    }
  }

  private void transcode(Transcoder transcoder, BackfillPlan plan)
      throws IOException, InterruptedException {
    try {
      transcoder.transcode(plan, progress);
    } catch (IOException e) {
      progress.problem(plan.group(), BlockCheck.unreadable(e));
    }
  }
}
