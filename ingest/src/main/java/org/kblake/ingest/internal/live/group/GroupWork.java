package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.live.group.AdmissionQueue.Admission;
import org.kblake.ingest.internal.live.state.BudgetHeadroom;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.GroupState;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.BackfillPlan;
import org.kblake.ingest.internal.transcode.TranscodeListener;
import org.kblake.ingest.internal.transcode.Transcoder;

/**
 * All work on one group. It seals segments that are due. It puts segments into columns that were
 * read from logs. It compares recent blocks with their logs again. For one thread at a time, except
 * {@link #state}, {@link #blocks}, {@link #admit}, and the methods that are marked for any thread.
 */
public final class GroupWork {

  /** The bytes of older log that are put into columns at a time, so that new segments wait less. */
  private static final long MAX_BYTES = 4L << 30;

  private final Archive archive;
  private final Store store;
  private final Group group;
  private final Mode mode;
  private final int sealEvents;
  private final Transcoder transcoder;
  private final BudgetHeadroom headroom;
  private final Counters counters;
  private final FollowListener listener;
  private final Problems problems;
  private final GroupBlocks blocks;
  private final PolledPairs pairs;
  private final GroupFollower follower;
  private final RecheckQueue recheckQueue;
  private final AdmissionQueue admissions = new AdmissionQueue();
  private final Queue<RequestedWork> asked = new ConcurrentLinkedQueue<>();

  private volatile @Nullable List<Pair> openPairs;

  /** Stamps of the pairs of blocks that were discarded because the log has other bytes. */
  private final Set<String> discardedStamps = ConcurrentHashMap.newKeySet();

  private volatile GroupState state;

  public GroupWork(FollowContext context, Group group) {
    this.group = group;
    archive = context.archive();
    store = context.store();
    transcoder = context.transcoder();
    headroom = context.headroom();
    counters = context.counters();
    problems = context.problems();
    listener = context.listener();
    FollowSettings settings = context.settings();
    mode = settings.cache().modeOf(group);
    sealEvents = settings.sealEvents();
    blocks = new GroupBlocks(store, context.evicted(), problems, group);
    pairs = new PolledPairs(archive, group, () -> store.has(group), settings, problems);
    follower = new GroupFollower(pairs, settings, problems, MAX_BYTES, context.clock());
    recheckQueue = new RecheckQueue(archive, settings, context.clock());
    state = GroupState.unknown(group);
  }

  public Group group() {
    return group;
  }

  /** Returns the state of the group at the end of the last poll. */
  public GroupState state() {
    return state;
  }

  /** Returns the blocks in use, in log order. */
  public List<Block> blocks() {
    return blocks.all();
  }

  /** Returns whether {@link #blocks} were listed. Before the first listing they are empty. */
  public boolean isListed() {
    return blocks.isListed();
  }

  /** Returns whether the blocks have to be listed, for the first time or again. For any thread. */
  public boolean isStale() {
    return blocks.isStale();
  }

  /** Returns the mode that decides when the group is put into columns. */
  public Mode mode() {
    return mode;
  }

  /**
   * Returns the pairs that may still change or are not completely in blocks, in log order, as of
   * the last poll; null while they are unknown. For any thread.
   */
  public @Nullable List<Pair> openPairs() {
    return openPairs;
  }

  /** Returns whether the last listing of the pairs succeeded and lacks a pair. For any thread. */
  public boolean isRemoved(String stamp) {
    return pairs.isRemoved(stamp);
  }

  /** Returns a pair by its stamp, whether the archive has it or not. */
  public Pair pair(String stamp) {
    return archive.pair(group, stamp);
  }

  /**
   * Returns the offset up to which a pair is without a gap in blocks that were compared with its
   * log after they were made. Evicted spans count, too. For any thread.
   */
  public long provedOffset(String stamp) throws IOException {
    return blocks.provedOffset(stamp, recheckQueue);
  }

  /** Returns whether a block of a pair was discarded since the last call. For any thread. */
  public boolean takeDiscarded(String stamp) {
    return discardedStamps.remove(stamp);
  }

  /** Notes that a block replaces smaller ones, which still exist. For any thread. */
  public void merged(List<Block> smaller, Block block) {
    recheckQueue.merged(smaller, block);
    blocks.setStale();
  }

  /** Returns whether a block is still in use. */
  public boolean holds(Block block) {
    return blocks.all().stream().anyMatch(block::isSameAs);
  }

  /**
   * Queues a range of the log to be put into columns, because it was read.
   *
   * @return false if the queue is full
   */
  public boolean admit(LogPosition from, LogPosition to) {
    return admissions.add(from, to);
  }

  /** Requests work that another thread waits for. For any thread. */
  public void request(RequestedWork requested) {
    asked.add(requested);
  }

  /** Returns whether requested work is waiting. For any thread. */
  public boolean hasRequest() {
    return !asked.isEmpty();
  }

  /**
   * Reads the attributes of the group's files.
   *
   * @return whether work is due for {@link #run}
   */
  public boolean poll() {
    boolean due = follower.poll(mostBytes());
    openPairs = pairs.openPairs();
    publish();
    return due || !admissions.isEmpty() || hasRequest() || recheckQueue.due() || blocks.isStale();
  }

  /**
   * Does the work that is due. If the blocks were not listed yet, it lists them and does no more.
   *
   * @throws IOException if the store cannot be written
   */
  public void run() throws IOException, InterruptedException {
    try {
      runDueWork();
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      for (RequestedWork requested = asked.poll(); requested != null; requested = asked.poll()) {
        requested.fail(e);
      }
      throw e;
    }
  }

  private void runDueWork() throws IOException, InterruptedException {
    boolean first = !blocks.isListed();
    if (pairs.replaced()) {
      BlockCheck.coverage(archive, store, group, new PairSnapshots(), problems::reportOfStore);
      pairs.clearReplaced();
      refresh();
    }
    if (blocks.takeStale()) {
      refresh();
    }
    if (first) {
      return;
    }
    if (recheckQueue.due()) {
      discard(recheckQueue.different(blocks.all()));
    }
    Reports reports = new Reports(null);
    RequestedWork requested = asked.poll();
    if (requested != null) {
      requested.run(this);
      if (requested.isCancelled()) {
        // The interrupt may have prevented the listing of new blocks.
        refresh();
      }
    }
    if (mode == Mode.FOLLOW) {
      // If a request waits, older log is put into columns for one step at most.
      long most = requested == null ? mostBytes() : Math.min(RequestedWork.MAX_BYTES, mostBytes());
      transcode(follower.due(blocks.withEvicted(), most), reports);
    }
    for (Admission next = admissions.next(); next != null; next = admissions.next()) {
      BackfillPlan plan = follower.within(next.from(), next.to(), blocks.coverage());
      counters.add(Count.ADMISSIONS, plan.ranges().size());
      transcode(plan, reports);
    }
    publish();
  }

  private long mostBytes() {
    return Math.min(MAX_BYTES, headroom.logBytes());
  }

  private void transcode(BackfillPlan plan, Reports reports)
      throws IOException, InterruptedException {
    if (!plan.ranges().isEmpty()) {
      long begin = System.nanoTime();
      try {
        transcoder.transcode(plan, reports);
      } finally {
        counters.add(Count.SEALING_NANOS, System.nanoTime() - begin);
        refresh();
      }
    }
  }

  /**
   * Puts the next step of a plan into columns, whether or not it is due.
   *
   * @param progress receives the progress, in addition to the listener of the service
   */
  public void transcodeNext(PlanSteps steps, long mostBytes, TranscodeListener progress)
      throws IOException, InterruptedException {
    BackfillPlan plan =
        steps.next(blocks.coverage(), mostBytes, problem -> progress.problem(group, problem));
    // Segments that were put into columns after the planning count as done.
    progress.scanned(group, plan.coveredBytes(), 0);
    transcode(plan, new Reports(progress));
  }

  private void discard(List<RecheckQueue.Different> different) throws IOException {
    for (RecheckQueue.Different each : different) {
      if (!store.discard(each.block())) {
        // The block was merged meanwhile. The merged block is compared next, because this block
        // differed.
        continue;
      }
      counters.add(Count.REMADE_BLOCKS, 1);
      listener.discarded(each.block(), each.why());
      each.block().spans().forEach(span -> discardedStamps.add(span.stamp()));
    }
    if (!different.isEmpty()) {
      refreshAfterRemoval();
    }
  }

  /**
   * Lists the blocks after some were removed. The pairs are opened again, to find the segments that
   * are in no block now.
   */
  public void refreshAfterRemoval() throws IOException {
    refresh();
    pairs.openAllAgain();
  }

  /** Lists the blocks again. */
  public void refresh() throws IOException {
    blocks.list();
    follower.setSealSize(blocks.sealSize(sealEvents));
    publish();
  }

  private synchronized void publish() {
    BlockTotals totals = blocks.totals();
    long pendingBytes = pairs.pendingBytes(blocks.withEvicted());
    boolean behind = pendingBytes > 0 && mode == Mode.FOLLOW && !pairs.gathers();
    state =
        new GroupState(
            group,
            mode,
            totals.blocks(),
            totals.rawBytes(),
            totals.storedBytes(),
            totals.bytesPerDay(),
            pendingBytes,
            behind ? pairs.behindNanos(totals.newestNanos()) : 0,
            pairs.answeredNanos(),
            pairs.newestNanos(totals.newestNanos()),
            pairs.isAway());
  }

  /** Adds a block to the state before the blocks are listed again. */
  private synchronized void add(Block block, long storedBytes) {
    state = state.with(block, storedBytes);
  }

  /** Counts and reports the transcoder's results for this group. */
  private final class Reports implements TranscodeListener {
    private final @Nullable TranscodeListener requester;

    /**
     * @param requester receives the same calls; may be null
     */
    Reports(@Nullable TranscodeListener requester) {
      this.requester = requester;
    }

    @Override
    public void scanned(Group of, long rawBytes, long events) {
      if (requester != null) {
        requester.scanned(of, rawBytes, events);
      }
    }

    @Override
    public void committed(Block block) throws IOException {
      long storedBytes = block.storedBytes();
      counters.add(Count.SEALED_BLOCKS, 1);
      counters.add(Count.SEALED_EVENTS, block.summary().events());
      counters.add(Count.SEALED_LOG_BYTES, block.summary().rawBytes());
      counters.add(Count.STORED_BYTES, storedBytes);
      add(block, storedBytes);
      listener.sealed(block, storedBytes);
      if (requester != null) {
        requester.committed(block);
      }
    }

    /** Reports nothing to the service, because the pair is listed at again soon. */
    @Override
    public void pending(Group of, String message) {
      if (requester != null) {
        requester.pending(of, message);
      }
    }

    @Override
    public void problem(Group of, String message) {
      problems.reportOfArchive(of, message);
      if (requester != null) {
        requester.problem(of, message);
      }
    }
  }
}
