package org.kblake.query.internal.plan;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.catalog.ChannelNames;
import org.kblake.query.internal.catalog.GroupTables;
import org.kblake.query.internal.catalog.GroupsByName;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.UnknownChannelException;

/**
 * The channels of a selection.
 *
 * @param channels the channels in the order of the answer: by the patterns that select them, then
 *     by group, then by the first occurrence of their names in the record tables of the period
 * @param groups the groups of these channels, in the archive's order
 * @param names the channels' names, each once: the answer's dictionary
 * @param records the records of channels that were renamed, or have a name that another channel had
 * @param patterns the names and patterns that select the channels: a name in place of a pattern
 *     that is the name of a channel
 */
public record ChannelResolution(
    List<Channel> channels,
    List<Group> groups,
    List<String> names,
    Map<Channel, List<RecordName>> records,
    List<ChannelPattern> patterns) {

  /** For more unknown names no nearest ones are sought, because each is compared with all names. */
  private static final int MAX_WITH_NEAREST = 20;

  public ChannelResolution {
    channels = List.copyOf(channels);
    groups = List.copyOf(groups);
    names = List.copyOf(names);
    records = Map.copyOf(records);
    patterns = List.copyOf(patterns);
  }

  /** Returns whether names alone select the channels. */
  public boolean isOfNames() {
    return patterns.stream().allMatch(ChannelPattern::isName);
  }

  /**
   * @throws UnknownChannelException if a name or pattern matches no channel
   */
  public static ChannelResolution of(List<ChannelPattern> patterns, List<GroupTables> groups)
      throws UnknownChannelException, InterruptedIOException {
    GroupsByName byName = GroupsByName.of(patterns, groups);
    List<ChannelPattern> meant =
        patterns.stream().flatMap(pattern -> pattern.meant(byName::has).stream()).toList();
    Set<Channel> channels = new LinkedHashSet<>();
    Map<Group, Set<String>> namesByGroup = new HashMap<>();
    List<ChannelPattern> unknown = new ArrayList<>();
    for (ChannelPattern pattern : meant) {
      Interruption.check();
      int before = 0;
      if (pattern.isName()) {
        boolean isGiven = pattern.isKnown() && groups.size() == 1;
        for (GroupTables group : isGiven ? groups : byName.of(pattern.text())) {
          channels.add(new Channel(group.group(), pattern.text()));
          before++;
        }
      } else {
        for (GroupTables group : groups) {
          Set<String> records = namesByGroup.get(group.group());
          if (records == null) {
            records = group.names();
            namesByGroup.put(group.group(), records);
          }
          for (String name : ChannelNames.matching(pattern, records, group.aliases())) {
            channels.add(new Channel(group.group(), name));
            before++;
          }
        }
      }
      if (before == 0) {
        unknown.add(pattern);
      }
    }
    if (!unknown.isEmpty()) {
      throw unknown(unknown, groups);
    }
    for (GroupTables group : groups) {
      removeFormer(group, channels);
    }
    return of(channels, groups, meant);
  }

  private static void removeFormer(GroupTables group, Set<Channel> channels)
      throws InterruptedIOException {
    Interruption.check();
    if (!group.aliases().isEmpty()) {
      Set<String> selected = namesOf(group.group(), channels);
      Set<String> kept =
          ChannelNames.withoutFormer(selected, group.aliases(), group::isRecordedAfter);
      channels.removeIf(
          channel -> channel.group().equals(group.group()) && !kept.contains(channel.name()));
    }
  }

  private static void addRecords(
      GroupTables group, Collection<Channel> channels, Map<Channel, List<RecordName>> records)
      throws InterruptedIOException {
    Interruption.check();
    if (!group.aliases().isEmpty()) {
      Set<String> selected = namesOf(group.group(), channels);
      for (String name : selected) {
        records.put(
            new Channel(group.group(), name),
            ChannelNames.records(name, selected, group.aliases(), group::isRecordedAfter));
      }
    }
  }

  private static Set<String> namesOf(Group group, Collection<Channel> channels) {
    Set<String> names = new LinkedHashSet<>();
    for (Channel channel : channels) {
      if (channel.group().equals(group)) {
        names.add(channel.name());
      }
    }
    return names;
  }

  private static ChannelResolution of(
      Collection<Channel> channels, List<GroupTables> groups, List<ChannelPattern> patterns)
      throws InterruptedIOException {
    Set<String> names = new LinkedHashSet<>();
    Set<Group> answering = new LinkedHashSet<>();
    Set<Group> any = new HashSet<>();
    Map<Channel, List<RecordName>> records = new HashMap<>();
    for (Channel channel : channels) {
      any.add(channel.group());
      names.add(channel.name());
    }
    for (GroupTables group : groups) {
      if (any.contains(group.group())) {
        answering.add(group.group());
        addRecords(group, channels, records);
      }
    }
    return new ChannelResolution(
        List.copyOf(channels), List.copyOf(answering), List.copyOf(names), records, patterns);
  }

  private static UnknownChannelException unknown(
      List<ChannelPattern> patterns, List<GroupTables> groups) throws InterruptedIOException {
    Set<String> known = new TreeSet<>();
    // The groups without any readable record table come first.
    Set<String> unread = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>();
    for (GroupTables group : groups) {
      known.addAll(group.names());
      String why = group.unread();
      if (why != null) {
        (group.tables().isEmpty() ? unread : others).add(why);
      }
    }
    unread.addAll(others);
    Map<String, List<String>> nearest = new LinkedHashMap<>();
    for (ChannelPattern pattern : patterns) {
      boolean few = nearest.size() < MAX_WITH_NEAREST;
      nearest.put(pattern.text(), few ? NearestNames.of(pattern.text(), known) : List.of());
    }
    return new UnknownChannelException(nearest, List.copyOf(unread));
  }

  /** Returns the channels of each group, with the indices of their names in the answer. */
  public List<List<ChannelTarget>> targets() {
    Map<String, Integer> indices = new HashMap<>();
    for (String name : names) {
      indices.put(name, indices.size());
    }
    return targets(indices);
  }

  /** Returns the channels of each group, numbered from 0 in each of them. */
  public List<List<ChannelTarget>> numbered() {
    return targets(Map.of());
  }

  private List<List<ChannelTarget>> targets(Map<String, Integer> indices) {
    Map<Group, List<ChannelTarget>> targets = new LinkedHashMap<>();
    groups.forEach(group -> targets.put(group, new ArrayList<>()));
    for (Channel channel : channels) {
      List<ChannelTarget> ofGroup = Objects.requireNonNull(targets.get(channel.group()));
      ofGroup.add(target(channel, indices.getOrDefault(channel.name(), ofGroup.size())));
    }
    return List.copyOf(targets.values());
  }

  /** Returns a channel of this resolution with its records. */
  public ChannelTarget target(Channel channel) {
    return target(channel, 0);
  }

  private ChannelTarget target(Channel channel, int index) {
    List<RecordName> ofChannel = records.get(channel);
    return ofChannel == null
        ? new ChannelTarget(channel, index)
        : new ChannelTarget(channel, index, ofChannel);
  }

  /** Adds the types of the channels in record tables. */
  public static void addShapes(
      Collection<RecordTable> tables, List<ChannelTarget> channels, Set<ValueShape> shapes) {
    for (RecordTable table : tables) {
      for (ChannelTarget channel : channels) {
        for (RecordName record : channel.records()) {
          int ordinal = table.ordinalOfName(record.name());
          if (ordinal >= 0) {
            RecordEntry entry = table.entry(ordinal);
            shapes.add(new ValueShape(entry.type(), entry.waveform()));
          }
        }
      }
    }
  }

  /**
   * Describes a channel by record tables.
   *
   * @param tables the record tables in log order
   * @return the description; null if none of the tables has the channel
   */
  public static @Nullable ChannelInfo describe(ChannelTarget channel, List<RecordTable> tables) {
    ValueType type = null;
    int elementCount = 0;
    for (RecordTable table : tables) {
      // The record of the present name is the first one, and decides.
      for (int i = channel.records().size() - 1; i >= 0; i--) {
        int ordinal = table.ordinalOfName(channel.records().get(i).name());
        if (ordinal >= 0) {
          RecordEntry entry = table.entry(ordinal);
          type = entry.type();
          elementCount = Math.max(elementCount, entry.elementCount());
        }
      }
    }
    return type == null ? null : new ChannelInfo(channel.channel(), type, elementCount);
  }
}
