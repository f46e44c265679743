package org.kblake.query.internal.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.plan.ChannelTarget;

/**
 * The events of a record that belong to a requested channel. Several channels may share a record;
 * each event belongs to one of them.
 *
 * @param record the record, and the times of the events
 * @param channel the channel's index in the answer
 */
public record RecordClaim(RecordName record, int channel) {

  /** Returns the claims of channels, by the names of the records. */
  public static Map<String, List<RecordClaim>> byName(List<ChannelTarget> channels) {
    Map<String, List<RecordClaim>> byName = new HashMap<>();
    for (ChannelTarget channel : channels) {
      for (RecordName record : channel.records()) {
        byName
            .computeIfAbsent(record.name(), any -> new ArrayList<>(1))
            .add(new RecordClaim(record, channel.index()));
      }
    }
    return byName;
  }

  /** Returns the times of a range in which the record's events belong to the channel. */
  public TimeRange within(TimeRange range) {
    if (record.isWhole()) {
      return range;
    }
    long to = Math.min(range.toNanos(), record.untilNanos());
    long from = Math.max(range.fromNanos(), record.fromNanos());
    return new TimeRange(Math.min(from, to), to);
  }

  /** Returns whether a chunk with some times may have events of a range for the channel. */
  public boolean mayHave(TimeRange range, long firstNanos, long lastNanos) {
    TimeRange within = within(range);
    return within.fromNanos() < within.toNanos() && within.meets(firstNanos, lastNanos);
  }
}
