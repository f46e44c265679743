package org.kblake.query.internal.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.metadata.Aliases;
import org.kblake.core.internal.metadata.RecordName;
import org.kblake.core.internal.names.NearestNames;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.catalog.ChannelNames;
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
 */
public record ChannelResolution(
    List<Channel> channels,
    List<Group> groups,
    List<String> names,
    Map<Channel, List<RecordName>> records) {

  public ChannelResolution {
    channels = List.copyOf(channels);
    groups = List.copyOf(groups);
    names = List.copyOf(names);
    records = Map.copyOf(records);
  }

  /**
   * A group's record tables of the period.
   *
   * @param tables the record tables in log order
   * @param endNanos the end of each table's pair, nanoseconds since 1970 UTC
   * @param aliases the former names of the group's channels
   * @param unread why some record tables could not be read; null if all were
   */
  public record Tables(
      Group group,
      List<RecordTable> tables,
      List<Long> endNanos,
      Aliases aliases,
      @Nullable String unread) {

    boolean has(String name) {
      if (isRecordedAfter(name, Long.MIN_VALUE)) {
        return true;
      }
      for (RecordName former : aliases.formerOf(name)) {
        if (isRecordedAfter(former.name(), Long.MIN_VALUE)) {
          return true;
        }
      }
      return false;
    }

    private boolean isRecordedAfter(String record, long nanos) {
      for (int i = 0; i < tables.size(); i++) {
        if (endNanos.get(i) > nanos && tables.get(i).ordinalOfName(record) >= 0) {
          return true;
        }
      }
      return false;
    }

    Set<String> names() {
      Set<String> names = new LinkedHashSet<>();
      for (RecordTable table : tables) {
        for (int ordinal = 0; ordinal < table.size(); ordinal++) {
          names.add(table.entry(ordinal).name());
        }
      }
      return names;
    }
  }

  /**
   * @throws UnknownChannelException if a name or pattern matches no channel
   */
  public static ChannelResolution of(List<ChannelPattern> patterns, List<Tables> groups)
      throws UnknownChannelException {
    Set<Channel> channels = new LinkedHashSet<>();
    Map<Group, Set<String>> namesByGroup = new HashMap<>();
    List<ChannelPattern> unknown = new ArrayList<>();
    for (ChannelPattern pattern : patterns) {
      int before = 0;
      for (Tables group : groups) {
        if (pattern.isName()) {
          if (group.has(pattern.text()) || pattern.isKnown() && groups.size() == 1) {
            channels.add(new Channel(group.group(), pattern.text()));
            before++;
          }
          continue;
        }
        Set<String> records = namesByGroup.computeIfAbsent(group.group(), any -> group.names());
        for (String name : ChannelNames.matching(pattern, records, group.aliases())) {
          channels.add(new Channel(group.group(), name));
          before++;
        }
      }
      if (before == 0) {
        unknown.add(pattern);
      }
    }
    if (!unknown.isEmpty()) {
      throw unknown(unknown, groups);
    }
    groups.forEach(group -> removeFormer(group, channels));
    return of(channels, groups);
  }

  private static void removeFormer(Tables group, Set<Channel> channels) {
    if (!group.aliases().isEmpty()) {
      Set<String> selected = namesOf(group.group(), channels);
      Set<String> kept =
          ChannelNames.withoutFormer(selected, group.aliases(), group::isRecordedAfter);
      channels.removeIf(
          channel -> channel.group().equals(group.group()) && !kept.contains(channel.name()));
    }
  }

  private static void addRecords(
      Tables group, Collection<Channel> channels, Map<Channel, List<RecordName>> records) {
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

  private static ChannelResolution of(Collection<Channel> channels, List<Tables> groups) {
    Set<String> names = new LinkedHashSet<>();
    Set<Group> answering = new LinkedHashSet<>();
    Set<Group> any = new HashSet<>();
    Map<Channel, List<RecordName>> records = new HashMap<>();
    for (Channel channel : channels) {
      any.add(channel.group());
      names.add(channel.name());
    }
    for (Tables group : groups) {
      if (any.contains(group.group())) {
        answering.add(group.group());
        addRecords(group, channels, records);
      }
    }
    return new ChannelResolution(
        List.copyOf(channels), List.copyOf(answering), List.copyOf(names), records);
  }

  private static UnknownChannelException unknown(
      List<ChannelPattern> patterns, List<Tables> groups) {
    Set<String> known = new TreeSet<>();
    // The groups without any readable record table come first.
    Set<String> unread = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>();
    for (Tables group : groups) {
      known.addAll(group.names());
      String why = group.unread();
      if (why != null) {
        (group.tables().isEmpty() ? unread : others).add(why);
      }
    }
    unread.addAll(others);
    Map<String, List<String>> nearest = new LinkedHashMap<>();
    for (ChannelPattern pattern : patterns) {
      nearest.put(pattern.text(), NearestNames.of(pattern.text(), known));
    }
    return new UnknownChannelException(nearest, List.copyOf(unread));
  }

  /** Returns the channels of each group, with their indices in the answer. */
  public List<List<ChannelTarget>> targets() {
    Map<String, Integer> indices = new HashMap<>();
    for (String name : names) {
      indices.put(name, indices.size());
    }
    Map<Group, List<ChannelTarget>> targets = new LinkedHashMap<>();
    groups.forEach(group -> targets.put(group, new ArrayList<>()));
    for (Channel channel : channels) {
      List<ChannelTarget> ofGroup = targets.getOrDefault(channel.group(), new ArrayList<>());
      ofGroup.add(target(channel, indices.getOrDefault(channel.name(), 0)));
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
