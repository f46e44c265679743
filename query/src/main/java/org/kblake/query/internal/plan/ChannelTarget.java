package org.kblake.query.internal.plan;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;

/**
 * A requested channel, and its index in the answer.
 *
 * @param channel the channel
 * @param index into the answer's dictionary of channel names
 */
public record ChannelTarget(Channel channel, int index) {

  public String name() {
    return channel.name();
  }

  // Written by hand, because the generated methods of records take milliseconds at a cold start.

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
