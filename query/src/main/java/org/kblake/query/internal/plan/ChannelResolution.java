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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.names.NearestNames;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.UnknownChannelException;

/**
 * The channels of a selection.
 *
 * @param channels the channels in the order of the answer: by the patterns that select them, then
 *     by group, then by the first occurrence of their names in the record tables of the period
 * @param groups the groups of these channels, in the archive's order
 * @param names the channels' names, each once: the answer's dictionary
 */
public record ChannelResolution(List<Channel> channels, List<Group> groups, List<String> names) {

  public ChannelResolution {
    channels = List.copyOf(channels);
    groups = List.copyOf(groups);
    names = List.copyOf(names);
  }

  /**
   * A group's record tables of the period.
   *
   * @param tables the record tables in log order
   * @param unread why some record tables could not be read; null if all were
   */
  public record Tables(Group group, List<RecordTable> tables, @Nullable String unread) {

    boolean has(String name) {
      for (RecordTable table : tables) {
        if (table.ordinalOfName(name) >= 0) {
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
      Pattern matcher = pattern.isName() ? null : pattern.compile();
      for (Tables group : groups) {
        if (matcher == null) {
          if (group.has(pattern.text()) || pattern.isKnown() && groups.size() == 1) {
            channels.add(new Channel(group.group(), pattern.text()));
            before++;
          }
          continue;
        }
        for (String name : namesByGroup.computeIfAbsent(group.group(), any -> group.names())) {
          if (matcher.matcher(name).find()) {
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
    return of(channels, groups);
  }

  private static ChannelResolution of(Collection<Channel> channels, List<Tables> groups) {
    Set<String> names = new LinkedHashSet<>();
    Set<Group> answering = new LinkedHashSet<>();
    Set<Group> any = new HashSet<>();
    for (Channel channel : channels) {
      any.add(channel.group());
      names.add(channel.name());
    }
    for (Tables group : groups) {
      if (any.contains(group.group())) {
        answering.add(group.group());
      }
    }
    return new ChannelResolution(List.copyOf(channels), List.copyOf(answering), List.copyOf(names));
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

  /** Returns the channels of one group, with their indices in the answer. */
  public List<ChannelTarget> targets(Group group) {
    Map<String, Integer> indices = new HashMap<>();
    for (String name : names) {
      indices.put(name, indices.size());
    }
    List<ChannelTarget> targets = new ArrayList<>();
    for (Channel channel : channels) {
      if (channel.group().equals(group)) {
        targets.add(new ChannelTarget(channel, indices.getOrDefault(channel.name(), 0)));
      }
    }
    return targets;
  }

  /** Adds the types of the channels in record tables. */
  public static void addShapes(
      Collection<RecordTable> tables, List<ChannelTarget> channels, Set<ValueShape> shapes) {
    for (RecordTable table : tables) {
      for (ChannelTarget channel : channels) {
        int ordinal = table.ordinalOfName(channel.name());
        if (ordinal >= 0) {
          RecordEntry entry = table.entry(ordinal);
          shapes.add(new ValueShape(entry.type(), entry.waveform()));
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
  public static @Nullable ChannelInfo describe(Channel channel, List<RecordTable> tables) {
    ValueType type = null;
    int elementCount = 0;
    for (RecordTable table : tables) {
      int ordinal = table.ordinalOfName(channel.name());
      if (ordinal >= 0) {
        RecordEntry entry = table.entry(ordinal);
        type = entry.type();
        elementCount = Math.max(elementCount, entry.elementCount());
      }
    }
    return type == null ? null : new ChannelInfo(channel, type, elementCount);
  }
}
