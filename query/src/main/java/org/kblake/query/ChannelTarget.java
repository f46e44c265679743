package org.kblake.query;

import org.kblake.core.model.Channel;

/**
 * A channel that is asked for, and what stands for it in the answer.
 *
 * @param channel the channel
 * @param index into the answer's dictionary of channel names
 */
record ChannelTarget(Channel channel, int index) {

  String name() {
    return channel.name();
  }
}
