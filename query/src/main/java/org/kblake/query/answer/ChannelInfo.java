package org.kblake.query.answer;

import org.kblake.core.model.Channel;
import org.kblake.core.model.ValueType;

/**
 * A channel as the record tables of a period describe it.
 *
 * @param channel the channel
 * @param type the type of its elements, by the last of the tables
 * @param elementCount the largest element count of any of the tables; values are lists if it is
 *     more than one
 */
public record ChannelInfo(Channel channel, ValueType type, int elementCount) {

  /** Returns whether values are lists of elements. */
  public boolean waveform() {
    return elementCount > 1;
  }
}
