package org.kblake.ingest.live;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.Pair;
import org.kblake.core.model.Group;
import org.kblake.core.store.Block;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.Coverage;
import org.kblake.core.store.LogPosition;
import org.kblake.core.store.Store;
import org.kblake.core.store.Stretch;
import org.kblake.ingest.BlockCheck;
import org.kblake.ingest.GroupPlan;
import org.kblake.ingest.TranscodeListener;
import org.kblake.ingest.Transcoder;
import org.kblake.ingest.live.CacheSettings.Mode;
import org.kblake.ingest.live.Counters.Count;

/**
 * Everything that is done for one group: sealing what is due, putting into columns what was read,
 * comparing young blocks once more with their logs. For one thread at a time, but for {@link
 * #state}, {@link #blocks} and {@link #admit}.
 */
final class GroupWork {

  /** Of the past, what is taken on at a time: it must not keep what is new waiting for long. */
  private static final long MOST_BYTES = 4L << 30;

  /** More stretches than readers ask for while a worker is busy elsewhere. */
  private static final int MOST_WANTED = 1_000;

  private final Archive archive;
  private final Store store;
  private final Group group;
  private final Mode mode;
  private final int sealEvents;
  private final Transcoder transcoder;
  private final Evicted evicted;
  private final Room room;
  private final Counters counters;
  private final LiveListener listener;
  private final Problems problems;
  private final GroupFollower follower;
  private final YoungBlocks young;
  private final Deque<Wanted> wanted = new ArrayDeque<>();
  private final Queue<AskedPiece> asked = new ConcurrentLinkedQueue<>();

  private volatile List<Block> blocks = List.of();
  private volatile boolean looked;

  /** Whether others than {@link #blocks} are in force by now. */
  private volatile boolean stale;

  private volatile @Nullable List<Pair> openPairs;

  /** Stamps of pairs of which a block was discarded, because the log has other bytes. */
  private final Set<String> discardedStamps = ConcurrentHashMap.newKeySet();

  private Coverage coverage = new Coverage(List.of());
  private BlockTotals totals = BlockTotals.NONE;
  private final Map<Path, Long> blockBytes = new HashMap<>();
  private volatile GroupState state;

  /** What was read from the log and is to be put into columns. */
  private record Wanted(LogPosition from, LogPosition to) {}

  GroupWork(
      Archive archive,
      Store store,
      Group group,
      LiveSettings settings,
      Transcoder transcoder,
      Evicted evicted,
      Room room,
      Counters counters,
      Problems problems,
      LiveListener listener,
      Clock clock) {
    this.archive = archive;
    this.store = store;
    this.group = group;
    this.transcoder = transcoder;
    this.evicted = evicted;
    this.room = room;
    this.counters = counters;
    this.problems = problems;
    this.listener = listener;
    mode = settings.cache().modeOf(group);
    sealEvents = settings.sealEvents();
    follower =
        new GroupFollower(
            archive, group, () -> store.has(group), settings, problems, MOST_BYTES, clock);
    young = new YoungBlocks(archive, settings, clock);
    state = GroupState.unknown(group);
  }

  Group group() {
    return group;
  }

  /** What was known of the group at the end of the last look. */
  GroupState state() {
    return state;
  }

  /** The blocks in force, in log order. */
  List<Block> blocks() {
    return blocks;
  }

  /** Whether {@link #blocks} are those of the store, not what is known before the first look. */
  boolean hasLooked() {
    return looked;
  }

  /** Whether the blocks have to be listed, once or anew; any thread. */
  boolean isStale() {
    return !looked || stale;
  }

  /** When the group is put into columns. */
  Mode mode() {
    return mode;
  }

  /**
   * The pairs that may still change or are not wholly in blocks, in log order, as of the last look;
   * null as long as nobody knows. Any thread.
   */
  @Nullable List<Pair> openPairs() {
    return openPairs;
  }

  /**
   * Up to where a pair is, without a hole, in blocks that were compared with its log after they
   * were made, or was and went for the sake of the budget. Any thread.
   */
  long provedOffset(String stamp) throws IOException {
    List<Stretch> stretches = new ArrayList<>();
    for (Block block : blocks) {
      for (Stretch stretch : block.stretches()) {
        if (stretch.stamp().equals(stamp) && young.isProved(block)) {
          stretches.add(stretch);
        }
      }
    }
    for (Stretch gone : evicted.stretches(group)) {
      if (gone.stamp().equals(stamp)) {
        stretches.add(gone);
      }
    }
    stretches.sort(Comparator.comparingLong(Stretch::fromOffset));
    long offset = 0;
    for (Stretch stretch : stretches) {
      if (stretch.fromOffset() > offset) {
        break;
      }
      offset = Math.max(offset, stretch.toOffset());
    }
    return offset;
  }

  /** Whether a block of a pair was discarded; asking forgets it. Any thread. */
  boolean takeDiscarded(String stamp) {
    return discardedStamps.remove(stamp);
  }

  /** A block has taken the place of others; any thread. */
  void merged(Block block) {
    young.merged(block);
    stale = true;
  }

  /** Whether a block is in force still. */
  boolean holds(Block block) {
    return blocks.stream().anyMatch(block::isSameAs);
  }

  /**
   * Has a stretch of the log put into columns, because it was read.
   *
   * @return false if too many are waiting already
   */
  boolean admit(LogPosition from, LogPosition to) {
    synchronized (wanted) {
      Wanted added = new Wanted(from, to);
      return wanted.contains(added) || wanted.size() < MOST_WANTED && wanted.add(added);
    }
  }

  private @Nullable Wanted nextWanted() {
    synchronized (wanted) {
      return wanted.poll();
    }
  }

  /** Has something done that somebody waits for; any thread. */
  void ask(AskedPiece piece) {
    asked.add(piece);
  }

  /** Whether somebody waits for something; any thread. */
  boolean isAsked() {
    return !asked.isEmpty();
  }

  /**
   * Looks at the group's files.
   *
   * @return whether {@link #run} has something to do
   */
  boolean poll() {
    boolean due = follower.poll(mostBytes());
    openPairs = follower.openPairs();
    publish();
    synchronized (wanted) {
      due |= !wanted.isEmpty();
    }
    return due || isAsked() || young.due() || stale;
  }

  /**
   * Does what is due.
   *
   * @throws IOException if the store cannot be written
   */
  void run() throws IOException, InterruptedException {
    try {
      runWhatIsDue();
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      for (AskedPiece piece = asked.poll(); piece != null; piece = asked.poll()) {
        piece.fail(e);
      }
      throw e;
    }
  }

  private void runWhatIsDue() throws IOException, InterruptedException {
    Reports reports = new Reports(null);
    if (follower.replaced()) {
      BlockCheck.coverage(archive, store, group, problems::tellOfStore);
      follower.forgetReplaced();
      refresh();
    }
    if (stale) {
      stale = false;
      refresh();
    }
    if (young.due()) {
      discard(young.different(blocks));
    }
    AskedPiece piece = asked.poll();
    if (piece != null) {
      piece.run(this);
      if (piece.isCalledOff()) {
        // The interrupt may have kept blocks from being listed, those that were just made too.
        refresh();
      }
    }
    if (mode == Mode.FOLLOW) {
      // Of the past no more than a piece at a time while somebody waits for another one.
      long most =
          piece == null ? mostBytes() : Math.min(RequestedBackfill.PIECE_BYTES, mostBytes());
      transcode(follower.due(withEvicted(), most), reports);
    }
    for (Wanted next = nextWanted(); next != null; next = nextWanted()) {
      GroupPlan plan = follower.within(next.from, next.to, coverage);
      counters.add(Count.ADMISSIONS, plan.parts().size());
      transcode(plan, reports);
    }
    publish();
  }

  private long mostBytes() {
    return Math.min(MOST_BYTES, room.logBytes());
  }

  private void transcode(GroupPlan plan, Reports reports) throws IOException, InterruptedException {
    if (!plan.parts().isEmpty()) {
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
   * Puts the next piece of a plan into columns, whatever is due.
   *
   * @param progress told of it, as everybody else is
   */
  void transcodeNext(PlanPieces pieces, long mostBytes, TranscodeListener progress)
      throws IOException, InterruptedException {
    GroupPlan plan = pieces.next(coverage, mostBytes, problem -> progress.problem(group, problem));
    // What others have put into columns since it was planned is done, too.
    progress.scanned(group, plan.coveredBytes(), 0);
    transcode(plan, new Reports(progress));
  }

  /** Blocks and what went for the sake of the budget: neither is missing. */
  private Coverage withEvicted() {
    List<Stretch> stretches = new ArrayList<>();
    for (Stretch gone : evicted.stretches(group)) {
      // What was made again since then counts once.
      long at = gone.fromOffset();
      for (Stretch held : coverage.held(gone.stamp(), gone.fromOffset(), gone.toOffset())) {
        if (at < held.fromOffset()) {
          stretches.add(new Stretch(gone.stamp(), at, held.fromOffset()));
        }
        at = held.toOffset();
      }
      if (at < gone.toOffset()) {
        stretches.add(new Stretch(gone.stamp(), at, gone.toOffset()));
      }
    }
    if (stretches.isEmpty()) {
      return coverage;
    }
    blocks.forEach(block -> stretches.addAll(block.stretches()));
    return new Coverage(stretches);
  }

  private void discard(List<YoungBlocks.Different> different) throws IOException {
    for (YoungBlocks.Different each : different) {
      store.discard(each.block());
      counters.add(Count.REMADE_BLOCKS, 1);
      listener.discarded(each.block(), each.why());
      each.block().stretches().forEach(stretch -> discardedStamps.add(stretch.stamp()));
    }
    if (!different.isEmpty()) {
      refreshAndLookAgain();
    }
  }

  /** Blocks went: lists the others, and what is missing is due. */
  void refreshAndLookAgain() throws IOException {
    refresh();
    follower.lookAgain();
  }

  /** Lists the blocks once more. */
  void refresh() throws IOException {
    blocks =
        store.blocks(
            group,
            problem -> problems.beginOfStore(group, "block", String.valueOf(problem.getMessage())));
    coverage = Coverage.of(blocks);
    looked = true;
    for (Stretch gone : evicted.stretches(group)) {
      for (Stretch held : coverage.held(gone.stamp(), gone.fromOffset(), gone.toOffset())) {
        evicted.remove(group, held);
      }
    }
    totals = BlockTotals.of(blocks, blockBytes);
    follower.setSealSize(sealSize());
    publish();
  }

  private SealSize sealSize() throws IOException {
    try {
      return SealSize.of(blocks, sealEvents);
    } catch (CorruptBlockException | NoSuchFileException e) {
      // Somebody else will tell of it.
      return SealSize.ANY;
    }
  }

  private synchronized void publish() {
    long pendingBytes = follower.pendingBytes(withEvicted());
    boolean behind = pendingBytes > 0 && mode == Mode.FOLLOW && !follower.gathers();
    state =
        new GroupState(
            group,
            mode,
            looked,
            totals.blocks(),
            totals.rawBytes(),
            totals.storedBytes(),
            totals.bytesPerDay(),
            pendingBytes,
            behind ? follower.behindNanos(totals.newestNanos()) : 0,
            follower.answeredNanos(),
            follower.isAway());
  }

  /** One more block, known before the blocks are listed again. */
  private synchronized void add(Block block, long storedBytes) {
    state = state.with(block, storedBytes);
  }

  /** What the transcoder says of this group. */
  private final class Reports implements TranscodeListener {
    private final @Nullable TranscodeListener asker;

    /**
     * @param asker who is told the same, if anybody
     */
    Reports(@Nullable TranscodeListener asker) {
      this.asker = asker;
    }

    @Override
    public void scanned(Group of, long rawBytes, long events) {
      if (asker != null) {
        asker.scanned(of, rawBytes, events);
      }
    }

    @Override
    public void committed(Block block) throws IOException {
      long storedBytes = block.storedBytes();
      counters.add(Count.SEALED_BLOCKS, 1);
      counters.add(Count.SEALED_EVENTS, block.facts().events());
      counters.add(Count.SEALED_LOG_BYTES, block.facts().rawBytes());
      counters.add(Count.STORED_BYTES, storedBytes);
      add(block, storedBytes);
      listener.sealed(block, storedBytes);
      if (asker != null) {
        asker.committed(block);
      }
    }

    /** It is looked at again soon. */
    @Override
    public void pending(Group of, String message) {
      if (asker != null) {
        asker.pending(of, message);
      }
    }

    @Override
    public void problem(Group of, String message) {
      problems.tellOfArchive(of, message);
      if (asker != null) {
        asker.problem(of, message);
      }
    }
  }
}
