package org.kblake.query.internal.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.coverage.CoverageBuilder;

/**
 * What of one group an answer gives.
 *
 * @param ranges where it comes from, in log order
 * @param resolver what finds out where pairs can be read
 * @param report takes in what becomes of the range
 * @param channels how many channels are requested
 * @param group index into the answer's dictionary of groups
 * @param range times of events
 * @param strays whether strays are wanted
 */
public record GroupRead(
    List<PlannedRange> ranges,
    PairResolver resolver,
    CoverageBuilder report,
    int channels,
    int group,
    TimeRange range,
    boolean strays) {

  public GroupRead {
    ranges = List.copyOf(ranges);
  }

  /** The ranges, to be taken from the front. */
  public Deque<PlannedRange> queue() {
    return new ArrayDeque<>(ranges);
  }

  /**
   * A range, and what is wanted of it.
   *
   * @param readRange what is read
   * @param content its pair
   * @param records the pair's records
   * @param channels whose events are wanted
   * @param absent channels requested that are not among the records
   */
  public record PlannedRange(
      ReadRange readRange,
      PairContent content,
      RecordTable records,
      List<ChannelTarget> channels,
      List<String> absent) {

    PlannedRange with(ReadRange other, PairContent otherContent) {
      return new PlannedRange(other, otherContent, records, channels, absent);
    }
  }

  /** All ranges of a plan, for all channels. */
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

  /** The channels that a record table does not have. */
  public static List<String> absentFrom(RecordTable records, Collection<ChannelTarget> channels) {
    List<String> absent = new ArrayList<>();
    for (ChannelTarget channel : channels) {
      if (records.ordinalOfName(channel.name()) < 0) {
        absent.add(channel.name());
      }
    }
    return absent;
  }
}
