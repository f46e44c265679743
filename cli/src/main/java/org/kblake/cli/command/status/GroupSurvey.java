package org.kblake.cli.command.status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.LostEnds;
import org.kblake.cli.command.shared.NewestEvent;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.live.group.BlockTotals;
import org.kblake.ingest.internal.live.state.BytesPerDay;
import org.kblake.ingest.internal.live.state.EvictedSpans;

/**
 * Finds the status of a group without reading its events. It reads sizes of files, the first bytes
 * of blocks, and the headers of the raw log after the last milestone. So it takes less than a
 * second even for ten years of logs.
 */
final class GroupSurvey {

  private static final Duration BEGINNING = Duration.ofSeconds(10);

  private final KnownGroups known;
  private final @Nullable Store store;
  private final @Nullable EvictedSpans evicted;
  private final List<String> problems = new ArrayList<>();

  /**
   * @param store null if there is none
   */
  GroupSurvey(KnownGroups known, @Nullable Store store) throws IOException {
    this.known = known;
    this.store = store;
    evicted = store == null ? null : new EvictedSpans(store.directory());
  }

  private record SizedPair(Pair pair, long bytes) {}

  GroupStatus of(Group group) throws IOException {
    problems.clear();
    boolean away = false;
    List<SizedPair> pairs = List.of();
    try {
      pairs = sized(known.pairs(group, problems::add));
    } catch (UnavailableException e) {
      away = true;
      problems.add(String.valueOf(e.getMessage()));
    }
    List<Block> blocks = blocks(group);
    for (Block block : blocks) {
      try {
        block.chunks().files();
      } catch (CorruptBlockException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    Coverage coverage = Block.coverage(blocks);

    long rawBytes = 0;
    long coveredBytes = 0;
    Set<String> stamps = new HashSet<>();
    LostEnds lostEnds = new LostEnds(store == null ? null : Mirror.of(store.directory()));
    for (SizedPair pair : pairs) {
      if (pair.bytes > 0) {
        stamps.add(pair.pair.stamp());
      }
      lostEnds.add(pair.pair, pair.bytes, coverage);
      rawBytes += pair.bytes;
      coveredBytes += held(coverage, pair.pair.stamp(), pair.bytes);
    }
    problems.addAll(lostEnds.lines());
    long missingBytes = 0;
    for (Block block : blocks) {
      for (LogSpan span : block.spans()) {
        missingBytes += stamps.contains(span.stamp()) ? 0 : span.bytes();
      }
    }
    Newest newest = newest(pairs, coverage);
    BlockTotals totals = BlockTotals.of(blocks, new HashMap<>());
    Long columnsNanos = totals.newestNanos() == Long.MIN_VALUE ? null : totals.newestNanos();
    return new GroupStatus(
        group,
        away,
        pairs.size(),
        firstNanos(pairs, blocks),
        later(newest.nanos, columnsNanos),
        rawBytes + missingBytes,
        coveredBytes + missingBytes,
        missingBytes,
        evicted == null ? 0 : evictedBytes(evicted.spans(group), coverage, stamps),
        totals.blocks(),
        totals.storedBytes(),
        blocks.stream().mapToLong(block -> block.summary().events()).sum(),
        bytesPerDay(pairs, newest.nanos),
        totals.bytesPerDay(),
        columnsNanos,
        away ? null : lag(newest, columnsNanos),
        problems);
  }

  private List<Block> blocks(Group group) throws IOException {
    try {
      return store == null
          ? List.of()
          : store.blocks(group, problem -> problems.add(String.valueOf(problem.getMessage())));
    } catch (IOException e) {
      problems.add(BlockCheck.unreadable(e));
      return List.of();
    }
  }

  /**
   * Returns the sizes of pairs from the file system. A file without a readable size counts as empty
   * and is a problem.
   */
  private List<SizedPair> sized(List<Pair> pairs) {
    List<SizedPair> sized = new ArrayList<>();
    for (Pair pair : pairs) {
      if (isBeginning(pair)) {
        sized.add(new SizedPair(pair, 0));
      } else {
        sized.add(new SizedPair(pair, size(pair, pair.logPath())));
        size(pair, pair.indexPath());
      }
    }
    return sized;
  }

  /** Returns whether a pair is new and one of its files does not exist yet. */
  private static boolean isBeginning(Pair pair) {
    if (pair.isSuperseded()) {
      return false;
    }
    boolean log = Files.notExists(pair.logPath(), LinkOption.NOFOLLOW_LINKS);
    boolean index = Files.notExists(pair.indexPath(), LinkOption.NOFOLLOW_LINKS);
    try {
      FileTime made = Files.getLastModifiedTime(log ? pair.indexPath() : pair.logPath());
      return log != index && made.toInstant().plus(BEGINNING).isAfter(Instant.now());
    } catch (IOException e) {
      return false;
    }
  }

  private long size(Pair pair, Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      problems.add(
          "pair is unavailable: group="
              + pair.group()
              + ", period="
              + pair.period()
              + ", file="
              + file
              + (Files.isSymbolicLink(file) ? ", a link without a target" : ""));
      return 0;
    }
  }

  private static long held(Coverage coverage, String stamp, long bytes) {
    return coverage.held(stamp, 0, bytes).stream().mapToLong(LogSpan::bytes).sum();
  }

  /**
   * Returns the evicted bytes of logs that exist, without those that were put into columns again.
   */
  private static long evictedBytes(List<LogSpan> spans, Coverage coverage, Set<String> stamps) {
    long bytes = 0;
    for (LogSpan span : spans) {
      if (stamps.contains(span.stamp())) {
        bytes += span.bytes();
        for (LogSpan again : coverage.held(span.stamp(), span.fromOffset(), span.toOffset())) {
          bytes -= again.bytes();
        }
      }
    }
    return bytes;
  }

  private static @Nullable Long firstNanos(List<SizedPair> pairs, List<Block> blocks) {
    Long first = pairs.isEmpty() ? null : Long.valueOf(pairs.get(0).pair.beginNanos());
    for (Block block : blocks) {
      long nanos = block.summary().firstNanos();
      if (nanos != Long.MAX_VALUE && (first == null || nanos < first)) {
        first = nanos;
      }
    }
    return first;
  }

  /**
   * The newest event of the raw log.
   *
   * @param nanos the time of the event; null if there is none or it is unknown
   * @param allHeld whether the whole newest pair is in columns
   */
  private record Newest(@Nullable Long nanos, boolean allHeld) {

    /** Adds a pair that may be the newest one, too, as in an hour that the zone repeats. */
    Newest and(long otherNanos, boolean otherHeld) {
      return new Newest(
          nanos == null ? otherNanos : Math.max(nanos, otherNanos), allHeld && otherHeld);
    }
  }

  private Newest newest(List<SizedPair> pairs, Coverage coverage) {
    // The newest pair may be empty or not readable yet. The pair before it then has the newest
    // event.
    Newest newest = new Newest(null, true);
    for (int i = pairs.size() - 1; i >= Math.max(0, pairs.size() - 3); i--) {
      Pair pair = pairs.get(i).pair;
      if (newest.nanos != null && pair.isSuperseded()) {
        break;
      }
      try {
        PairLog log = pair.open();
        Long nanos = NewestEvent.nanos(log);
        if (nanos != null) {
          newest = newest.and(nanos, coverage.holds(pair.stamp(), 0, log.logBytes()));
        }
      } catch (PendingPairException e) {
        // The pair is new: this is not a problem
      } catch (IOException e) {
        if (isBeginning(pair)) {
          continue;
        }
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    return newest;
  }

  private static @Nullable Long lag(Newest newest, @Nullable Long columnsNanos) {
    if (columnsNanos == null) {
      return null;
    }
    return newest.nanos == null || newest.allHeld
        ? Long.valueOf(0)
        : Long.valueOf(Math.max(0, newest.nanos - columnsNanos));
  }

  private static double bytesPerDay(List<SizedPair> pairs, @Nullable Long newestNanos) {
    if (newestNanos == null) {
      return 0;
    }
    BytesPerDay week = new BytesPerDay(newestNanos);
    for (SizedPair pair : pairs) {
      week.add(pair.bytes, pair.pair.beginNanos(), Math.min(pair.pair.endNanos(), newestNanos));
    }
    return week.bytesPerDay();
  }

  private static @Nullable Long later(@Nullable Long first, @Nullable Long second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return Math.max(first, second);
  }
}
