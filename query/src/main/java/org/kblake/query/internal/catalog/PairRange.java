package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/** A range of a pair's log, with the source that it is read from. */
public sealed interface PairRange {

  /**
   * A range that is in a block.
   *
   * @param fromSegment the number of the first segment in the block
   * @param toSegment the number after the last segment
   */
  record Stored(Block block, int fromSegment, int toSegment) implements PairRange {}

  /**
   * A range that is in the raw log.
   *
   * @param fromOffset the first segment's milestone, bytes from the start of the log
   * @param toOffset the begin of the segment after the last, or the size of the log
   */
  record Raw(PairLog log, long fromOffset, long toOffset) implements PairRange {}

  /**
   * A range that cannot be read.
   *
   * @param kind the kind of reason
   * @param times the times that its events may have
   * @param file the file that cannot be read
   * @param detail the reason, for messages
   */
  record Missing(SpanKind kind, TimeRange times, Path file, String detail) implements PairRange {

    /** Returns the span of a coverage report for some of its times. */
    public CoverageSpan span(Group group, TimeRange range) {
      return new CoverageSpan(group, kind, range, file, 0, true, detail, List.of());
    }
  }
}
