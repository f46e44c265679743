package org.kblake.query.internal.follow;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.internal.catalog.ChannelNames;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.question.ChannelPattern;

/**
 * The channels that are followed. Patterns match more channels as pairs with other records begin.
 */
public final class FollowedChannels {

  private final List<ChannelPattern> patterns;
  private final List<Channel> channels = new ArrayList<>();
  private final Map<Channel, Integer> indices = new HashMap<>();
  private final Function<Group, Aliases> aliases;
  private final Map<Group, Aliases> ofGroups = new HashMap<>();

  /**
   * @param patterns what the question means in the record tables of the history, each a name, a
   *     glob or a regular expression. A glob whose text becomes the name of a channel later selects
   *     this channel, too
   * @param first the channels of the history
   * @param aliases the former names of a group's channels, which are asked for once
   */
  public FollowedChannels(
      List<ChannelPattern> patterns, List<Channel> first, Function<Group, Aliases> aliases) {
    this.patterns = patterns;
    this.aliases = aliases;
    first.forEach(this::indexOf);
  }

  /** Returns the channels so far. Their indices do not change. */
  public List<Channel> all() {
    return Collections.unmodifiableList(channels);
  }

  /** Returns the channels of a group so far. */
  List<ChannelTarget> of(Group group) throws InterruptedIOException {
    Set<String> names = new LinkedHashSet<>();
    for (Channel channel : channels) {
      if (channel.group().equals(group)) {
        names.add(channel.name());
      }
    }
    return targets(group, names);
  }

  /**
   * Returns the channels of a group's record tables that match, and adds them to the followed
   * channels.
   */
  List<ChannelTarget> targets(Group group, List<RecordTable> tables) throws InterruptedIOException {
    Aliases former = aliasesOf(group);
    Set<String> names = new LinkedHashSet<>();
    for (ChannelPattern pattern : patterns) {
      for (RecordTable table : tables) {
        addNames(pattern, table, former, names);
      }
    }
    // A record with a limit may be in later pairs, which are unknown.
    return targets(group, ChannelNames.withoutFormer(names, former, (name, nanos) -> true));
  }

  private List<ChannelTarget> targets(Group group, Set<String> names)
      throws InterruptedIOException {
    List<ChannelTarget> targets = new ArrayList<>();
    for (String name : names) {
      Channel channel = new Channel(group, name);
      Aliases former = aliasesOf(group);
      targets.add(
          former.isEmpty()
              ? new ChannelTarget(channel, indexOf(channel))
              : new ChannelTarget(
                  channel,
                  indexOf(channel),
                  ChannelNames.records(name, names, former, (record, nanos) -> true)));
    }
    return targets;
  }

  private Aliases aliasesOf(Group group) {
    return ofGroups.computeIfAbsent(group, aliases);
  }

  private static void addNames(
      ChannelPattern pattern, RecordTable table, Aliases former, Set<String> names)
      throws InterruptedIOException {
    if (!pattern.isName()) {
      List<String> records = table.entries().stream().map(RecordEntry::name).toList();
      names.addAll(ChannelNames.matching(pattern, records, former));
    }
    pattern.possibleNames().forEach(name -> addName(name, table, former, names));
  }

  private static void addName(String name, RecordTable table, Aliases former, Set<String> names) {
    for (String record : former.withFormer(Set.of(name))) {
      if (table.ordinalOfName(record) >= 0) {
        names.add(name);
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
