package org.kblake.query.internal.follow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.question.ChannelPattern;

/**
 * The channels that are followed. Patterns match more channels as pairs with other records begin.
 */
public final class FollowedChannels {

  private final List<ChannelPattern> patterns;
  private final List<Channel> channels = new ArrayList<>();
  private final Map<Channel, Integer> indices = new HashMap<>();

  public FollowedChannels(List<ChannelPattern> patterns, List<Channel> first) {
    this.patterns = patterns;
    first.forEach(this::indexOf);
  }

  /** Returns the channels so far. Their indices do not change. */
  public List<Channel> all() {
    return Collections.unmodifiableList(channels);
  }

  /**
   * Returns the channels of a group's record tables that match, and adds them to the followed
   * channels.
   */
  List<ChannelTarget> targets(Group group, List<RecordTable> tables) {
    Set<String> names = new LinkedHashSet<>();
    for (ChannelPattern pattern : patterns) {
      for (RecordTable table : tables) {
        addNames(pattern, table, names);
      }
    }
    List<ChannelTarget> targets = new ArrayList<>();
    for (String name : names) {
      Channel channel = new Channel(group, name);
      targets.add(new ChannelTarget(channel, indexOf(channel)));
    }
    return targets;
  }

  private static void addNames(ChannelPattern pattern, RecordTable table, Set<String> names) {
    if (pattern.isName()) {
      if (table.ordinalOfName(pattern.text()) >= 0) {
        names.add(pattern.text());
      }
      return;
    }
    Pattern matcher = pattern.compile();
    for (RecordEntry entry : table.entries()) {
      if (matcher.matcher(entry.name()).find()) {
        names.add(entry.name());
      }
    }
  }

  private int indexOf(Channel channel) {
    Integer known = indices.get(channel);
    if (known != null) {
      return known;
    }
    channels.add(channel);
    indices.put(channel, channels.size() - 1);
    return channels.size() - 1;
  }
}
