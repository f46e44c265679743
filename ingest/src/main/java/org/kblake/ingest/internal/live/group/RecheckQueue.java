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
 * Compares every block once more with its log, when whatever a stale page had hidden has long come
 * to light. For one thread.
 */
final class RecheckQueue {

  /** Blocks that are older when a process begins were compared by the one before. */
  private static final int RECENT_RECHECKS = 3;

  private final LogComparison comparison;
  private final Duration recheck;
  private final Clock clock;
  private final Set<Path> compared = ConcurrentHashMap.newKeySet();
  private long nextNanos = System.nanoTime();

  /** A block that says something else than its log, and where. */
  record Different(Block block, String why) {}

  RecheckQueue(Archive archive, FollowSettings settings, Clock clock) {
    comparison = new LogComparison(archive);
    recheck = settings.recheck();
    this.clock = clock;
  }

  /** Whether it is time for a look. */
  boolean due() {
    return System.nanoTime() - nextNanos >= 0;
  }

  /** A block was made of others, by the hashes that were taken of the log for them. */
  void merged(Block block) {
    compared.add(block.directory());
  }

  /** Whether a block was compared, or is so old that it must have been; any thread. */
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

  /** Those among the blocks in use that differ. */
  List<Different> different(List<Block> inForce) throws IOException, InterruptedException {
    nextNanos = System.nanoTime() + recheck.toNanos();
    List<Different> different = new ArrayList<>();
    Set<Path> present = new HashSet<>();
    for (Block block : inForce) {
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
