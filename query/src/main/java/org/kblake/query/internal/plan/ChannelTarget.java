package org.kblake.query.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Channel;

/**
 * A requested channel, and its index in the answer.
 *
 * @param channel the channel
 * @param index into the answer's dictionary of channel names
 * @param records the records whose events are the channel's: that of its name, and those of its
 *     former names
 */
public record ChannelTarget(Channel channel, int index, List<RecordName> records) {

  public ChannelTarget {
    records = List.copyOf(records);
  }

  /** Creates a channel that was not renamed. */
  public ChannelTarget(Channel channel, int index) {
    this(channel, index, List.of(new RecordName(channel.name())));
  }

  public String name() {
    return channel.name();
  }

  /** Returns whether the events of the channel are those of the record of its name. */
  public boolean isOneRecord() {
    return records.size() == 1
        && records.get(0).isWhole()
        && records.get(0).name().equals(channel.name());
  }

  /** Returns whether a record table has one of the channel's records. */
  public boolean isIn(RecordTable table) {
    for (RecordName record : records) {
      if (table.ordinalOfName(record.name()) >= 0) {
        return true;
      }
    }
    return false;
  }

  // Written by hand, because the generated methods of records take milliseconds at a cold start.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChannelTarget target
        && index == target.index
        && channel.equals(target.channel)
        && records.equals(target.records);
  }

  @Override
  public int hashCode() {
    return 31 * channel.group().hashCode() + index;
  }
}
