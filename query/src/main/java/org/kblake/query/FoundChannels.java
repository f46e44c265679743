package org.kblake.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The channels that a question means.
 *
 * @param channels as the record tables of its period have them, in the order in which they were
 *     asked for
 * @param unread why a record table of the period could not be read, so that channels that only this
 *     table has may be missing; null if all tables were read
 */
public record FoundChannels(List<ChannelInfo> channels, @Nullable String unread) {

  public FoundChannels {
    channels = List.copyOf(channels);
  }
}
