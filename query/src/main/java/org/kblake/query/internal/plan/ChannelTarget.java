package org.kblake.query.internal.plan;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;

/**
 * A channel that is requested, and what stands for it in the answer.
 *
 * @param channel the channel
 * @param index into the answer's dictionary of channel names
 */
public record ChannelTarget(Channel channel, int index) {

  public String name() {
    return channel.name();
  }

  // By hand: the methods that a record is given take milliseconds to be made at a cold start.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChannelTarget target
        && index == target.index
        && channel.equals(target.channel);
  }

  @Override
  public int hashCode() {
    return 31 * channel.group().hashCode() + index;
  }
}
