package org.kblake.core.internal.store;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.kblake.core.model.Group;

/**
 * The groups that a store has directories of, as far as they can be listed.
 *
 * @param groups sorted
 * @param unlisted the systems whose directories cannot be listed, so that there may be groups
 *     besides, and a line for people on each
 */
public record StoreGroups(List<Group> groups, SortedMap<String, String> unlisted) {

  /** There is no store. */
  public static final StoreGroups NONE = new StoreGroups(List.of(), new TreeMap<>());

  public StoreGroups {
    groups = List.copyOf(groups);
    unlisted = Collections.unmodifiableSortedMap(new TreeMap<>(unlisted));
  }

  /** Whether there may be blocks of a group though it is not listed. */
  public boolean mayHave(Group group) {
    return unlisted.containsKey(group.system());
  }
}
