package org.kblake.query;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ValueType;

/**
 * A channel as the record tables of a period describe it.
 *
 * @param channel the channel
 * @param type the type of its elements, by the last of the tables
 * @param elementCount the most elements that a value has by any of the tables; more than one:
 *     values are lists
 */
public record ChannelInfo(Channel channel, ValueType type, int elementCount) {

  /** Whether values are lists of elements. */
  public boolean waveform() {
    return elementCount > 1;
  }

  /**
   * @param tables in log order
   * @return null if none of the tables has the channel
   */
  static @Nullable ChannelInfo find(Channel channel, List<RecordTable> tables) {
    ValueType type = null;
    int elementCount = 0;
    for (RecordTable table : tables) {
      int ordinal = table.ordinalOfName(channel.name());
      if (ordinal >= 0) {
        RecordEntry entry = table.entry(ordinal);
        type = entry.type();
        elementCount = Math.max(elementCount, entry.elementCount());
      }
    }
    return type == null ? null : new ChannelInfo(channel, type, elementCount);
  }
}
