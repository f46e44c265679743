package org.kblake.server.internal.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;

/**
 * The channels of a request that were recorded in its range. A channel of another time is no error:
 * it has no events in the range.
 *
 * @param channels the channels; none if no channel was recorded
 */
record Selected(ChannelSelection channels, TimeRange range) {

  /** Selects the channels of a request. */
  static Selected of(Parameters parameters, ServedArchive archive) throws IOException {
    TimeRange range = parameters.range();
    List<Channel> channels =
        new ArrayList<>(parameters.exportedChannels().stream().map(ChannelInfo::channel).toList());
    Set<Group> ofChannels = new HashSet<>();
    channels.forEach(channel -> ofChannels.add(channel.group()));
    if (ofChannels.size() == 1) {
      return new Selected(
          ChannelQuestions.selection(
              channels.get(0).group(), channels.stream().map(Channel::name).toList()),
          range);
    }
    // The order of groups is that of the command, and decides the order of events at the same time.
    List<Group> asked = parameters.groups();
    List<Group> groups = new ArrayList<>(asked.isEmpty() ? archive.reader().groups() : asked);
    groups.retainAll(ofChannels);
    while (!channels.isEmpty()) {
      ChannelSelection selection = named(channels, groups);
      try {
        archive.reader().find(EventQuery.of(selection).between(range));
        return new Selected(selection, range);
      } catch (UnknownChannelException e) {
        if (!e.isCertain()
            || !channels.removeIf(channel -> e.nearest().containsKey(channel.name()))) {
          throw e;
        }
      }
    }
    return new Selected(ChannelSelection.of(List.of()), range);
  }

  private static ChannelSelection named(List<Channel> channels, List<Group> groups) {
    List<String> names = channels.stream().map(Channel::name).distinct().toList();
    return new ChannelSelection(groups, names.stream().map(ChannelPattern::name).toList());
  }

  boolean isEmpty() {
    return channels.patterns().isEmpty();
  }

  /** Returns a question without events, of any channel: its answer has the columns. */
  static EventQuery nothing(ServedArchive archive) throws IOException {
    Channel any = archive.channels().all().get(0).channel();
    return EventQuery.of(ChannelQuestions.selection(any))
        .between(new TimeRange(0, 0))
        .withGroup()
        .allowIncomplete();
  }
}
