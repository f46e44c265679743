package org.kblake.query.internal.reading;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.RowOrder;

/**
 * The begin of the last events of each channel of a group. {@link #find} counts events backwards, a
 * few segments at a time, until every channel has enough. A channel with enough events is not read
 * further. The events are only counted, and not kept.
 *
 * @param reading the ranges to be read forwards, in log order
 * @param skips the number of first events that are too many, by the answer's channel
 */
public record LastEvents(Reading reading, long[] skips) {

  /**
   * A place in a group's log.
   *
   * @param pair the number of the pair among the listed pairs
   * @param offset the offset in the pair's log
   */
  public record Place(int pair, long offset) {

    public static final Place END = new Place(Integer.MAX_VALUE, 0);

    /** Returns what of a range lies before this place; null if there is none. */
    private @Nullable ReadRange before(ReadRange range) throws IOException {
      int number = range.pair().number();
      if (number != pair) {
        return number < pair ? range : null;
      }
      return range.beginOffset() < offset ? cut(range) : null;
    }

    private ReadRange cut(ReadRange range) throws IOException {
      if (range instanceof RawRange raw) {
        return new RawRange(
            raw.pair(), raw.log(), raw.fromOffset(), Math.min(raw.toOffset(), offset));
      }
      StoredRange stored = (StoredRange) range;
      int end = stored.toSegment();
      while (stored.block().segment(end - 1).startOffset() >= offset) {
        end--;
      }
      return new StoredRange(stored.pair(), stored.block(), stored.fromSegment(), end);
    }
  }

  /**
   * Finds the last events of channels before a place, and reports the time before them as not
   * requested.
   *
   * @param opened the group, whose report is that of the answer
   * @param wanted the number of events of each channel, before the place and after it
   * @param after the number of events after the place, by the answer's channel
   */
  public static LastEvents find(Reading opened, long wanted, long[] after, Place place)
      throws IOException {
    Planner planner = opened.shared().planner();
    TimeRange range = opened.plan().range();
    BackwardSteps steps = opened.backward(readRange -> true);
    long[] counts = after.clone();
    List<ChannelTarget> left = new ArrayList<>(opened.channels());
    left.removeIf(channel -> counts[channel.index()] >= wanted);
    List<PlannedRange> ranges = new ArrayList<>();
    long fromNanos = range.toNanos();
    while (!left.isEmpty()) {
      BackwardSteps.Step step = steps.next();
      if (step == null) {
        fromNanos = range.fromNanos();
        break;
      }
      if (step instanceof BackwardSteps.Hole hole) {
        PairRange.Missing missing = hole.missing();
        opened.report().missing(missing);
        fromNanos = Math.min(fromNanos, missing.times().fromNanos());
      } else if (step instanceof BackwardSteps.Segments found) {
        RecordTable records = found.content().records();
        ReadRange readRange = place.before(found.readRange());
        if (records != null && readRange != null) {
          PlannedRange planned =
              new PlannedRange(
                  readRange,
                  found.content(),
                  records,
                  List.copyOf(left),
                  PlannedRange.absentFrom(records, opened.channels()));
          ranges.add(planned);
          opened.plan().reportBegin(found.content());
          fromNanos = Math.min(fromNanos, planner.firstMilestoneNanos(readRange));
          count(opened.of(List.of(planned)), counts);
          left.removeIf(channel -> counts[channel.index()] >= wanted);
        }
      }
    }
    Collections.reverse(ranges);
    long[] skips = Arrays.stream(counts).map(count -> Math.max(0, count - wanted)).toArray();
    opened.report().onlyFrom(Math.max(fromNanos, range.fromNanos()));
    opened.report().pendingFrom(EpochNanos.of(Instant.now()), null);
    return new LastEvents(opened.of(ranges), skips);
  }

  private static void count(Reading planned, long[] counts) throws IOException {
    // Coverage is reported when the ranges are read forwards.
    try (GroupSource source =
        planned
            .withoutReadAhead()
            .reportTo(planned.emptyReport())
            .forward(RowOrder.LOG, ChunkReaders::ordered)) {
      while (source.next()) {
        counts[source.channel()] += source.to() - source.from();
      }
    }
  }
}
