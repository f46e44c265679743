package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.pace.PacedAccess;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.ingest.internal.transcode.Transcoder;

/**
 * Keeps a store complete while its archive grows, and within its budget. A run needs no state of an
 * earlier run. It finds the work that is due from the contents of archive and store. It may end at
 * any moment.
 */
public final class FollowService {

  private final Archive archive;
  private final Store store;
  private final FollowSettings settings;
  private final FollowListener listener;
  private final Clock clock;
  private final @Nullable FollowService predecessor;
  private final Problems problems;
  private final PendingAccesses pending;
  private final Counters counters;
  private final CompletableFuture<RequestedBackfill> requested = new CompletableFuture<>();
  private volatile @Nullable FollowTasks following;
  private volatile boolean leaving;
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
   * @param counters the counters of the work, which are not reset
   * @param predecessor the service that this one replaces; null if there is none. Its threads may
   *     still wait for a volume. Their groups are followed when these threads have ended.
   */
  public FollowService(
      Archive archive,
      Store store,
      FollowSettings settings,
      Counters counters,
      FollowListener listener,
      Clock clock,
      @Nullable FollowService predecessor) {
    this.predecessor = predecessor;
    if (predecessor != null) {
      predecessor.takenOver = true;
    }
    pending = new PendingAccesses(settings.times().responseLimitNanos());
    this.archive =
        pending.of(
            PacedAccess.of(
                archive, new RateLimit(settings.ioLimitBytesPerSecond(), settings.times().time())));
    this.store = store;
    this.settings = settings;
    this.counters = counters;
    this.listener = listener;
    this.clock = clock;
    problems = new Problems(listener, counters);
  }

  /** Asks the threads of this service; returns another answer before they begin. */
  private <T> T ask(Function<FollowTasks, T> question, T before) {
    FollowTasks begun = following;
    return begun == null ? before : question.apply(begun);
  }

  /** Returns the state of each group, sorted by group. */
  public List<GroupState> groups() {
    return ask(begun -> begun.groups.all().stream().map(GroupWork::state).toList(), List.of());
  }

  /**
   * Returns whether the state of every group is known, so that {@link #groups} is complete. A group
   * that cannot be accessed does not count.
   */
  public boolean ready() {
    return ask(begun -> begun.groups.allListed(), false) && !leaving;
  }

  /**
   * Returns the groups that are not followed at present, sorted: their volume does not answer, or
   * they were not polled yet. {@code SYSTEM/*} stands for the groups of a directory that does not
   * answer, if no group of it is known.
   */
  public List<String> waiting() {
    return ask(begun -> begun.groups.waiting(), List.of());
  }

  /**
   * Returns the groups at which no thread has looked for long, although their volumes are not
   * unresponsive; {@code all groups} if the timers of this service have stopped. Then this process
   * has a fault, and a restart helps. Empty in good order, and before and after {@link #run}.
   */
  public List<String> overdue() {
    return leaving || ended ? List.of() : ask(begun -> begun.unresponsive.overdue(), List.of());
  }

  /**
   * Begins no more work, because another service takes over. Call this before the thread of {@link
   * #run} is interrupted.
   */
  public void stopNewWork() {
    leaving = true;
    FollowTasks begun = following;
    if (begun != null) {
      begun.groups.stopNewWork();
    }
  }

  /**
   * Returns whether a thread of this service waits for a volume that has not answered for {@link
   * FollowTimes#responseLimitNanos}. That thread may never end. All other threads end soon after
   * the thread of {@link #run} is interrupted.
   */
  public boolean isHeldUp() {
    return ask(begun -> begun.groups.isHeldUp(), false);
  }

  /**
   * Returns whether a thread of this service, or of one that it replaced, still works on a group.
   */
  private boolean isBusy(Group group) {
    boolean busy = ask(begun -> begun.groups.isBusy(group) || begun.mirror.isBusy(group), false);
    return busy && !ended || isHeld(group);
  }

  /**
   * Returns this service if it has not ended, else the one that it replaced and that has not ended;
   * null if all have ended.
   */
  public @Nullable FollowService remaining() {
    if (!ended) {
      return this;
    }
    return predecessor == null ? null : predecessor.remaining();
  }

  private boolean isHeld(Group group) {
    return predecessor != null && predecessor.isBusy(group);
  }

  /** Returns the counters of the work so far. */
  public Counters counters() {
    return counters;
  }

  /**
   * Returns the time since the oldest verification of a block. A block that was never verified
   * counts from the time it was made.
   */
  public Duration scrubAge() {
    return ask(begun -> begun.scrub.age(), Duration.ZERO);
  }

  /** Returns the bytes of the mirror; 0 if there is none. */
  public long mirrorBytes() {
    return ask(begun -> begun.mirror.bytes(), 0L);
  }

  /** Returns the messages of all present problems. */
  public List<String> problems() {
    return problems.messages();
  }

  /**
   * Puts a part of the archive into columns while following continues, whatever the modes of its
   * groups are. Returns when this is done. One thread at a time may call this, while another thread
   * is in {@link #run}. Interrupt the caller of this method before the thread in {@link #run}.
   *
   * @param listener receives the progress of this backfill, in addition to the listener of the
   *     service
   * @throws IOException if the archive cannot be listed or the store cannot be written; blocks made
   *     before stay
   * @throws InterruptedException if interrupted; blocks made before stay, and no more are begun
   */
  public BackfillSummary backfill(BackfillRequest request, BackfillListener listener)
      throws IOException, InterruptedException {
    return requested().run(request, listener);
  }

  /**
   * Removes what the store keeps of a group that the archive does not have.
   *
   * @param force whether a group may be forgotten that is only away, or whose only copy is the
   *     store
   * @throws IllegalArgumentException if the group must not be forgotten; the message has the reason
   */
  public void forget(Group group, boolean force) throws IOException, InterruptedException {
    requested().forget(group, force);
  }

  /**
   * Returns the groups that the archive shows, which {@link #backfill} accepts. A directory that
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
   * Follows until the calling thread is interrupted. After this returns, nothing is written.
   *
   * @throws IOException if the store cannot be read
   */
  public void run() throws IOException {
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
            new EvictedSpans(store.directory()),
            new BudgetHeadroom(settings.cache().isBounded()),
            counters,
            problems,
            listener,
            clock);
    FollowTasks begun = new FollowTasks(context, pending, this::isHeld);
    following = begun;
    requested.complete(begun.requested);
    try {
      begun.run();
    } finally {
      ended = true;
    }
    if (!takenOver) {
      begun.writeState();
    }
  }
}
