package org.kblake.query.internal.catalog;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;

/**
 * The pairs of a group in log order, as they were when a question was asked.
 *
 * @param group the group
 * @param pairs the pairs in log order
 * @param aliases the former names of the group's channels
 * @param unlisted why the archive could not be listed, so that there may be more pairs; null if it
 *     was listed
 * @param unopened the errors of blocks that cannot be opened
 * @param problems a line for each of these blocks, for each pair with an invalid time in its name,
 *     and for a metadata file that cannot be used
 */
public record GroupPairs(
    Group group,
    List<PairSlot> pairs,
    Aliases aliases,
    @Nullable UnavailableException unlisted,
    List<CorruptBlockException> unopened,
    List<String> problems) {

  public GroupPairs {
    pairs = List.copyOf(pairs);
    unopened = List.copyOf(unopened);
    problems = List.copyOf(problems);
  }

  /**
   * Returns the range that may be missing before the first known pair, or at all times if no pair
   * is known, because the archive could not be listed; null if it was listed.
   */
  public PairRange.@Nullable Missing before() {
    UnavailableException why = unlisted;
    long toNanos = pairs.isEmpty() ? Long.MAX_VALUE : pairs.get(0).beginNanos();
    return why == null
        ? null
        : new PairRange.Missing(
            SpanKind.UNAVAILABLE,
            new TimeRange(Long.MIN_VALUE, toNanos),
            Path.of(why.file()),
            String.valueOf(why.getMessage()));
  }
}
