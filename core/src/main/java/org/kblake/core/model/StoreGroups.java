package org.kblake.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The groups that have a directory in a store, and the systems that cannot be listed.
 *
 * @param groups the groups, sorted
 * @param unlisted the systems whose directories cannot be listed, each with an error message; they
 *     may have further groups
 */
public record StoreGroups(List<Group> groups, SortedMap<String, String> unlisted) {

  /** The groups of a missing store. */
  public static final StoreGroups NONE = new StoreGroups(List.of(), new TreeMap<>());

  public StoreGroups {
    groups = List.copyOf(groups);
    unlisted = Collections.unmodifiableSortedMap(new TreeMap<>(unlisted));
  }

  /** Returns whether a group may have blocks although it is not listed. */
  public boolean mayHave(Group group) {
    return unlisted.containsKey(group.system());
  }
}
