package org.kblake.query.answer;

import java.util.List;

/**
 * The channels that a question matches.
 *
 * @param channels the channels, as the record tables of its period describe them, in the order of
 *     the question
 * @param unread the times whose record table could not be read, in the period or shortly before it;
 *     channels that only this table has may be missing; empty if all tables were read
 */
public record FoundChannels(List<ChannelInfo> channels, List<CoverageSpan> unread) {

  public FoundChannels {
    channels = List.copyOf(channels);
    unread = List.copyOf(unread);
  }
}
