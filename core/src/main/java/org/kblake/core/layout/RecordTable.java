package org.kblake.core.layout;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The records of a pair in the order of its index. A record's position in that order is its
 * ordinal. Arrays over records are indexed by it.
 */
public final class RecordTable {

  private static final int UNKNOWN = -1;

  private final RecordEntry[] entries;
  private final Map<String, Integer> ordinalByName;

  /**
   * The ordinals by id if ids are dense, as in nearly all indexes. Otherwise a hash table of ids.
   */
  private final int[] ordinalById;

  private final int[] hashedIds;

  /**
   * @throws IllegalArgumentException if two records have the same id or name
   */
  public RecordTable(List<RecordEntry> records) {
    entries = records.toArray(new RecordEntry[0]);
    ordinalByName = new HashMap<>(entries.length * 4 / 3 + 1);
    int maxId = UNKNOWN;
    for (int ordinal = 0; ordinal < entries.length; ordinal++) {
      RecordEntry entry = entries[ordinal];
      if (ordinalByName.putIfAbsent(entry.name(), ordinal) != null) {
        throw new IllegalArgumentException("name occurs twice: name=" + entry.name());
      }
      maxId = Math.max(maxId, entry.id());
    }
    boolean dense = maxId < 4L * entries.length + 1024;
    int size = dense ? maxId + 1 : Integer.highestOneBit(Math.max(1, entries.length)) * 4;
    ordinalById = new int[size];
    Arrays.fill(ordinalById, UNKNOWN);
    hashedIds = dense ? new int[0] : new int[size];
    for (int ordinal = 0; ordinal < entries.length; ordinal++) {
      int slot = dense ? entries[ordinal].id() : slotOf(entries[ordinal].id());
      if (ordinalById[slot] != UNKNOWN) {
        throw new IllegalArgumentException("id occurs twice: id=" + entries[ordinal].id());
      }
      ordinalById[slot] = ordinal;
      if (!dense) {
        hashedIds[slot] = entries[ordinal].id();
      }
    }
  }

  /** Returns the number of records. Ordinals are below it. */
  public int size() {
    return entries.length;
  }

  /**
   * @throws ArrayIndexOutOfBoundsException if there is no such ordinal
   */
  public RecordEntry entry(int ordinal) {
    return entries[ordinal];
  }

  /** Returns the records in the order of the index. */
  public List<RecordEntry> entries() {
    return List.of(entries);
  }

  /** Returns the ordinal of the record with this id, or -1. Any int is valid. */
  public int ordinalOfId(int id) {
    if (hashedIds.length == 0) {
      return id >= 0 && id < ordinalById.length ? ordinalById[id] : UNKNOWN;
    }
    return ordinalById[slotOf(id)];
  }

  /** Returns the ordinal of the record with this name, or -1. */
  public int ordinalOfName(String name) {
    return ordinalByName.getOrDefault(name, UNKNOWN);
  }

  /** Returns whether a record has one of some names. */
  public boolean hasAny(Set<String> names) {
    if (names.size() <= entries.length) {
      for (String name : names) {
        if (ordinalByName.containsKey(name)) {
          return true;
        }
      }
      return false;
    }
    for (RecordEntry entry : entries) {
      if (names.contains(entry.name())) {
        return true;
      }
    }
    return false;
  }

  /** Removes the names of the records from a set. */
  public void removeNamesFrom(Set<String> names) {
    if (names.size() <= entries.length) {
      names.removeIf(ordinalByName::containsKey);
      return;
    }
    for (RecordEntry entry : entries) {
      names.remove(entry.name());
    }
  }

  /** Returns the slot of the id, or a free slot for it. */
  private int slotOf(int id) {
    int mask = ordinalById.length - 1;
    int slot = (id * 0x9E3779B9 >>> 7) & mask;
    while (ordinalById[slot] != UNKNOWN && hashedIds[slot] != id) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
