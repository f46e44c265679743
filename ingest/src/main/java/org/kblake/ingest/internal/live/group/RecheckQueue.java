package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.block.Block;
import org.kblake.ingest.internal.image.LogComparison;
import org.kblake.ingest.internal.image.LogComparison.Outcome;
import org.kblake.ingest.internal.image.LogComparison.Result;
import org.kblake.ingest.internal.live.state.FollowSettings;

/**
 * Compares every block with its log again, after the time in which stale pages of the log become
 * current. For one thread.
 */
final class RecheckQueue {

  /** Older blocks were compared by an earlier process. In units of the recheck time. */
  private static final int RECENT_RECHECKS = 3;

  private final LogComparison comparison;
  private final Duration recheck;
  private final Clock clock;
  private final Set<Path> compared = ConcurrentHashMap.newKeySet();
  private long nextNanos = System.nanoTime();

  /** A block that differs from its log, with the first difference. */
  record Different(Block block, String why) {}

  RecheckQueue(Archive archive, FollowSettings settings, Clock clock) {
    comparison = new LogComparison(archive);
    recheck = settings.recheck();
    this.clock = clock;
  }

  /** Returns whether blocks are to be compared now. */
  boolean due() {
    return System.nanoTime() - nextNanos >= 0;
  }

  /**
   * Notes that a block was merged from others. Merging verified it by the hashes of their log, so
   * it is not compared if all of them were. For any thread.
   *
   * @param sources the other blocks, which still exist
   */
  void merged(List<Block> sources, Block block) {
    try {
      for (Block source : sources) {
        if (!isProved(source)) {
          return;
        }
      }
      compared.add(block.directory());
    } catch (IOException e) {
      // The merged block is compared like a new block.
    }
  }

  /**
   * Returns whether a block was compared, or is old enough that an earlier process compared it. For
   * any thread.
   */
  boolean isProved(Block block) throws IOException {
    if (compared.contains(block.directory())) {
      return true;
    }
    try {
      return age(block).compareTo(recheck.multipliedBy(RECENT_RECHECKS)) >= 0;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private Duration age(Block block) throws IOException {
    return Duration.between(
        Files.getLastModifiedTime(block.directory()).toInstant(), clock.instant());
  }

  /** Returns the blocks that differ from their logs. */
  List<Different> different(List<Block> inUse) throws IOException, InterruptedException {
    nextNanos = System.nanoTime() + recheck.toNanos();
    List<Different> different = new ArrayList<>();
    Set<Path> present = new HashSet<>();
    for (Block block : inUse) {
      present.add(block.directory());
      if (isDue(block)) {
        Outcome outcome = comparison.compare(block);
        if (outcome.result() == Result.DIFFERENT) {
          different.add(new Different(block, outcome.detail()));
        } else if (outcome.result() == Result.SAME) {
          compared.add(block.directory());
        }
      }
    }
    compared.retainAll(present);
    return different;
  }

  private boolean isDue(Block block) throws IOException {
    if (compared.contains(block.directory())) {
      return false;
    }
    try {
      Duration age = age(block);
      return age.compareTo(recheck) >= 0
          && age.compareTo(recheck.multipliedBy(RECENT_RECHECKS)) < 0;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
