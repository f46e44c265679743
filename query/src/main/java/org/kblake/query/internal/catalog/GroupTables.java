package org.kblake.query.internal.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.metadata.Aliases;
import org.kblake.core.internal.metadata.RecordName;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;

/**
 * A group's record tables of a period.
 *
 * @param tables the record tables in log order
 * @param endNanos the end of each table's pair, nanoseconds since 1970 UTC
 * @param aliases the former names of the group's channels
 * @param unread why some record tables could not be read; null if all were
 */
public record GroupTables(
    Group group,
    List<RecordTable> tables,
    List<Long> endNanos,
    Aliases aliases,
    @Nullable String unread) {

  /**
   * Returns the groups that have each name, in their order.
   *
   * @param wanted the number of names that are wanted
   * @return nothing if to look each of them up in each table takes less time than this
   */
  public static Map<String, List<GroupTables>> byName(long wanted, List<GroupTables> groups) {
    long tables = 0;
    long records = 0;
    for (GroupTables group : groups) {
      tables += group.tables.size();
      for (RecordTable table : group.tables) {
        records += table.size();
      }
    }
    Map<String, List<GroupTables>> byName = new HashMap<>();
    if (records < wanted * tables) {
      for (GroupTables group : groups) {
        List<GroupTables> alone = List.of(group);
        for (String name : group.known()) {
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
    }
    return byName;
  }

  /** Returns whether a record has a name, or a former name of its channel. */
  public boolean has(String name) {
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

  /** Returns whether a record is in a table whose pair ends after a time. */
  public boolean isRecordedAfter(String record, long nanos) {
    for (int i = 0; i < tables.size(); i++) {
      if (endNanos.get(i) > nanos && tables.get(i).ordinalOfName(record) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the names of the records, in the order of the tables. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (RecordTable table : tables) {
      for (int ordinal = 0; ordinal < table.size(); ordinal++) {
        names.add(table.entry(ordinal).name());
      }
    }
    return names;
  }

  /** Returns all names that the group {@linkplain #has has}. */
  private Set<String> known() {
    Set<String> names = names();
    if (!aliases.isEmpty()) {
      for (String record : List.copyOf(names)) {
        names.addAll(aliases.presentOf(record));
      }
    }
    return names;
  }
}
