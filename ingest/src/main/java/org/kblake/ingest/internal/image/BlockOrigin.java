package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogPosition;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * The logs that a group's blocks were made of. It checks whether the archive still has them, so
 * that the blocks can be made again.
 */
public final class BlockOrigin {

  private static final String NOT_READABLE = "its log cannot be read";

  private final Archive archive;
  private final List<Pair> pairs;
  private final PairSnapshots snapshots;

  public BlockOrigin(Archive archive, Group group) {
    this(archive, pairs(archive, group), new PairSnapshots());
  }

  /**
   * @param pairs the pairs of the group that can be listed
   */
  BlockOrigin(Archive archive, List<Pair> pairs, PairSnapshots snapshots) {
    this.archive = archive;
    this.pairs = pairs;
    this.snapshots = snapshots;
  }

  /**
   * Returns the pairs of a group. If they cannot be listed, the list is empty, because no log can
   * be read then.
   */
  static List<Pair> pairs(Archive archive, Group group) {
    try {
      return archive.pairs(group);
    } catch (UnavailableException e) {
      return List.of();
    }
  }

  /** Returns whether the logs reach these positions. */
  boolean reaches(List<LogPosition> positions) throws IOException {
    for (LogPosition position : positions) {
      PairLog log = open(position.stamp());
      if (log == null || log.logBytes() < position.offset()) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the logs reach the ends of a block's spans. */
  boolean reaches(Block block) throws IOException {
    return reaches(block.spans().stream().map(LogSpan::to).toList());
  }

  /**
   * Returns the reason why a damaged block is kept: its log is missing or has changed.
   *
   * @return the reason; null if the same block can be made again
   */
  public @Nullable String whyKept(Block block) throws IOException, InterruptedException {
    try {
      LogComparison.Outcome outcome = new LogComparison(archive).compare(block);
      return switch (outcome.result()) {
        case SAME, REMOVED -> null;
        case DIFFERENT -> "its log has changed since: " + outcome.detail();
        case UNREACHABLE -> NOT_READABLE + ": " + outcome.detail();
      };
    } catch (CorruptBlockException e) {
      // The hashes of the segments are damaged, so nothing can be compared.
      return reaches(block) ? null : NOT_READABLE;
    }
  }

  /**
   * Returns why a block that cannot be opened is kept, by the ends in its name; null if it can be
   * made again.
   */
  public @Nullable String whyKept(List<LogPosition> ends) throws IOException {
    return reaches(ends) ? null : NOT_READABLE;
  }

  private @Nullable PairLog open(String stamp) throws IOException {
    for (Pair pair : pairs) {
      if (pair.stamp().equals(stamp)) {
        try {
          return snapshots.open(pair);
        } catch (UnavailableException
            | PendingPairException
            | CorruptLogException
            | TooNewException e) {
          return null;
        }
      }
    }
    return null;
  }
}
