package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.mirror.MirrorUpdater;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedStretches;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.ingest.internal.live.state.PeriodicTasks;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.PacedAccess;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.transcode.Transcoder;

/**
 * Keeps a store complete while its archive grows, and within its budget. Nothing needs to be
 * remembered from one run to the next: what is to be done is found in archive and store, so a run
 * may end at any moment.
 */
public final class FollowService {

  /** Trash, budget, other groups, proofs, merges and copies, none of which waits for another. */
  private static final int BACKGROUND = 6;

  private static final long TRASH_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long MOST_KEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Archive archive;
  private final Store store;
  private final FollowSettings settings;
  private final FollowListener listener;
  private final Clock clock;
  private final @Nullable FollowService before;
  private final Problems problems;
  private final PendingAccesses pending;
  private final Counters counters;
  private volatile @Nullable FollowedGroups groups;
  private volatile @Nullable Scrub scrub;
  private final CompletableFuture<RequestedBackfill> requested = new CompletableFuture<>();
  private volatile @Nullable MirrorUpdater mirrorUpdater;
  private volatile boolean left;
  private volatile boolean takenOver;
  private volatile boolean ended;

  /**
   * @param store open for writing; not closed here
   */
  public FollowService(
      Archive archive, Store store, FollowSettings settings, FollowListener listener, Clock clock) {
    this(archive, store, settings, new Counters(), listener, clock, null);
  }

  /**
   * @param store open for writing; not closed here
   * @param counters continue where they are
   * @param before what this takes over from, which may not have ended where a volume keeps its
   *     threads waiting: their groups are followed when they have ended; null if there is none
   */
  public FollowService(
      Archive archive,
      Store store,
      FollowSettings settings,
      Counters counters,
      FollowListener listener,
      Clock clock,
      @Nullable FollowService before) {
    this.before = before;
    if (before != null) {
      before.takenOver = true;
    }
    pending = new PendingAccesses(settings.times().silenceNanos());
    this.archive =
        pending.of(PacedAccess.of(archive, new RateLimit(settings.ioLimitBytesPerSecond())));
    this.store = store;
    this.settings = settings;
    this.counters = counters;
    this.listener = listener;
    this.clock = clock;
    problems = new Problems(listener, counters);
  }

  /** How each group stands, sorted. */
  public List<GroupState> groups() {
    FollowedGroups followed = groups;
    return followed == null ? List.of() : followed.all().stream().map(GroupWork::state).toList();
  }

  /**
   * Whether there is an account of every group, so that {@link #groups} tells of all; a group that
   * cannot be accessed does not count.
   */
  public boolean ready() {
    FollowedGroups followed = groups;
    return followed != null && followed.looked() && !left;
  }

  /**
   * The groups that are not followed at present, sorted: their volume does not answer, or they were
   * not looked at yet. {@code SYSTEM/*} stands for the groups of a directory that does not answer
   * and of which none is known.
   */
  public List<String> waiting() {
    FollowedGroups followed = groups;
    return followed == null ? List.of() : followed.waiting();
  }

  /**
   * Begins nothing any more, since another one takes over. To be called before the thread of {@link
   * #run} is interrupted.
   */
  public void leave() {
    left = true;
    FollowedGroups followed = groups;
    if (followed != null) {
      followed.leave();
    }
  }

  /**
   * Whether a thread of this waits at present for a volume that has not answered for {@link
   * FollowTimes#silenceNanos}. It may continue for ever; all others end soon after the thread of
   * {@link #run} was interrupted.
   */
  public boolean isHeldUp() {
    FollowedGroups followed = groups;
    return followed != null && followed.isHeldUp();
  }

  /** Whether a thread of this, or of what this took over from, is still at work on a group. */
  private boolean isBusy(Group group) {
    FollowedGroups followed = groups;
    MirrorUpdater updater = mirrorUpdater;
    boolean busy =
        followed != null && followed.isBusy(group) || updater != null && updater.isBusy(group);
    return busy && !ended || isHeld(group);
  }

  /**
   * This, if it has not ended, or else what it took over from and has not ended; null if all has.
   */
  public @Nullable FollowService remaining() {
    if (!ended) {
      return this;
    }
    return before == null ? null : before.remaining();
  }

  private boolean isHeld(Group group) {
    return before != null && before.isBusy(group);
  }

  /** What happened so far. */
  public Counters counters() {
    return counters;
  }

  /** How long ago the block was proved, or made, that waits longest for it. */
  public Duration scrubAge() {
    Scrub proving = scrub;
    return proving == null ? Duration.ZERO : proving.age();
  }

  /** Bytes of the mirror; 0 where there is none. */
  public long mirrorBytes() {
    MirrorUpdater updater = mirrorUpdater;
    return updater == null ? 0 : updater.bytes();
  }

  /** What is wrong at present. */
  public List<String> problems() {
    return problems.messages();
  }

  /**
   * Puts a part of the archive into columns beside following, whatever mode its groups have, and
   * returns when that is done. For one thread at a time, while another one is in {@link #run}; it
   * is to be interrupted before that one is.
   *
   * @param listener receives its progress, as the listener of all does
   * @throws IOException if the archive cannot be listed or the store cannot be written; blocks made
   *     before stay
   * @throws InterruptedException if interrupted; blocks made before stay, and no more are begun
   */
  public BackfillSummary backfill(BackfillRequest request, BackfillListener listener)
      throws IOException, InterruptedException {
    return requested().run(request, listener);
  }

  /**
   * The groups that the archive shows, of which {@link #backfill} may be asked. A directory that
   * does not answer counts as one that cannot be listed.
   *
   * @throws IOException if the archive's root cannot be listed
   */
  public ArchiveGroups shownGroups() throws IOException, InterruptedException {
    return requested().shownGroups();
  }

  /** Waits until following has begun. */
  private RequestedBackfill requested() throws InterruptedException {
    try {
      return requested.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("following has not begun", e);
    }
  }

  /**
   * Follows until the calling thread is interrupted; when this returns nothing is written any more.
   *
   * @throws IOException if the store cannot be looked at
   */
  public void run() throws IOException {
    EvictedStretches evicted = new EvictedStretches(store.directory());
    FollowTimes times = settings.times();
    BudgetHeadroom headroom = new BudgetHeadroom(settings.cache().isBounded());
    ScheduledExecutorService ticks =
        Executors.newSingleThreadScheduledExecutor(Threads.named("kblake-tick-"));
    // A volume that does not answer holds up the looks at its groups, however many, and no others.
    ExecutorService looks = Executors.newCachedThreadPool(Threads.named("kblake-look-"));
    Archive timedArchive = archive.askedThrough(new TimedDirectoryAccess(looks, archive.access()));
    SilentGroups silent = new SilentGroups(pending, times.silenceNanos(), problems);
    ScheduledExecutorService background =
        Executors.newScheduledThreadPool(BACKGROUND, Threads.named("kblake-background-"));
    ExecutorService workers =
        Executors.newFixedThreadPool(settings.threads(), Threads.named("kblake-work-"));
    Transcoder transcoder =
        new Transcoder(
            store,
            settings.profile(),
            new Transcoder.Limits(settings.threads(), settings.threads(), settings.memoryBytes()));
    FollowContext context =
        new FollowContext(
            archive,
            store,
            settings,
            transcoder,
            evicted,
            headroom,
            counters,
            problems,
            listener,
            clock);
    FollowedGroups followed =
        new FollowedGroups(
            archive,
            timedArchive,
            store,
            settings,
            problems,
            silent,
            ticks,
            looks,
            workers,
            group -> new GroupWork(context, group),
            this::isHeld);
    groups = followed;
    BudgetKeeper keeper = new BudgetKeeper(context, followed);
    Scrub proving = new Scrub(context, followed);
    scrub = proving;
    requested.complete(
        new RequestedBackfill(
            archive, timedArchive, pending, silent, looks, store, followed, headroom, settings));
    BlockMerger merger = new BlockMerger(context, timedArchive, followed);
    MirrorUpdater updater = new MirrorUpdater(context, followed, looks);
    mirrorUpdater = updater;
    ChangeWatcher watcher = new ChangeWatcher(archive, followed, problems);
    try {
      PeriodicTasks tasks = new PeriodicTasks(problems);
      long keepNanos = Math.min(MOST_KEEP_NANOS, 10 * settings.poll().toNanos());
      tasks.repeat(ticks, "groups cannot be listed", 0, times.listingNanos(), followed::discover);
      tasks.repeat(
          ticks,
          "silent groups cannot be found",
          times.lookForSilenceNanos(),
          times.lookForSilenceNanos(),
          followed::lookForSilence);
      tasks.repeat(background, "trash cannot be emptied", 0, TRASH_NANOS, store::emptyTrash);
      tasks.repeat(
          background,
          "blocks of other groups cannot be found",
          keepNanos,
          keepNanos,
          () -> followed.adopt(store.listedGroups().groups()));
      tasks.repeat(background, "budget cannot be kept", keepNanos, keepNanos, keeper::run);
      tasks.repeat(background, "blocks cannot be verified", keepNanos, keepNanos, proving::run);
      long pollNanos = settings.poll().toNanos();
      tasks.repeat(background, "logs cannot be mirrored", 0, pollNanos, updater::run);
      tasks.repeat(background, "blocks cannot be merged", keepNanos, keepNanos, merger::run);
      looks.execute(watcher::run);
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // Asked to end.
    } finally {
      ticks.shutdownNow();
      looks.shutdownNow();
      background.shutdownNow();
      workers.shutdownNow();
      transcoder.close();
      Threads.awaitEnd(workers);
      Threads.awaitEnd(background);
      Threads.awaitEnd(looks);
      ended = true;
    }
    if (!takenOver) {
      keeper.end();
      proving.end();
    }
  }
}
