package org.kblake.ingest.internal.compact;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.RollupAddition;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.compact.CompactionPlan.Candidate;
import org.kblake.ingest.internal.compact.CompactionPlan.Merge;
import org.kblake.ingest.internal.image.BlockCheck;

/**
 * Merges the blocks of groups by a plan, one merge at a time. Writes blocks of old events again if
 * these have another profile, and adds rollups to blocks without. A block that cannot be merged is
 * reported once, and skipped from then on. Not thread safe.
 */
public final class Compactor {

  /** Receives the progress. */
  public interface Listener extends Compaction.Listener {
    /** Receives a problem: a block could not be merged, or is damaged. Others are merged. */
    void problem(Group group, String message);
  }

  private static final String NOT_MERGED =
      "; it is not merged; if its log has not changed, make it again with verify --discard and"
          + " backfill";

  private final Archive archive;
  private final Store store;
  private final CompactionPlan plan;
  private final CompactionSettings settings;
  private final Compaction compaction;
  private final Listener listener;

  /** The known blocks of each group, by their directories. Blocks never change. */
  private final Map<Group, Map<Path, Known>> known = new HashMap<>();

  private final Set<Path> refused = new HashSet<>();

  /** Groups whose blocks or pairs could not be listed. */
  private final Set<Group> unavailable = new HashSet<>();

  /** Blocks of old events that already have the profile of old events. */
  private final Set<Path> aged = new HashSet<>();

  /** Blocks that have rollups, cannot get any, or have too few events for them. */
  private final Set<Path> complete = new HashSet<>();

  /**
   * The description of a block.
   *
   * @param candidate the block, as if it were the first
   * @param endsPair whether it ends at the end of its last pair, which was closed
   */
  private record Known(Candidate candidate, boolean endsPair) {}

  /**
   * @param archive the archive of the store
   * @param store open for writing; not closed here
   */
  public Compactor(
      Archive archive,
      Store store,
      CompactionPlan plan,
      CompactionSettings settings,
      Listener listener) {
    this.archive = archive;
    this.store = store;
    this.plan = plan;
    this.settings = settings;
    this.listener = listener;
    this.compaction = new Compaction(store, archive.settings().layouts(), settings, listener);
  }

  /**
   * Does all merges of a group that are due. First compares its blocks with the pairs of the
   * archive. It also discards blocks that an earlier compaction replaced but did not remove.
   *
   * @throws InterruptedException if the calling thread is interrupted; blocks made before stay
   */
  public void run(Group group, Instant now) throws IOException, InterruptedException {
    try {
      BlockCheck.coverage(archive, store, group, new PairSnapshots(), listener::problem);
      store.discardSuperseded(group);
      while (step(group, now)) {
        // Each step makes a block.
      }
    } catch (IOException e) {
      report(group, e);
    }
  }

  /** Reports once why the blocks of a group are not merged. */
  private void report(Group group, IOException e) throws IOException {
    String why = BlockCheck.unreadable(e);
    if (unavailable.add(group)) {
      listener.problem(group, why + "; its blocks are not merged now");
    }
  }

  /**
   * Does the next merge of a group.
   *
   * @return false if no merge is due
   */
  public boolean step(Group group, Instant now) throws IOException, InterruptedException {
    for (Optional<List<Block>> next = next(group, now); next.isPresent(); next = next(group, now)) {
      try {
        Block made = compaction.run(next.get(), profile(next.get(), now));
        if (next.get().size() == 1) {
          // Another rewrite would make the same block, even if its codecs are not those of the
          // profile.
          aged.add(made.directory());
        }
        return true;
      } catch (NoSuchFileException e) {
        // A block was removed in the meantime, so the plan has changed.
      } catch (CorruptBlockException e) {
        refuse(group, next.get(), e.file(), e);
      } catch (CorruptLogException e) {
        refuse(group, next.get(), Path.of(e.file()), e);
      }
    }
    return addRollups(group, now);
  }

  /** Decides about the rollups of the first block of a group that has none, and may have some. */
  private boolean addRollups(Group group, Instant now) throws IOException, InterruptedException {
    for (Block block : store.blocks(group, problem -> {})) {
      if (wantsRollups(block)) {
        complete.add(block.directory());
        try {
          complete.add(compaction.addRollups(block, profile(List.of(block), now)).directory());
          return true;
        } catch (CorruptBlockException | NoSuchFileException e) {
          passOver(block, e);
        } catch (FileSystemException e) {
          listener.problem(group, e.getMessage() + "; the block stays without rollups");
        }
      }
    }
    return false;
  }

  private boolean wantsRollups(Block block) throws IOException {
    if (refused.contains(block.directory()) || complete.contains(block.directory())) {
      return false;
    }
    try {
      if (RollupAddition.isWanted(block)) {
        return true;
      }
      complete.add(block.directory());
    } catch (CorruptBlockException | NoSuchFileException e) {
      passOver(block, e);
    }
    return false;
  }

  private void refuse(Group group, List<Block> blocks, Path file, IOException why) {
    boolean found = false;
    for (Block block : blocks) {
      if (file.startsWith(block.directory())) {
        refused.add(block.directory());
        found = true;
      }
    }
    if (!found) {
      blocks.forEach(block -> refused.add(block.directory()));
    }
    listener.problem(group, why.getMessage() + NOT_MERGED);
  }

  /** Returns the blocks that are to be merged next, in log order. */
  public Optional<List<Block>> next(Group group, Instant now) throws IOException {
    List<Block> blocks = store.blocks(group, problem -> {});
    Optional<List<Block>> merge =
        plan.next(candidates(group, blocks), now)
            .map(next -> List.copyOf(blocks.subList(next.from(), next.to())));
    return merge.isPresent() ? merge : nextAged(blocks, now);
  }

  /** Returns the first block of old events that is to be written again. */
  private Optional<List<Block>> nextAged(List<Block> blocks, Instant now) throws IOException {
    for (Block block : blocks) {
      if (isToAge(block, now)) {
        return Optional.of(List.of(block));
      }
    }
    return Optional.empty();
  }

  private boolean isToAge(Block block, Instant now) throws IOException {
    AgedProfile old = settings.aged();
    if (old == null
        || !old.isFor(block, now)
        || refused.contains(block.directory())
        || aged.contains(block.directory())) {
      return false;
    }
    try {
      if (!block.chunks().areCompressedAs(old.profile())) {
        return true;
      }
      aged.add(block.directory());
    } catch (CorruptBlockException | NoSuchFileException e) {
      passOver(block, e);
    }
    return false;
  }

  private WriteProfile profile(List<Block> blocks, Instant now) {
    AgedProfile old = settings.aged();
    return old != null && blocks.stream().allMatch(block -> old.isFor(block, now))
        ? old.profile()
        : settings.profile();
  }

  /**
   * Predicts the merges of a group.
   *
   * @return the blocks of each merge, in the order of the merges. If a merge uses the result of
   *     another one, the list has the source blocks of that result
   */
  public List<List<Block>> planned(Group group, Instant now) throws IOException {
    try {
      return plannedOf(group, now);
    } catch (IOException e) {
      report(group, e);
      return List.of();
    }
  }

  private List<List<Block>> plannedOf(Group group, Instant now) throws IOException {
    List<Block> blocks = store.blocks(group, problem -> {});
    List<Candidate> candidates = new ArrayList<>(candidates(group, blocks));
    List<List<Block>> sources = new ArrayList<>();
    blocks.forEach(block -> sources.add(List.of(block)));
    List<List<Block>> planned = new ArrayList<>();
    for (Optional<Merge> next = plan.next(candidates, now);
        next.isPresent();
        next = plan.next(candidates, now)) {
      List<Candidate> merged = candidates.subList(next.get().from(), next.get().to());
      Candidate whole = CompactionPlan.merged(merged);
      merged.clear();
      candidates.add(next.get().from(), whole);
      List<List<Block>> used = sources.subList(next.get().from(), next.get().to());
      List<Block> made = used.stream().flatMap(List::stream).toList();
      used.clear();
      sources.add(next.get().from(), made);
      planned.add(made);
    }
    for (List<Block> left : sources) {
      if (left.size() == 1 && (isToAge(left.get(0), now) || wantsRollups(left.get(0)))) {
        planned.add(left);
      }
    }
    return planned;
  }

  private List<Candidate> candidates(Group group, List<Block> blocks) throws IOException {
    List<Pair> pairs = pairs(group);
    Map<Path, Known> before = known.getOrDefault(group, Map.of());
    Map<Path, Known> present = new HashMap<>();
    List<Candidate> candidates = new ArrayList<>(blocks.size());
    Block last = null;
    Known lastKnown = null;
    for (Block block : blocks) {
      Known found = before.get(block.directory());
      Known summary = found == null ? known(block) : found;
      present.put(block.directory(), summary);
      boolean adjoins =
          last != null
              && lastKnown != null
              && !refused.contains(last.directory())
              && !refused.contains(block.directory())
              && adjoin(last, lastKnown.endsPair(), block, pairs);
      candidates.add(summary.candidate().behind(adjoins));
      last = block;
      lastKnown = summary;
    }
    known.put(group, present);
    return candidates;
  }

  /** Returns the archive's pairs; null if they cannot be listed. */
  private @Nullable List<Pair> pairs(Group group) {
    try {
      return archive.pairsOfKnown(group, true, problem -> {});
    } catch (UnavailableException e) {
      return null;
    }
  }

  /** Describes a block. A block that cannot be opened, or was removed, has no neighbours. */
  private Known known(Block block) throws IOException {
    try {
      return describe(block);
    } catch (CorruptBlockException | NoSuchFileException e) {
      passOver(block, e);
      return new Known(new Candidate(0, 0, false, 0, 0, 0, 0), false);
    }
  }

  /** Skips a block from now on. If it was removed in the meantime, that is no problem. */
  private void passOver(Block block, IOException why) {
    if (!block.isRemoved()) {
      listener.problem(block.group(), why.getMessage() + NOT_MERGED);
    }
    refused.add(block.directory());
  }

  private Known describe(Block block) throws IOException {
    BlockSummary summary = block.summary();
    // The begin of the span was moved back by the disorder bound when the block was made.
    long widened = summary.spanFromNanos() + store.identity().disorderBoundNanos();
    long beginNanos = widened < summary.spanFromNanos() ? Long.MAX_VALUE : widened;
    List<PairImage> images = block.pairs();
    PairImage.@Nullable Closing closing = images.get(images.size() - 1).closing();
    return new Known(
        new Candidate(
            beginNanos,
            Math.max(beginNanos, summary.lastNanos()),
            false,
            summary.rawBytes(),
            block.storedBytes(),
            summary.events(),
            block.chunks().count()),
        closing != null && closing.logBytes() == summary.to().offset());
  }

  /**
   * Returns whether one block begins where the other ends.
   *
   * @param pairs the pairs of the archive; null if they cannot be listed
   */
  private static boolean adjoin(
      Block last, boolean endsPair, Block next, @Nullable List<Pair> pairs) {
    LogPosition end = last.summary().to();
    LogPosition begin = next.summary().from();
    return end.stamp().equals(begin.stamp())
        ? end.offset() == begin.offset()
        : endsPair
            && pairs != null
            && begin.offset() == 0
            && areNeighbours(end.stamp(), begin.stamp(), pairs);
  }

  /**
   * Returns whether the archive has no pair between two pairs. Pairs that are missing in the
   * archive are not considered.
   */
  private static boolean areNeighbours(String stamp, String next, List<Pair> pairs) {
    return pairs.stream()
        .map(Pair::stamp)
        .noneMatch(other -> other.compareTo(stamp) > 0 && other.compareTo(next) < 0);
  }
}
