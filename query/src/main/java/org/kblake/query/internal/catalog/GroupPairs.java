package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;

/**
 * The pairs of a group in log order, as they were when a question was asked.
 *
 * @param group the group
 * @param pairs in log order
 * @param unlisted why the archive could not be listed, so that there may be pairs besides; null if
 *     it was
 * @param unopened why blocks are excluded that cannot even be opened
 * @param problems a line for people on each of these blocks, and on each pair without place in time
 */
public record GroupPairs(
    Group group,
    List<PairSlot> pairs,
    @Nullable UnavailableException unlisted,
    List<CorruptBlockException> unopened,
    List<String> problems) {

  public GroupPairs {
    pairs = List.copyOf(pairs);
    unopened = List.copyOf(unopened);
    problems = List.copyOf(problems);
  }

  /**
   * What may be missing before the first pair that is known, and at all times where none is: pairs
   * of an archive that could not be listed. Null if it was.
   */
  public PairSection.@Nullable Missing before() {
    UnavailableException why = unlisted;
    long toNanos = pairs.isEmpty() ? Long.MAX_VALUE : pairs.get(0).beginNanos();
    return why == null
        ? null
        : new PairSection.Missing(
            SpanKind.UNAVAILABLE,
            new TimeRange(Long.MIN_VALUE, toNanos),
            Path.of(why.file()),
            String.valueOf(why.getMessage()));
  }
}
