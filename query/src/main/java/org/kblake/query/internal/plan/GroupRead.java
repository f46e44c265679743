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
 * @param legs where it comes from, in log order
 * @param contents what finds out where pairs can be read
 * @param report takes in what becomes of the range
 * @param channels how many channels are asked for
 * @param group index into the answer's dictionary of groups
 * @param range times of events
 * @param strays whether strays are wanted
 */
public record GroupRead(
    List<PlannedLeg> legs,
    PairResolver contents,
    CoverageBuilder report,
    int channels,
    int group,
    TimeRange range,
    boolean strays) {

  public GroupRead {
    legs = List.copyOf(legs);
  }

  /** The legs, to be taken from the front. */
  public Deque<PlannedLeg> queue() {
    return new ArrayDeque<>(legs);
  }

  /**
   * A leg, and what is wanted of it.
   *
   * @param leg what is read
   * @param content its pair
   * @param records the pair's records
   * @param channels whose events are wanted
   * @param absent channels asked for that are not among the records
   */
  public record PlannedLeg(
      ReadRange leg,
      PairContent content,
      RecordTable records,
      List<ChannelTarget> channels,
      List<String> absent) {

    PlannedLeg with(ReadRange other, PairContent otherContent) {
      return new PlannedLeg(other, otherContent, records, channels, absent);
    }
  }

  /** All legs of a plan, for all channels. */
  public static List<PlannedLeg> legs(GroupPlan plan, List<ChannelTarget> channels) {
    List<PlannedLeg> legs = new ArrayList<>();
    Map<RecordTable, List<String>> absentByTable = new HashMap<>();
    for (GroupPlan.Part part : plan.parts()) {
      RecordTable records = part.content().records();
      if (records != null) {
        List<String> absent = absentByTable.get(records);
        if (absent == null) {
          absent = absentFrom(records, channels);
          absentByTable.put(records, absent);
        }
        for (ReadRange leg : part.legs()) {
          legs.add(new PlannedLeg(leg, part.content(), records, channels, absent));
        }
      }
    }
    return legs;
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
