package org.kblake.query.internal.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.section.PairContent;
import org.kblake.query.internal.section.PairResolver;

/**
 * The part of an answer that comes from one group.
 *
 * @param ranges the ranges that are read, in log order
 * @param resolver finds the source of each part of a pair
 * @param report receives the result of each range
 * @param channels number of requested channels
 * @param group index into the answer's dictionary of groups
 * @param range the segments whose spans meet it are read
 * @param events the times of events; it includes the range
 * @param strays whether strays are requested
 * @param logOrder whether the segment, lateness and tie of events are requested
 * @param times the time that the ranges take
 */
public record GroupRead(
    List<PlannedRange> ranges,
    PairResolver resolver,
    CoverageBuilder report,
    int channels,
    int group,
    TimeRange range,
    TimeRange events,
    boolean strays,
    boolean logOrder,
    SourceTimes times) {

  public GroupRead {
    ranges = List.copyOf(ranges);
  }

  /** Creates the part of an answer of which nothing was read. */
  public GroupRead(
      List<PlannedRange> ranges,
      PairResolver resolver,
      CoverageBuilder report,
      int channels,
      int group,
      TimeRange range,
      boolean strays) {
    this(ranges, resolver, report, channels, group, range, range, strays);
  }

  /** Creates the part of an answer that has other events of the segments that meet the range. */
  public GroupRead(
      List<PlannedRange> ranges,
      PairResolver resolver,
      CoverageBuilder report,
      int channels,
      int group,
      TimeRange range,
      TimeRange events,
      boolean strays) {
    this(
        ranges, resolver, report, channels, group, range, events, strays, false, new SourceTimes());
  }

  /** Returns the same part with or without the segment, lateness and tie of events. */
  public GroupRead withLogOrder(boolean requested) {
    return new GroupRead(
        ranges, resolver, report, channels, group, range, events, strays, requested, times);
  }

  /** Returns the ranges as a queue. */
  public Deque<PlannedRange> queue() {
    return new ArrayDeque<>(ranges);
  }

  /**
   * A range, and the channels that are read from it.
   *
   * @param readRange the range
   * @param content its pair
   * @param records the pair's records
   * @param channels the requested channels
   * @param absent requested channels that are not among the records
   */
  public record PlannedRange(
      ReadRange readRange,
      PairContent content,
      RecordTable records,
      List<ChannelTarget> channels,
      List<String> absent) {

    /**
     * Returns the part of a raw range from an offset on.
     *
     * @return null if there is none
     * @throws IllegalStateException if the range is not read from a raw log
     */
    public @Nullable PlannedRange from(long offset) {
      if (!(readRange instanceof RawRange raw)) {
        throw new IllegalStateException("not a range of a raw log: " + readRange);
      }
      if (offset <= raw.fromOffset()) {
        return this;
      }
      return offset >= raw.toOffset()
          ? null
          : with(new RawRange(raw.pair(), raw.log(), offset, raw.toOffset()), content);
    }

    PlannedRange with(ReadRange other, PairContent otherContent) {
      return new PlannedRange(other, otherContent, records, channels, absent);
    }
  }

  /** Returns all ranges of a plan, for all channels. */
  public static List<PlannedRange> ranges(GroupPlan plan, List<ChannelTarget> channels) {
    List<PlannedRange> ranges = new ArrayList<>();
    Map<RecordTable, List<String>> absentByTable = new HashMap<>();
    for (GroupPlan.Part part : plan.parts()) {
      RecordTable records = part.content().records();
      if (records != null) {
        List<String> absent = absentByTable.get(records);
        if (absent == null) {
          absent = absentFrom(records, channels);
          absentByTable.put(records, absent);
        }
        for (ReadRange readRange : part.ranges()) {
          ranges.add(new PlannedRange(readRange, part.content(), records, channels, absent));
        }
      }
    }
    return ranges;
  }

  /** Returns the channels that a record table does not have. */
  public static List<String> absentFrom(RecordTable records, Collection<ChannelTarget> channels) {
    List<String> absent = new ArrayList<>();
    for (ChannelTarget channel : channels) {
      if (!channel.isIn(records)) {
        absent.add(channel.name());
      }
    }
    return absent;
  }
}
