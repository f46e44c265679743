package org.kblake.query.internal.reading;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.kblake.core.archive.UnavailableException;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.PlaceLostException;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.internal.source.WantedEvents;

/**
 * The reading of channels of one group for an answer: the ranges of its plan, which events of them
 * are wanted, and the report on what was read. The methods that change something return a changed
 * copy. Copies share the report, which is mutable; each measures its own times from zero on.
 */
public final class Reading implements GroupAnswer {

  private final Readings shared;
  private final GroupPlan plan;
  private final List<ChannelTarget> channels;
  private final List<PlannedRange> ranges;
  private final WantedEvents wanted;
  private final SourceTimes times = new SourceTimes();

  Reading(
      Readings shared,
      GroupPlan plan,
      List<ChannelTarget> channels,
      List<PlannedRange> ranges,
      WantedEvents wanted) {
    this.shared = shared;
    this.plan = plan;
    this.channels = channels;
    this.ranges = List.copyOf(ranges);
    this.wanted = wanted;
  }

  /** Returns the reading of other ranges. */
  public Reading of(List<PlannedRange> others) {
    return new Reading(shared, plan, channels, others, wanted);
  }

  /** Returns the reading of other events. */
  public Reading with(WantedEvents other) {
    return new Reading(shared, plan, channels, ranges, other);
  }

  /** Returns the reading that reports to another report. */
  public Reading reportTo(CoverageBuilder other) {
    return new Reading(shared, plan.reportTo(other), channels, ranges, wanted);
  }

  /** Returns the reading that reads nothing ahead. */
  public Reading withoutReadAhead() {
    return new Reading(shared.withoutReadAhead(), plan, channels, ranges, wanted);
  }

  /** Returns the events, which the caller closes, from the first range to the last one. */
  public GroupSource forward(RowOrder order) {
    return forward(order, readers -> readers);
  }

  /**
   * Returns the same events.
   *
   * @param kind chooses the readers of blocks, with order keys if these are needed
   */
  public GroupSource forward(RowOrder order, UnaryOperator<ChunkReaders> kind) {
    ChunkReaders readers = kind.apply(shared.readers());
    return new GroupSource(this, wanted.logOrder() ? readers.inLogOrder() : readers, order);
  }

  /**
   * Returns the group's log from the end of the plan's range backwards.
   *
   * @param interest the filter of stored segments
   */
  public BackwardSteps backward(BackwardSteps.Interest interest) {
    return new BackwardSteps(shared.planner(), plan, interest);
  }

  /** Reads events in a given order. */
  @FunctionalInterface
  public interface Ordered<T> {

    /**
     * @throws PlaceLostException if the events must be read again in log order
     */
    T read(RowOrder order) throws IOException;
  }

  /** Reads events channel by channel, or in log order if the place in the log is lost. */
  public static <T> T channelsElseLog(Ordered<T> ordered) throws IOException {
    try {
      return ordered.read(RowOrder.CHANNELS);
    } catch (PlaceLostException e) {
      return ordered.read(RowOrder.LOG);
    }
  }

  /**
   * Returns ranges with the segments of a range whose block failed.
   *
   * @param e why it failed; thrown again if the range is not of a block
   * @param isGiven whether rows of the range were returned; these are skipped in the new ranges.
   *     Ranges after a gap are then left out, because it is unknown how many of the returned rows
   *     were in the gap
   * @return ranges of the same segments, in log order
   */
  public List<PlannedRange> instead(PlannedRange failed, IOException e, boolean isGiven)
      throws IOException {
    return new Replanning(shared.planner(), plan.resolver(), wanted.spans(), report())
        .instead(failed, e, isGiven);
  }

  /** Reports segments of a range that were read. */
  public void report(PlannedRange planned, List<SegmentCoverage> segments) {
    for (SegmentCoverage coverage : segments) {
      report()
          .segment(
              planned.readRange().pair(),
              coverage,
              planned.content().intervalNanos(),
              planned.absent(),
              planned.absent().size() == channels.size());
    }
  }

  /** Reports the rest of a raw range, which cannot be read any more. */
  public void reportUnread(RawRange raw, UnavailableException e) {
    report().unavailable(shared.planner().timesOf(raw), raw.bytes(), e);
  }

  /** Reports a range that is not read, because an earlier one cannot be read any more. */
  void reportLeftOut(PlannedRange left, UnavailableException e) throws IOException {
    report().unavailable(shared.planner().timesOf(left.readRange()), 0, e);
  }

  @Override
  public Reading reading() {
    return this;
  }

  public Readings shared() {
    return shared;
  }

  public GroupPlan plan() {
    return plan;
  }

  /** Returns the channels of the answer that the group has. */
  public List<ChannelTarget> channels() {
    return channels;
  }

  /** Returns the ranges that are read, in log order. */
  public List<PlannedRange> ranges() {
    return ranges;
  }

  /** Returns the bytes of log of the ranges. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (PlannedRange planned : ranges) {
      bytes += planned.readRange().bytes();
    }
    return bytes;
  }

  public WantedEvents wanted() {
    return wanted;
  }

  /** Returns the report, which receives the result of each range. */
  public CoverageBuilder report() {
    return plan.report();
  }

  /** Returns an empty report on the plan's range. */
  public CoverageBuilder emptyReport() {
    return shared.planner().report(plan.group(), plan.range());
  }

  /** Returns the time that the ranges took. */
  SourceTimes times() {
    return times;
  }
}
