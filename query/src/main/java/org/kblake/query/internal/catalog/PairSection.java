package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/** A part of a pair's log, whatever is asked of it, and where it can be read. */
public sealed interface PairSection {

  /**
   * In a block.
   *
   * @param fromSegment the first segment, as the block counts them
   * @param toSegment the segment behind the last
   */
  record Stored(Block block, int fromSegment, int toSegment) implements PairSection {}

  /**
   * In the raw log.
   *
   * @param fromOffset the first segment's milestone, bytes from the start of the log
   * @param toOffset where the segment behind the last begins, or the size of the log
   */
  record Raw(PairLog log, long fromOffset, long toOffset) implements PairSection {}

  /**
   * Nowhere.
   *
   * @param kind why
   * @param times of events that it may hold
   * @param file that cannot be read
   * @param detail for people
   */
  record Missing(SpanKind kind, TimeRange times, Path file, String detail) implements PairSection {

    /** The span of a coverage report for a part of its time. */
    public CoverageSpan span(Group group, TimeRange range) {
      return new CoverageSpan(group, kind, range, file, 0, true, detail, List.of());
    }
  }
}
