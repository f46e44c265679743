package org.kblake.query.internal.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.query.internal.pair.PairContent;

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

  /** Returns all ranges of a plan, for all channels. */
  public static List<PlannedRange> of(GroupPlan plan, List<ChannelTarget> channels) {
    List<PlannedRange> ranges = new ArrayList<>();
    Map<RecordTable, List<String>> absentByTable = new HashMap<>();
    for (GroupPlan.PlannedPair pair : plan.pairs()) {
      RecordTable records = pair.content().records();
      if (records != null) {
        List<String> absent = absentByTable.get(records);
        if (absent == null) {
          absent = absentFrom(records, channels);
          absentByTable.put(records, absent);
        }
        for (ReadRange readRange : pair.ranges()) {
          ranges.add(new PlannedRange(readRange, pair.content(), records, channels, absent));
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

  /**
   * Returns what a raw range has from an offset on.
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

  /** Returns another range of the same records, for the same channels. */
  public PlannedRange with(ReadRange other, PairContent otherContent) {
    return new PlannedRange(other, otherContent, records, channels, absent);
  }

  /** Returns the same range for other channels. It reports the absence of all. */
  public PlannedRange of(List<ChannelTarget> others) {
    return new PlannedRange(readRange, content, records, others, absent);
  }
}
