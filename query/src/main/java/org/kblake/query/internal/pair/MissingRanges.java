package org.kblake.query.internal.pair;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.TimeSpan;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.question.Source;

/**
 * Makes the ranges of pairs that cannot be read: the reason, and the times that their events may
 * have.
 */
final class MissingRanges {

  private static final long STAMP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Source source;
  private final long disorderBoundNanos;
  private final @Nullable UnavailableException unlisted;

  /**
   * @param unlisted why the archive's pairs could not be listed; null if they could
   */
  MissingRanges(Source source, long disorderBoundNanos, @Nullable UnavailableException unlisted) {
    this.source = source;
    this.disorderBoundNanos = disorderBoundNanos;
    this.unlisted = unlisted;
  }

  /** Returns a missing range for a whole pair. */
  PairRange.Missing of(PairSlot slot, SpanKind kind, Path file, String detail) {
    return new PairRange.Missing(kind, around(slot.beginNanos(), slot.endNanos()), file, detail);
  }

  /** Returns a missing range for events whose block is damaged and whose log cannot be read. */
  PairRange.@Nullable Missing damaged(
      PairRange.@Nullable Missing elsewhere, CorruptBlockException problem) {
    if (elsewhere == null || elsewhere.detail().contains(text(problem))) {
      return elsewhere;
    }
    return source == Source.STORE
        ? new PairRange.Missing(SpanKind.DAMAGED, elsewhere.times(), problem.file(), text(problem))
        : new PairRange.Missing(
            elsewhere.kind(),
            elsewhere.times(),
            elsewhere.file(),
            elsewhere.detail() + "; " + text(problem));
  }

  /**
   * Adds a missing range of a pair, between two milestones.
   *
   * @param reason why it is missing; null if it is not
   */
  void addBetween(
      List<PairRange> pairRanges,
      PairRange.@Nullable Missing reason,
      long fromNanos,
      long toNanos) {
    if (reason != null) {
      pairRanges.add(
          new PairRange.Missing(
              reason.kind(), around(fromNanos, toNanos), reason.file(), reason.detail()));
    }
  }

  /** Adds a range that its log has lost, between two milestones. */
  void addLost(
      List<PairRange> pairRanges, SpanKind kind, TimeSpan times, Path file, String detail) {
    pairRanges.add(
        new PairRange.Missing(kind, around(times.fromNanos(), times.toNanos()), file, detail));
  }

  /**
   * Adds the end of a pair that may not be visible yet. Over a network file system, the next pair
   * may be visible before the end of this one.
   */
  void addUnseen(List<PairRange> pairRanges, PairSlot slot, PairLog log) {
    if (log.closed() || log.growing() || !log.provisional()) {
      return;
    }
    int milestones = log.milestones().count();
    long from = milestones == 0 ? slot.beginNanos() : log.milestones().nanos(milestones - 1);
    pairRanges.add(
        new PairRange.Missing(
            SpanKind.PENDING,
            around(Math.min(from, slot.endNanos()), slot.endNanos()),
            slot.logPath(),
            "the end of the pair may not be seen yet: pair=" + log.pair()));
  }

  /**
   * Adds the time after a pair if the archive cannot be listed, because there may be unknown pairs.
   * There is none if a block continues in the next pair, and none within a second, because no two
   * pairs have the same stamp.
   *
   * @param fromNanos the time of the last write to the pair
   */
  void addUnlisted(List<PairRange> pairRanges, PairSlot slot, long fromNanos) {
    UnavailableException why = unlisted;
    if (why != null && EpochNanos.minus(slot.endNanos(), fromNanos) >= STAMP_NANOS) {
      pairRanges.add(
          new PairRange.Missing(
              SpanKind.UNAVAILABLE,
              new TimeRange(fromNanos, slot.endNanos()),
              Path.of(why.file()),
              text(why)));
    }
  }

  /**
   * Returns a range widened by the disorder bound, because clocks are set back and events are out
   * of order by up to this bound.
   */
  private TimeRange around(long nanos, long otherNanos) {
    return EpochNanos.around(nanos, otherNanos, disorderBoundNanos);
  }

  private static String text(IOException e) {
    return String.valueOf(e.getMessage());
  }
}
