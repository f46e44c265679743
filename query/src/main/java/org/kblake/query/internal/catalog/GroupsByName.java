package org.kblake.query.internal.catalog;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.archive.Interruption;
import org.kblake.query.question.ChannelPattern;

/** The groups that have channels of some names. */
public final class GroupsByName {

  private final List<GroupTables> groups;

  /** Empty if to look up each name in each table takes less time than to fill it. */
  private final Map<String, List<GroupTables>> byName;

  private GroupsByName(List<GroupTables> groups, Map<String, List<GroupTables>> byName) {
    this.groups = groups;
    this.byName = byName;
  }

  /**
   * @param patterns those whose names will be looked up
   * @param groups the groups, in the order of the archive
   * @throws InterruptedIOException if the thread is interrupted
   */
  public static GroupsByName of(List<ChannelPattern> patterns, List<GroupTables> groups)
      throws InterruptedIOException {
    long wanted = 0;
    for (ChannelPattern pattern : patterns) {
      wanted += pattern.possibleNames().size();
    }
    long tables = 0;
    long records = 0;
    for (GroupTables group : groups) {
      tables += group.tables().size();
      records += group.records();
    }
    Map<String, List<GroupTables>> byName = new HashMap<>();
    if (groups.size() > 1 && records < wanted * tables) {
      for (GroupTables group : groups) {
        add(group, byName);
      }
    }
    return new GroupsByName(groups, byName);
  }

  private static void add(GroupTables group, Map<String, List<GroupTables>> byName)
      throws InterruptedIOException {
    List<GroupTables> alone = List.of(group);
    for (String name : group.known()) {
      Interruption.check();
      List<GroupTables> before = byName.putIfAbsent(name, alone);
      if (before instanceof ArrayList<GroupTables> several) {
        several.add(group);
      } else if (before != null) {
        List<GroupTables> several = new ArrayList<>(before);
        several.add(group);
        byName.put(name, several);
      }
    }
  }

  /** Returns the groups that {@linkplain GroupTables#has have} a name, in their order. */
  public List<GroupTables> of(String name) {
    return byName.isEmpty()
        ? groups.stream().filter(group -> group.has(name)).toList()
        : byName.getOrDefault(name, List.of());
  }

  /** Returns whether a group has a name. */
  public boolean has(String name) {
    return !of(name).isEmpty();
  }
}
