package org.kblake.query.answer;

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
}
