package org.kblake.query;

import java.nio.file.Path;
import org.kblake.core.log.PairLog;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Block;

/** A part of a pair's log, whatever is asked of it, and where it can be read. */
sealed interface Piece {

  /**
   * In a block.
   *
   * @param fromSegment the first segment, as the block counts them
   * @param toSegment the segment behind the last
   */
  record Stored(Block block, int fromSegment, int toSegment) implements Piece {}

  /**
   * In the raw log.
   *
   * @param fromOffset the first segment's milestone, bytes from the start of the log
   * @param toOffset where the segment behind the last begins, or the size of the log
   */
  record Raw(PairLog log, long fromOffset, long toOffset) implements Piece {}

  /**
   * Nowhere.
   *
   * @param kind why
   * @param times of events that it may hold
   * @param file that cannot be read
   * @param detail for people
   */
  record Missing(SpanKind kind, TimeRange times, Path file, String detail) implements Piece {}
}
