package org.kblake.query.question;

import java.io.IOException;
import java.util.List;
import org.kblake.core.model.Channel;

/** Aggregates were requested that are not defined for the type of a channel. */
public final class UnsupportedAggregateException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Channel channel;

  /**
   * @param type the channel's type, as messages name it
   */
  public UnsupportedAggregateException(Channel channel, String type, List<Aggregate> aggregates) {
    super(
        String.join(", ", aggregates.stream().map(Aggregate::text).toList())
            + (aggregates.size() == 1 ? " is" : " are")
            + " not defined for "
            + channel.name()
            + ", whose type is "
            + type
            + "; it has count, first, last, severity");
    this.channel = channel;
  }

  /** Returns the channel. */
  public Channel channel() {
    return channel;
  }
}
