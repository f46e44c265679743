package org.kblake.query;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Difference;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.UnknownChannelException;

/**
 * What differs between the values that channels held at two instants.
 *
 * @param all the channels that differ, sorted by kind, then by size, the largest first, then by
 *     group and name
 * @param before the coverage of the first instant
 * @param after the coverage of the other one
 */
public record Differences(List<Difference> all, CoverageReport before, CoverageReport after) {

  public Differences {
    all = List.copyOf(all);
  }

  /**
   * Compares the values of an instant with those of another one, which may be earlier or later.
   * Older values count at both than the look-back of the question allows at the earlier instant. A
   * channel need be known at one of them only. A channel of a group that cannot be read at one
   * instant, and of which nothing is known there, is left out, because it need not differ.
   *
   * @param query the channels and the first instant
   * @param otherNanos the other instant, nanoseconds since 1970 UTC
   * @throws UnknownChannelException if a name or pattern matches no channel at both instants
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  public static Differences of(ArchiveReader archive, HeldQuery query, long otherNanos)
      throws IOException {
    long apartNanos = EpochNanos.minus(otherNanos, query.atNanos());
    HeldQuery one = since(query, query.atNanos(), Math.max(0, -apartNanos));
    HeldQuery other = since(query, otherNanos, Math.max(0, apartNanos));
    HeldValues before = null;
    UnknownChannelException unknown = null;
    try {
      before = archive.held(one);
    } catch (UnknownChannelException e) {
      unknown = e;
    }
    HeldValues after = null;
    try {
      after = archive.held(other);
    } catch (UnknownChannelException e) {
      if (unknown != null) {
        throw unknown;
      }
    }
    return new Differences(
        HeldDifference.between(before, after), coverage(before, one), coverage(after, other));
  }

  /** Returns a question whose look-back begins at the same time for both instants. */
  private static HeldQuery since(HeldQuery query, long atNanos, long laterNanos) {
    return new HeldQuery(
        query
            .scope()
            .at(atNanos)
            .lookBackNanos(EpochNanos.plus(query.lookBackNanos(), laterNanos)));
  }

  private static CoverageReport coverage(@Nullable HeldValues values, HeldQuery query) {
    return values == null ? HeldDifference.nothing(query) : values.coverage();
  }

  /** Returns whether nothing is missing at both instants. */
  public boolean isComplete() {
    return before.isComplete() && after.isComplete();
  }
}
