package org.kblake.server.internal.data;

import java.util.Collection;
import java.util.List;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;

/** Questions about channels that are known, and may have no entry in the tables of a period. */
public final class ChannelQuestions {

  private ChannelQuestions() {}

  /** Selects a channel. */
  public static ChannelSelection selection(Channel channel) {
    return selection(channel.group(), List.of(channel.name()));
  }

  /** Selects channels of a group. */
  public static ChannelSelection selection(Group group, Collection<String> names) {
    return new ChannelSelection(
        List.of(group), names.stream().distinct().map(ChannelPattern::knownName).toList());
  }
}
