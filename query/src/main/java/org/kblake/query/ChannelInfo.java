package org.kblake.query;

import java.util.List;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ValueType;

/**
 * A channel as a record table describes it.
 *
 * @param channel the channel
 * @param type the type of its elements
 * @param elementCount the most elements that a value has; more than one: values are lists
 */
public record ChannelInfo(Channel channel, ValueType type, int elementCount) {

  /** Whether values are lists of elements. */
  public boolean waveform() {
    return elementCount > 1;
  }

  /**
   * @param tables in log order, one of which has the channel
   */
  static ChannelInfo of(Channel channel, List<RecordTable> tables) {
    for (int i = tables.size() - 1; i >= 0; i--) {
      int ordinal = tables.get(i).ordinalOfName(channel.name());
      if (ordinal >= 0) {
        RecordEntry entry = tables.get(i).entry(ordinal);
        return new ChannelInfo(channel, entry.type(), entry.elementCount());
      }
    }
    throw new IllegalArgumentException("no table has the channel: " + channel);
  }
}
