package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.pair.TimeSpan;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogPosition;

/**
 * The spans of the logs of a group's pairs. Those in columns come from blocks, the others from
 * indexes and, around pauses of the archiver, from the log.
 */
final class TimedSpans {

  private final ShownPairs pairs;
  private final @Nullable Mirror mirror;
  private final Map<String, List<BlockSpan>> stored = new HashMap<>();

  /** All spans of the pairs with a log that is not in columns. */
  private final Map<String, List<TimedSpan>> read = new HashMap<>();

  /** The times of spans that neither log nor copy have. */
  private final Map<String, List<TimeSpan>> lost = new HashMap<>();

  private final Map<String, IOException> unread = new HashMap<>();

  /**
   * @param mirror the copies of growing logs; null if there are none
   */
  TimedSpans(ShownPairs pairs, @Nullable Mirror mirror) {
    this.pairs = pairs;
    this.mirror = mirror;
  }

  /** Returns the copy of a log that has become shorter than it; null if there is none. */
  @Nullable LogCopy longerCopy(Pair pair) {
    LogCopy copy = mirror == null ? null : mirror.copy(pair.group(), pair.stamp());
    return copy == null || pair.lacksOf(copy, FileState.ofOrMissing(pair.logPath())) == null
        ? null
        : copy;
  }

  /**
   * Reads the segments of the blocks of some pairs, one block after the other.
   *
   * @param damaged gets the begin and the end of each block that cannot be read
   * @param problems gets a line on each of them
   */
  void readBlocks(List<Pair> met, Consumer<List<LogPosition>> damaged, Consumer<String> problems)
      throws IOException {
    if (met.isEmpty()) {
      return;
    }
    String first = met.get(0).stamp();
    String last = met.get(met.size() - 1).stamp();
    for (Block block : pairs.blocks()) {
      if (block.summary().to().stamp().compareTo(first) >= 0
          && block.summary().from().stamp().compareTo(last) <= 0) {
        try {
          read(block);
        } catch (CorruptBlockException e) {
          problems.accept(String.valueOf(e.getMessage()));
          damaged.accept(List.of(block.summary().from(), block.summary().to()));
        }
      }
    }
    stored.values().forEach(spans -> spans.sort(Comparator.comparingLong(BlockSpan::fromOffset)));
  }

  private void read(Block block) throws IOException {
    List<StoredSegment> segments = block.listedSegments();
    List<PairImage> pairsOfBlock = block.pairs();
    long bound = pairs.boundNanos();
    int from = 0;
    for (int span = 0; span < block.spans().size(); span++) {
      int to = from;
      while (to < segments.size() && segments.get(to).span() == span) {
        to++;
      }
      if (from < to) {
        stored
            .computeIfAbsent(block.spans().get(span).stamp(), stamp -> new ArrayList<>())
            .add(
                new BlockSpan(
                    block,
                    span,
                    StoredTimes.of(
                        segments.subList(from, to),
                        bound,
                        pairsOfBlock.get(span).milestoneIntervalNanos())));
      }
      from = to;
    }
  }

  /**
   * Finds the times of the spans of a log that are not in columns, if its files can be read.
   *
   * @param followingNanos the time of the first write of the pair with the next name
   * @throws IOException if the thread was interrupted
   */
  void readLog(Pair pair, long followingNanos) throws IOException {
    LogCopy longer = longerCopy(pair);
    if (!pairs.shown().contains(pair.stamp()) || isStored(pair, longer)) {
      return;
    }
    try {
      PairLog log = pair.open(longer, null);
      PairLog archived = log.onlyCopy() == null ? log : pair.open();
      // What follows the last milestone of a growing log is pending.
      long end = log.growing() ? log.lastMilestoneOffset() : log.dataBytes();
      List<TimedSpan> all = new ArrayList<>();
      long offset = 0;
      for (BlockSpan span : stored(pair)) {
        addRaw(log, archived, offset, Math.min(end, span.fromOffset()), followingNanos, all);
        all.add(span.withInterval(log.milestoneIntervalNanos(), pairs.boundNanos()));
        offset = span.toOffset();
      }
      addRaw(log, archived, offset, end, followingNanos, all);
      read.put(pair.stamp(), all);
    } catch (PendingPairException e) {
      // It has no span yet.
    } catch (UnavailableException
        | CorruptLogException
        | CorruptBlockException
        | TooNewException e) {
      unread.put(pair.stamp(), e);
    }
  }

  /** Adds a span without what neither the archive nor the copy have. */
  private void addRaw(
      PairLog log,
      PairLog archived,
      long fromOffset,
      long toOffset,
      long followingNanos,
      List<TimedSpan> all)
      throws IOException {
    LogCopy copy = log.onlyCopy();
    if (copy == null || fromOffset >= Math.min(toOffset, copy.fromOffset())) {
      addRaw(log, fromOffset, toOffset, followingNanos, all);
      return;
    }
    Milestones milestones = log.milestones();
    long held = Math.min(toOffset, milestones.offsetAfter(copy.fromOffset() - 1, log.logBytes()));
    long begin = Math.max(fromOffset, Math.min(toOffset, archived.logBytes()));
    addRaw(archived, fromOffset, begin, followingNanos, all);
    if (begin < held) {
      int first = milestones.lastUpTo(begin);
      int next = milestones.indexOfOffset(held);
      lost.computeIfAbsent(log.pair().stamp(), stamp -> new ArrayList<>())
          .add(
              TimeSpan.at(first < 0 ? log.pair().beginNanos() : milestones.nanos(first))
                  .and(next < 0 ? log.pair().endNanos() : milestones.nanos(next)));
    }
    addRaw(log, held, toOffset, followingNanos, all);
  }

  private static void addRaw(
      PairLog log, long fromOffset, long toOffset, long followingNanos, List<TimedSpan> all)
      throws IOException {
    if (fromOffset < toOffset && log.milestones().indexOfOffset(fromOffset) >= 0) {
      all.add(
          new RawSpan(
              fromOffset, toOffset, RawTimes.of(log, fromOffset, toOffset, followingNanos)));
    }
  }

  /** Returns the spans of a pair's log that are in columns, in log order. */
  List<BlockSpan> stored(Pair pair) {
    return stored.getOrDefault(pair.stamp(), List.of());
  }

  /** Returns the end of the last span of a pair's log that is in columns; 0 if none is. */
  long storedEnd(Pair pair) {
    return stored(pair).stream().mapToLong(BlockSpan::toOffset).max().orElse(0);
  }

  /** Returns the spans of a pair's log whose times are known, in log order. */
  List<? extends TimedSpan> of(Pair pair) {
    List<TimedSpan> all = read.get(pair.stamp());
    return all == null ? stored(pair) : all;
  }

  /** Returns the times of spans that neither the archive nor the copy have. */
  List<TimeSpan> lost(Pair pair) {
    return lost.getOrDefault(pair.stamp(), List.of());
  }

  /** Returns why a log that is not in columns could not be read; null if it could. */
  @Nullable IOException unread(Pair pair) {
    return unread.get(pair.stamp());
  }

  private boolean isStored(Pair pair, @Nullable LogCopy longer) {
    try {
      return !stored(pair).isEmpty()
          && isStored(pair, longer == null ? Files.size(pair.logPath()) : longer.endOffset());
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether a whole log is in columns. Then its index is not needed. */
  boolean isStored(Pair pair, long bytes) {
    long offset = 0;
    for (BlockSpan span : stored(pair)) {
      if (span.fromOffset() > offset) {
        return false;
      }
      offset = span.toOffset();
    }
    return offset >= bytes;
  }
}
